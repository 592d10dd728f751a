import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { CallGate, Halted } from "../CallGate.ts"
import { ModelError } from "../LanguageModel.ts"
import { monotonicMs } from "../monotonic.ts"
import { waitBefore } from "../retry.ts"

/** Failures in a row after which people are told. */
const toldAfter = 3

/** Repeats what may pass until it does, unless it takes too long. */
export type Insist = <A>(attempt: Effect.Effect<A, ModelError>) => Effect.Effect<A, ModelError | Halted>

/**
 * What is done about batches has no hurry: a server that does not answer is asked again, with people told of it, until
 * it does, the run is halted or the patience is over. Failures that will not pass come through at once.
 */
export const makeInsist =
  (gate: CallGate, name: string, patienceMs: number | undefined): Insist =>
  (attempt) =>
    Effect.gen(function* () {
      const begun = yield* monotonicMs
      for (let failures = 0; ; failures++) {
        const result = yield* Effect.result(attempt)
        if (result._tag === "Success") return result.success
        const error = result.failure
        if (!error.retryable) return yield* error
        if (patienceMs !== undefined && (yield* monotonicMs) - begun >= patienceMs) {
          return yield* new ModelError({ kind: error.kind, message: error.message, lasting: true })
        }
        const woken = Deferred.makeUnsafe<void>()
        if (failures + 1 >= toldAfter) {
          gate.hold({ model: name, message: error.message }, () => Deferred.doneUnsafe(woken, Effect.void))
        }
        const ms = waitBefore(failures, error.retryAfterMs, yield* Random.next)
        yield* gate.waitFor(Deferred.await(woken), ms)
      }
    }).pipe(Effect.ensuring(Effect.sync(() => gate.release(name))))
