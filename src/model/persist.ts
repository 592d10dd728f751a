import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import type { CallGate, Halted } from "./CallGate.ts"
import type { Tried } from "./circuit.ts"
import type { Gate, Leave, Weight } from "./gate.ts"
import { ModelError } from "./LanguageModel.ts"
import { monotonicMs } from "./monotonic.ts"
import { afterAttempts, waitBefore } from "./retry.ts"

export interface Persistence<A> {
  readonly gate: Gate
  readonly calls: CallGate
  /** How often an attempt that failed in a way that may pass is repeated. */
  readonly retries: number
  readonly weight: Weight<A>
  /** For calls that are not to be held until the model answers again: they fail with what is wrong. */
  readonly impatient?: boolean | undefined
}

/** Whoever waits for a run to start is told of a longer wait instead. */
const impatientWaitMs = 10_000

/** A failure of the kind that all calls share, though others were answered: it is about this one request. */
const ofThisRequest = (error: ModelError): ModelError =>
  error.fatal && error.kind !== "no-key"
    ? new ModelError({
        kind: "bad-request",
        message: error.message,
        ...(error.status === undefined ? {} : { status: error.status })
      })
    : error

/**
 * Repeats an attempt until it is answered, or fails for a reason of its own: failures that may pass, at most `retries`
 * times, while others are answered; as often as it takes while nothing at all is. Waits hold no place, and end when the
 * run is halted.
 */
export const persist = <A, E>(
  attempt: (leave: Leave<A>) => Effect.Effect<A, E | ModelError>,
  { calls, gate, impatient, retries, weight }: Persistence<A>
): Effect.Effect<A, E | ModelError | Halted> => {
  const { circuit } = gate
  const from = (number: number, call: number): Effect.Effect<A, E | ModelError | Halted> => {
    let begun = call
    const begin = (leave: Leave<A>) => {
      begun = circuit.state.successes
      return attempt(leave)
    }
    const failed = (error: ModelError): Effect.Effect<A, E | ModelError | Halted> =>
      Effect.flatMap(monotonicMs, (now) => {
        const tried: Tried = { attempt: begun, call, last: number >= retries }
        const verdict = impatient === true ? impatientVerdict(error, tried) : circuit.failed(now, error, tried)
        if (verdict === "hold") return Effect.suspend(() => from(0, circuit.state.successes))
        if (verdict === "fail")
          return Effect.fail(afterAttempts(impatient === true ? error : ofThisRequest(error), number + 1))
        return Random.next.pipe(
          Effect.flatMap((draw) => calls.sleep(waitBefore(number, error.retryAfterMs, draw))),
          Effect.andThen(from(number + 1, call))
        )
      })
    return gate.pass(begin, weight).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) circuit.succeeded()
          else if (!(Cause.squash(exit.cause) instanceof ModelError)) circuit.abandoned()
        })
      ),
      Effect.catch((error) =>
        error instanceof ModelError && error.lasting !== true ? failed(error) : Effect.fail(error as E | Halted)
      )
    )
  }
  return Effect.suspend(() => from(0, circuit.state.successes))
}

const impatientVerdict = (error: ModelError, { last }: Tried) =>
  !last && error.retryable && (error.retryAfterMs ?? 0) <= impatientWaitMs ? "repeat" : "fail"
