import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { count } from "../domain/count.ts"
import { ModelError } from "./LanguageModel.ts"

export const defaultRetries = 5

const firstWaitMs = 500
const longestWaitMs = 60_000
/** A server's advice beyond this is cut to it: a retry-after of a day must not stop a run for a day. */
export const longestRetryAfterMs = 300_000

/**
 * Milliseconds before the next attempt: what the server advises plus up to a tenth, else half a second doubled with
 * every failed attempt (`attempt` counts from 0) up to a minute, times 0.5–1. `draw` is in [0, 1).
 */
export const waitBefore = (attempt: number, retryAfterMs: number | undefined, draw: number): number =>
  retryAfterMs !== undefined
    ? Math.min(Math.max(retryAfterMs, 0), longestRetryAfterMs) * (1 + draw / 10)
    : Math.min(firstWaitMs * 2 ** attempt, longestWaitMs) * (0.5 + draw / 2)

export const afterAttempts = (error: ModelError, attempts: number): ModelError =>
  attempts === 1
    ? error
    : new ModelError({
        kind: error.kind,
        message: `${error.message} (after ${count(attempts, "attempt")})`,
        ...(error.status === undefined ? {} : { status: error.status }),
        ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
        ...(error.lasting === undefined ? {} : { lasting: error.lasting })
      })

/**
 * Repeats an attempt that failed in a way that may pass, at most `retries` times, on the Effect clock and with the
 * Effect generator's jitter. Other failures, and the last one, come through.
 */
export const withRetry = <A, E, R>(
  attempt: Effect.Effect<A, E | ModelError, R>,
  retries: number
): Effect.Effect<A, E | ModelError, R> => {
  const from = (number: number): Effect.Effect<A, E | ModelError, R> =>
    Effect.catch(attempt, (error): Effect.Effect<A, E | ModelError, R> => {
      if (!(error instanceof ModelError)) return Effect.fail(error)
      if (!error.retryable || number >= retries) return Effect.fail(afterAttempts(error, number + 1))
      return Random.next.pipe(
        Effect.flatMap((draw) => Effect.sleep(waitBefore(number, error.retryAfterMs, draw))),
        Effect.andThen(from(number + 1))
      )
    })
  return Effect.suspend(() => from(0))
}
