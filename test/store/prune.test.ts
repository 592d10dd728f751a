import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { sha256 } from "../../src/domain/hash.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { Confirmations } from "../../src/store/Confirmations.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { JudgementStore } from "../../src/store/JudgementStore.ts"
import { type PruneWhat, prunePlan, pruneStore } from "../../src/store/prune.ts"
import { Runs } from "../../src/store/Runs.ts"
import { storeStats } from "../../src/store/stats.ts"
import * as store from "../../src/store/store.ts"
import { Uses } from "../../src/store/Uses.ts"
import { iterationEvent, newRun } from "./fixtures.ts"

const day = 86_400_000
const keyOf = (name: string) => sha256(JSON.stringify(name))
const stopped: RunEvent = { _tag: "stopped", reason: "iterations", detail: "", iteration: 1, winner: null }
const spent = { usage: null, cost: null, charge: { tokens: 0, usd: 0 }, latencyMs: 1 }

/**
 * Answers `finished` (of a finished run), `shared` (of both), `open` (of an unfinished one), `bought` (bought by the
 * unfinished one and not noted yet), `scored` (of no run, price unknown) and, 100 days later, `new`.
 */
const fill = Effect.gen(function* () {
  const judgements = yield* JudgementStore
  const runs = yield* Runs
  const log = yield* EventLog
  const uses = yield* Uses
  const calls = yield* CallLog
  const put = (name: string, cost: number | null) =>
    judgements.put(keyOf(name), JSON.stringify(name), {
      text: "answer ".repeat(2000),
      finish: "stop",
      usage: cost === null ? null : { input: 10, cachedInput: 0, output: 5, reasoning: 0 },
      servedModel: null,
      cost,
      latencyMs: 1
    })
  const use = (run: string, name: string) =>
    uses.note(run, [{ role: "judge", candidate: "c", item: name, sample: 0, key: keyOf(name) }])
  for (const [index, name] of ["finished", "shared", "open", "bought"].entries()) yield* put(name, index + 1)
  yield* put("scored", null)
  const finished = yield* runs.create(newRun)
  yield* log.append(finished.id, 0, iterationEvent(1))
  yield* log.append(finished.id, 1, stopped)
  const open = yield* runs.create(newRun)
  yield* log.append(open.id, 0, iterationEvent(1))
  yield* Effect.forEach(["finished", "shared"], (name) => use(finished.id, name))
  yield* Effect.forEach(["shared", "open"], (name) => use(open.id, name))
  const buy = (run: string, name: string) =>
    Effect.flatMap(calls.sent({ run, role: "judge", key: keyOf(name), charge: { tokens: 0, usd: 0 } }), (id) =>
      calls.settle(id, { ...spent, outcome: "ok" })
    )
  yield* Effect.forEach(["finished", "shared"], (name) => buy(finished.id, name))
  yield* Effect.forEach(["open", "bought"], (name) => buy(open.id, name))
  yield* TestClock.adjust(100 * day)
  yield* put("new", 8)
})

const left = Effect.map(
  SqlClient.SqlClient.use((sql) => sql<{ readonly request: string }>`SELECT request FROM judgements ORDER BY rowid`),
  (rows) => rows.map(({ request }) => JSON.parse(request) as string)
)

const scratch = () => mkdtempSync(join(tmpdir(), "assize-"))
const inFile = <A, E>(use: (file: string, locks: string) => Effect.Effect<A, E, store.Store>) => {
  const folder = scratch()
  const file = join(folder, "store.sqlite")
  return Effect.andThen(fill, use(file, join(folder, "locks"))).pipe(Effect.provide(store.layer(file), { local: true }))
}

const pruned = (what: PruneWhat, force = false) =>
  inFile((file, locks) =>
    Effect.gen(function* () {
      const plan = yield* prunePlan({ what, force, locks })
      const { bytesAfter, bytesBefore } = yield* pruneStore(file, plan)
      return { plan, left: yield* left, freed: bytesBefore - bytesAfter }
    })
  )

describe("prune", () => {
  it.effect("takes old answers and leaves those that an unfinished run rests on, noted or only bought", () =>
    Effect.gen(function* () {
      const found = yield* pruned({ _tag: "answers", olderThanMs: 90 * day, unused: false })
      assert.deepStrictEqual(found.left, ["shared", "open", "bought", "new"])
      assert.deepStrictEqual(found.plan, {
        judgements: 2,
        usd: 1,
        priceUnknown: 1,
        runs: [],
        events: 0,
        kept: { judgements: 3, runs: ["quick-start-2"] }
      })
      assert.isAbove(found.freed, 0)
    })
  )

  it.effect("takes answers that no run uses, the old ones of them, or all old ones by force", () =>
    Effect.gen(function* () {
      const unused = yield* pruned({ _tag: "answers", unused: true })
      assert.deepStrictEqual(unused.left, ["finished", "shared", "open", "bought"])
      const both = yield* pruned({ _tag: "answers", olderThanMs: 90 * day, unused: true })
      assert.deepStrictEqual(both.left, ["finished", "shared", "open", "bought", "new"])
      const forced = yield* pruned({ _tag: "answers", olderThanMs: 90 * day, unused: false }, true)
      assert.deepStrictEqual(forced.left, ["new"])
      assert.strictEqual(forced.plan.usd, 10)
    })
  )

  it.effect("takes a finished run with its log, its calls, and the answers that no other run uses", () =>
    inFile((file, locks) =>
      Effect.gen(function* () {
        const plan = yield* prunePlan({ what: { _tag: "run", id: "quick-start-1" }, force: false, locks })
        assert.deepStrictEqual([plan.judgements, plan.usd, plan.events], [1, 1, 2])
        yield* pruneStore(file, plan)
        assert.deepStrictEqual(yield* left, ["shared", "open", "bought", "scored", "new"])
        const stats = yield* storeStats(file, locks)
        assert.deepStrictEqual([stats.runs.count, stats.events.count, stats.calls.count], [1, 1, 2])
      })
    )
  )

  it.effect("refuses to take an unfinished run, unless forced, and an unknown one", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(pruned({ _tag: "run", id: "quick-start-2" }))
      assert.include(error.message, "run quick-start-2 is not finished")
      const forced = yield* pruned({ _tag: "run", id: "quick-start-2" }, true)
      assert.deepStrictEqual(forced.left, ["finished", "shared", "scored", "new"])
      assert.include((yield* Effect.flip(pruned({ _tag: "run", id: "nobody" }))).message, "there is no such run")
    })
  )

  it.effect("takes damaged answers, also those that an unfinished run rests on, and nothing else", () =>
    inFile((file, locks) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE judgements SET text = '' WHERE key = ${keyOf("open")}`
        yield* sql`UPDATE judgements SET request = '{}' WHERE key = ${keyOf("scored")}`
        const plan = yield* prunePlan({ what: { _tag: "corrupt" }, force: false, locks })
        assert.strictEqual(plan.judgements, 2)
        yield* pruneStore(file, plan)
        assert.deepStrictEqual(yield* left, ["finished", "shared", "bought", "new"])
        assert.isUndefined(yield* (yield* JudgementStore).get(keyOf("open")))
      })
    )
  )
})

describe("answers that a read-out of a holdout rests on", () => {
  it.effect("stay, though old and of no run, unless forced", () =>
    inFile((file, locks) =>
      Effect.gen(function* () {
        const readOut = { opening: "o", run: "quick-start-1", split: "s", preregistration: "p", readOut: "{}" }
        const confirmations = yield* Confirmations
        yield* confirmations.note(readOut.opening, [keyOf("scored")])
        yield* confirmations.keep(readOut)
        const unused = yield* prunePlan({ what: { _tag: "answers", unused: true }, force: false, locks })
        assert.deepStrictEqual([unused.judgements, unused.usd], [1, 8])
        const old: PruneWhat = { _tag: "answers", unused: false, olderThanMs: 90 * day }
        const plan = yield* prunePlan({ what: old, force: false, locks })
        assert.deepStrictEqual(plan.kept, { judgements: 4, runs: ["quick-start-2"] })
        yield* pruneStore(file, plan)
        assert.deepStrictEqual(yield* left, ["shared", "open", "bought", "scored", "new"])
        yield* pruneStore(file, yield* prunePlan({ what: old, force: true, locks }))
        assert.deepStrictEqual(yield* left, ["new"])
      })
    )
  )
})

describe("storeStats", () => {
  it.effect("counts answers, money known and unknown, runs by how they stand, and what reuse has saved", () =>
    inFile((file, locks) =>
      Effect.gen(function* () {
        const stats = yield* storeStats(file, locks)
        const { byFinish, byModel, newest, oldest, ...judgements } = stats.judgements
        assert.deepStrictEqual(judgements, {
          count: 6,
          usd: 18,
          priceUnknown: 1,
          usageUnknown: 1,
          tokens: { input: 50, cachedInput: 0, output: 25, reasoning: 0 }
        })
        assert.strictEqual(newest! - oldest!, 100 * day)
        assert.deepStrictEqual(byFinish, [{ finish: "stop", judgements: 6 }])
        // The requests of this test name no model.
        assert.deepStrictEqual(
          byModel.map(({ asked, judgements: n }) => [asked, n]),
          [[null, 6]]
        )
        assert.deepStrictEqual(stats.runs, {
          count: 2,
          byStatus: [
            { status: "finished", runs: 1 },
            { status: "interrupted", runs: 1 }
          ]
        })
        assert.deepStrictEqual(stats.calls, { count: 4, byOutcome: [{ outcome: "ok", calls: 4 }] })
        assert.deepStrictEqual(stats.reuse, {
          uses: 4,
          used: 3,
          unused: { judgements: 3, usd: 12, priceUnknown: 1 },
          saved: { calls: 1, tokens: 15, usd: 2, priceUnknown: 0 }
        })
        assert.isAbove(stats.bytes.database, 0)
        assert.strictEqual(stats.bytes.total, stats.bytes.database + stats.bytes.log)
      })
    )
  )
})
