import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Progress } from "../judge/Progress.ts"

/** For the length of the scope, says now and then how far the work at hand is. */
export const tellProgress = Effect.fnUntraced(function* (progress: Progress, write: (line: string) => void) {
  const { ProgressPacer } = yield* Effect.promise(() => import("../terminal/PlainRun.ts"))
  const pacer = new ProgressPacer(yield* Clock.currentTimeMillis)
  const tick = Clock.clockWith((clock) =>
    Effect.sync(() => {
      const line = pacer.due(progress, clock.currentTimeMillisUnsafe())
      if (line !== undefined) write(line)
    })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(tick, 1000)))
})
