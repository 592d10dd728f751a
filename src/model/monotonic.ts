import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds of a clock that never goes back, whatever becomes of the wall clock. */
export const monotonicMs: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.sync(() => Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
)
