import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { earlierSearches } from "../../src/campaign/auditRun.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { type Run, Runs } from "../../src/store/Runs.ts"

const [seed, found, added] = ["a", "b", "c"].map((letter) => letter.repeat(12)) as [string, string, string]
const born = (id: string, origin: string) => ({
  _tag: "candidate",
  candidate: { id, name: id, origin, parents: [], iteration: 0, instructions: { judge: `Text of ${id}.` } }
})
const evaluated = (candidate: string) => ({ _tag: "evaluated", candidate, outcomes: {}, figures: { failed: 0 } })
const settings = (split: string, branch?: { readonly run: string; readonly candidates: ReadonlyArray<string> }) => ({
  judge: { design: "whole-note-score" },
  search: {},
  split,
  ...(branch === undefined ? {} : { branch })
})
const started = { _tag: "started", settings: settings("s"), acceptance: { items: [], clean: [], pairs: [], lone: [] } }
const logs: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "first-1": [
    started,
    born(seed, "seed"),
    evaluated(seed),
    born(found, "reflection"),
    evaluated(found),
    born(added, "human"),
    evaluated(added)
  ]
}

const runOf = (id: string, created: number, of: ReturnType<typeof settings>) =>
  ({ id, created, settings: of }) as unknown as Run

const of = (candidates: ReadonlyArray<string>, from: Partial<{ run: string; split: string; created: number }> = {}) => {
  const { created = 2, run = "first-1", split = "s" } = from
  const first = runOf("first-1", 1, settings("s"))
  return earlierSearches(runOf("branch-1", created, settings(split, { run, candidates }))).pipe(
    Effect.map(({ searched, seeds }) => [[...searched], seeds]),
    Effect.provideService(
      Runs,
      Runs.of({
        find: (id: string) => Effect.succeed(id === "first-1" ? Option.some(first) : Option.none())
      } as unknown as Runs["Service"])
    ),
    Effect.provideService(
      EventLog,
      EventLog.of({
        read: (id: string) => Stream.fromIterable((logs[id] ?? []).map((event) => ({ event })))
      } as unknown as EventLog["Service"])
    )
  )
}

describe("the searches before a branch", () => {
  it.effect("made what is no seed of theirs; their seeds alone excuse what was there before", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* of([seed, found, added]), [[found, added], [`Text of ${seed}.`]])
    })
  )

  it.effect("were on other data where their split is another one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* of([found], { split: "other" }), [[], []])
    })
  )

  it.effect("excuse nothing where the store does not have the run that is meant", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* of([found], { run: "gone-1" }), [[found], []])
      assert.deepStrictEqual(yield* of([found], { created: 0 }), [[found], []])
      assert.deepStrictEqual(yield* of(["d".repeat(12)]), [["d".repeat(12)], []])
    })
  )
})
