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

const makeGate = (concurrency: number, requestsPerMinute: number | undefined): Gate => {
  const places = Semaphore.makeUnsafe(concurrency)
  const spacingMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute
  let nextSlot = Number.NEGATIVE_INFINITY
  let closedUntil = Number.NEGATIVE_INFINITY

  const waitForSlot: Effect.Effect<void> = Clock.clockWith((clock) => {
    const now = clock.currentTimeMillisUnsafe()
    const slot = Math.max(now, closedUntil, nextSlot)
    // The slot is taken before the wait, so that those who wait do not all wake for the same one.
    nextSlot = slot + spacingMs
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

  return { pass: (attempt) => places.withPermit(Effect.andThen(waitForSlot, attempt).pipe(Effect.tapError(heed))) }
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
