import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Signals {
  /** What a running command wants to do at the first Ctrl-C, instead of being interrupted. The second interrupts it. */
  drain: (() => void) | undefined
  /** Does work that lets nothing else have its turn, while a signal ends the process as it does by default. */
  atTheirDefault?: <A>(work: () => A) => A
}

export const Signals = Context.Reference<Signals>("assize/Signals", { defaultValue: () => ({ drain: undefined }) })

/**
 * Work that may take more than a second and cannot be left halfway: a signal meanwhile ends the process where it stands,
 * as a shell reports it (130 for Ctrl-C). For work that leaves nothing to be put in order.
 */
export const computing = Effect.fnUntraced(function* <A>(work: () => A) {
  const { atTheirDefault } = yield* Signals
  if (atTheirDefault === undefined) return work()
  // One that has come by now is acted on first.
  yield* Effect.yieldNow
  return atTheirDefault(work)
})
