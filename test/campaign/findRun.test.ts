import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { findRun } from "../../src/campaign/openRun.ts"
import { type Run, Runs } from "../../src/store/Runs.ts"

const found = (asked: string, ids: ReadonlyArray<string>) =>
  findRun(asked).pipe(
    Effect.map(({ id }) => id),
    Effect.catchTag("InputError", ({ message }) => Effect.succeed(message)),
    Effect.provideService(
      Runs,
      Runs.of({
        create: () => Effect.die("unused"),
        find: (id) => Effect.succeed(ids.includes(id) ? Option.some({ id } as Run) : Option.none()),
        list: () => Effect.succeed(ids.map((id) => ({ id }) as Run))
      })
    )
  )

describe("findRun", () => {
  it.effect("takes the beginning of one run, and names those that share one, no others", () =>
    Effect.gen(function* () {
      const ids = ["quick-2", "quick-1", "other-1"]
      assert.strictEqual(yield* found("o", ids), "other-1")
      assert.strictEqual(
        yield* found("quick", ids),
        '2 runs start with "quick": quick-2, quick-1 (expected the beginning of one only). assize runs list names them all'
      )
      const many = Array.from({ length: 12 }, (_, at) => `quick-${at}`)
      assert.include(yield* found("quick-", many), "12 runs start with")
      assert.include(yield* found("quick-", many), "quick-4 and 7 more")
      assert.include(
        yield* found("none", ids),
        'there is no run "none" in this store (expected one of quick-2, quick-1'
      )
    })
  )
})
