import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { judging } from "../../src/cli/judging.ts"
import { CurrentProgress } from "../../src/judge/Progress.ts"
import { inFolder } from "../dataset/support.ts"

const said = Effect.acquireRelease(
  Effect.sync(() => {
    const { write } = process.stderr
    const lines: Array<string> = []
    process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof write
    return { lines, write }
  }),
  ({ write }) =>
    Effect.sync(() => {
      process.stderr.write = write
    })
)

describe("a command that judges notes", () => {
  it.effect("says now and then on standard error how far it is, from when it begins", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { lines } = yield* said
        yield* judging(
          { store: Option.some(join(folder, "store.sqlite")), patience: Option.none() },
          Effect.fnUntraced(function* ({ begin }) {
            const progress = yield* CurrentProgress
            Object.assign(progress, { label: "a batch of the holdout", done: 40, total: 120 })
            yield* TestClock.adjust("2 minutes")
            assert.deepStrictEqual(lines, [])
            yield* begin
            yield* TestClock.adjust("2 minutes")
          })
        )
        assert.isNotEmpty(lines)
        for (const line of lines) assert.match(line, /a batch of the holdout.*40\/120/)
        const { length } = lines
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(lines.length, length)
      }).pipe(Effect.scoped)
    )
  )
})
