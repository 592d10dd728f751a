import * as Context from "effect/Context"

/** Whether somebody asked the run to stop after the iteration under way. Set by a view, read by the engine. */
export const StopAsked = Context.Reference<{ asked: boolean }>("assize/StopAsked", {
  defaultValue: () => ({ asked: false })
})
