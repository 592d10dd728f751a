import * as Context from "effect/Context"

/** What a running command wants to do at the first Ctrl-C, instead of being interrupted. The second interrupts it. */
export interface Signals {
  drain: (() => void) | undefined
}

export const Signals = Context.Reference<Signals>("assize/Signals", { defaultValue: () => ({ drain: undefined }) })
