import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { ModelConfig } from "../domain/Campaign.ts"
import { modelName } from "./key.ts"
import { ModelError } from "./LanguageModel.ts"
import { longestRetryAfterMs } from "./retry.ts"

/** Lets attempts at one model pass: so many at once, so many a minute, none while the server asked to be left alone. */
export interface Gate {
  readonly pass: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const defaultConcurrency = (model: ModelConfig): number =>
  model.concurrency ?? (model.provider === "embedded" ? 1 : 8)

/** The pace is at most this: at slower models, calls that come together are rare, and waiting buys nothing. */
const longestPaceMs = 5
/** The clock has whole milliseconds. */
const shortestPaceMs = 0.5

/**
 * Milliseconds between two attempts, so that answers do not arrive all at once: then every place would wait for the
 * whole lot to be stored before any asks again. A quarter of what would keep all places busy, so it limits nothing.
 */
const paceOf = (typicalMs: number, concurrency: number): number => {
  const pace = typicalMs / (4 * concurrency)
  return pace < shortestPaceMs ? 0 : Math.min(pace, longestPaceMs)
}

const makeGate = (concurrency: number, requestsPerMinute: number | undefined): Gate => {
  const places = Semaphore.makeUnsafe(concurrency)
  const spacingMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute
  let nextSlot = Number.NEGATIVE_INFINITY
  let closedUntil = Number.NEGATIVE_INFINITY
  /** Of the attempts that succeeded; the newest counts for a tenth. 0 before the first. */
  let typicalMs = 0

  const waitForSlot: Effect.Effect<void> = Clock.clockWith((clock) => {
    const now = clock.currentTimeMillisUnsafe()
    const slot = Math.max(now, closedUntil, nextSlot)
    // The slot is taken before the wait, so that those who wait do not all wake for the same one.
    nextSlot = slot + Math.max(spacingMs, paceOf(typicalMs, concurrency))
    return slot <= now ? Effect.void : Effect.andThen(Effect.sleep(slot - now), waitIfClosed)
  })
  // The server may have asked to be left alone while this one was waiting.
  const waitIfClosed: Effect.Effect<void> = Clock.clockWith((clock) =>
    clock.currentTimeMillisUnsafe() < closedUntil ? waitForSlot : Effect.void
  )

  const heed = (error: unknown) =>
    Clock.clockWith((clock) => {
      if (error instanceof ModelError && error.retryAfterMs !== undefined && error.retryable) {
        const until = clock.currentTimeMillisUnsafe() + Math.min(error.retryAfterMs, longestRetryAfterMs)
        closedUntil = Math.max(closedUntil, until)
      }
      return Effect.void
    })

  const timed = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Clock.clockWith((clock) => {
      const started = clock.currentTimeMillisUnsafe()
      return Effect.tap(attempt, () =>
        Effect.sync(() => {
          const ms = clock.currentTimeMillisUnsafe() - started
          typicalMs = typicalMs === 0 ? ms : 0.9 * typicalMs + 0.1 * ms
        })
      )
    })

  return {
    pass: (attempt) => places.withPermit(Effect.andThen(waitForSlot, timed(attempt)).pipe(Effect.tapError(heed)))
  }
}

/**
 * One gate a model and address, whatever role asks. Where roles that share a model are configured differently, the
 * greater concurrency and the smaller rate hold.
 */
export const makeGates = (models: ReadonlyArray<ModelConfig>): ((model: ModelConfig) => Gate) => {
  const gates = new Map<string, Gate>()
  const gateFor = (model: ModelConfig): Gate => {
    const name = modelName(model)
    const known = gates.get(name)
    if (known !== undefined) return known
    const sharing = [model, ...models.filter((other) => modelName(other) === name)]
    const rates = sharing.flatMap(({ requestsPerMinute }) =>
      requestsPerMinute === undefined ? [] : [requestsPerMinute]
    )
    const gate = makeGate(
      Math.max(...sharing.map(defaultConcurrency)),
      rates.length === 0 ? undefined : Math.min(...rates)
    )
    gates.set(name, gate)
    return gate
  }
  return gateFor
}
