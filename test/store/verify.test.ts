import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import { sha256 } from "../../src/domain/hash.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { Confirmations } from "../../src/store/Confirmations.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { JudgementStore, type StoredReply } from "../../src/store/JudgementStore.ts"
import { Runs } from "../../src/store/Runs.ts"
import * as sqlite from "../../src/store/sqlite.ts"
import * as store from "../../src/store/store.ts"
import { verifyStore } from "../../src/store/verify.ts"
import { toFirstVersion } from "./firstVersion.ts"
import { iterationEvent, newRun, settings } from "./fixtures.ts"

const reply: StoredReply = {
  text: '{"score": 7}',
  finish: "stop",
  usage: { input: 100, cachedInput: 40, output: 9, reasoning: 2 },
  servedModel: "lexical-1",
  cost: 0.5,
  latencyMs: 12
}
const started: RunEvent = { _tag: "started", settings, acceptance: { items: [], clean: [], pairs: [], lone: [] } }
const locks = mkdtempSync(join(tmpdir(), "assize-locks-"))

/** Requests of the store below: each key is the hash of its request. */
const request = (n: number) => JSON.stringify({ n })
const keyOf = (n: number) => sha256(request(n))

/** A store with one run of four events, three answers and one call that was never settled. */
const fill = Effect.gen(function* () {
  const { id } = yield* (yield* Runs).create(newRun)
  const log = yield* EventLog
  const judgements = yield* JudgementStore
  yield* log.append(id, 0, started)
  for (const n of [1, 2, 3]) yield* log.append(id, n, iterationEvent(n))
  for (const n of [0, 1, 2]) yield* judgements.put(keyOf(n), request(n), reply)
  yield* (yield* Confirmations).keep({ opening: "opened", run: id, split: "s", preregistration: "p", readOut: "{}" })
  yield* (yield* CallLog).sent({ run: id, role: "judge", key: keyOf(0), charge: { tokens: 1, usd: 0 } })
})
const run = "quick-start-1"

const damaged = (statement: string) =>
  Effect.gen(function* () {
    yield* fill
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe("PRAGMA foreign_keys = OFF")
    if (statement !== "") yield* sql.unsafe(statement)
    return yield* verifyStore("store.sqlite", locks)
  }).pipe(Effect.provide(store.layer(":memory:"), { local: true }))

describe("verifyStore", () => {
  it.effect("finds nothing wrong with a store as it was written, and says which calls were never settled", () =>
    Effect.gen(function* () {
      const found = yield* damaged("")
      assert.deepStrictEqual(found.damage, [])
      assert.deepStrictEqual(found.checked, { judgements: 3, runs: 1, events: 4, calls: 1, confirmations: 1 })
      assert.strictEqual(found.remarks.length, 1)
      assert.include(found.remarks[0], `1 call of run ${run} sent and never settled`)
    })
  )

  const judgement = `judgement ${keyOf(1)}`
  const where = `WHERE key = '${keyOf(1)}'`
  const payload = JSON.stringify(iterationEvent(9))
  const changes: ReadonlyArray<readonly [statement: string, row: string, what: string]> = [
    [`UPDATE judgements SET text = 'ten' ${where}`, judgement, "does not match its checksum"],
    [`UPDATE judgements SET finish = 'length' ${where}`, judgement, "does not match its checksum"],
    [`UPDATE judgements SET request = '{}' ${where}`, judgement, "is not filed under the hash of its request"],
    ["UPDATE events SET payload = 'x' WHERE sequence = 2", `event 2 of run ${run}`, "does not match its checksum"],
    [`UPDATE events SET payload = '${payload}' WHERE sequence = 2`, `event 2 of run ${run}`, "does not match"],
    ["UPDATE events SET time = time + 1 WHERE sequence = 3", `event 3 of run ${run}`, "does not match its checksum"],
    ["UPDATE events SET type = 'decided' WHERE sequence = 3", `event 3 of run ${run}`, "is filed as decided"],
    ["UPDATE events SET payload = '{}', sha256 = NULL WHERE sequence = 2", `event 2 of run ${run}`, "cannot be read"],
    ["DELETE FROM events WHERE sequence = 2", `event 2 of run ${run}`, "missing"],
    ["DELETE FROM events WHERE sequence < 2", `events 0 to 1 of run ${run}`, "missing"],
    ["UPDATE runs SET settings = '{'", `run ${run}`, "has unreadable settings"],
    [
      "UPDATE runs SET settings = json_set(settings, '$.search.seed', 12)",
      `run ${run}`,
      "has settings that do not match their checksum"
    ],
    ["UPDATE confirmations SET read_out = '[]'", "confirmation opened", "does not match its checksum"],
    ["UPDATE calls SET outcome = 'o k'", `1 call of run ${run}`, 'has an outcome that cannot be, "o k"'],
    ["UPDATE calls SET run = 'nobody-1'", "row 1 of calls", "belongs to a row of runs that is not there"]
  ]
  it.effect.each(changes)("names what is damaged by %s", ([statement, row, what]) =>
    Effect.gen(function* () {
      const { damage } = yield* damaged(statement)
      assert.strictEqual(damage.length, 1, JSON.stringify(damage))
      assert.strictEqual(damage[0]!.row, row)
      assert.include(damage[0]!.what, what)
    })
  )

  it.effect("names all damaged rows, not the first only", () =>
    Effect.gen(function* () {
      const { damage } = yield* damaged("UPDATE judgements SET sha256 = ''")
      assert.deepStrictEqual(
        damage.map(({ row }) => row),
        [0, 1, 2].map((n) => `judgement ${keyOf(n)}`)
      )
    })
  )

  it.effect("finds a damaged page of the file, and goes on to what can be read", () =>
    Effect.gen(function* () {
      const file = join(mkdtempSync(join(tmpdir(), "assize-")), "store.sqlite")
      yield* fill.pipe(Effect.provide(store.layer(file), { local: true }))
      const database = new DatabaseSync(file)
      const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").get() as {
        readonly rootpage: number
      }
      const { page_size: size } = database.prepare("PRAGMA page_size").get() as { readonly page_size: number }
      database.close()
      const bytes = readFileSync(file)
      bytes.fill(0xa5, (page.rootpage - 1) * size, page.rootpage * size)
      writeFileSync(file, bytes)
      const found = yield* verifyStore(file, locks).pipe(Effect.provide(sqlite.layer(file), { local: true }))
      assert.isTrue(found.damage.some(({ kind }) => kind === "file"))
      assert.isTrue(found.damage.some(({ row }) => row === "the tables of runs and events"))
      assert.strictEqual(found.checked.judgements, 3)
    })
  )
})

describe("events of a store of version 1", () => {
  it.effect("are read without checksums, and later ones with", () =>
    Effect.gen(function* () {
      const file = join(mkdtempSync(join(tmpdir(), "assize-")), "store.sqlite")
      yield* fill.pipe(Effect.provide(store.layer(file), { local: true }))
      toFirstVersion(file)
      const asItIs = yield* verifyStore(file, locks).pipe(Effect.provide(sqlite.layer(file), { local: true }))
      assert.deepStrictEqual(asItIs.damage, [])
      assert.isTrue(asItIs.remarks.some((remark) => remark.startsWith("4 events from before")))
      yield* Effect.gen(function* () {
        const log = yield* EventLog
        yield* log.append(run, 4, iterationEvent(4))
        assert.strictEqual((yield* Stream.runCollect(log.read(run))).length, 5)
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE events SET time = 77 WHERE sequence = 4`
        const error = yield* Effect.flip(Stream.runCollect(log.read(run)))
        assert.include(error.message, `event 4 of run ${run} does not match its checksum`)
      }).pipe(Effect.provide(store.layer(file), { local: true }))
    })
  )
})

describe("CorruptStore", () => {
  it.effect("says what to do: damaged answers can be bought anew, damaged logs cannot", () =>
    Effect.gen(function* () {
      yield* fill
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE judgements SET text = ''`
      yield* sql`UPDATE events SET payload = '{}'`
      const answer = yield* Effect.flip((yield* JudgementStore).get(keyOf(0)))
      assert.include(answer.message, "assize store verify")
      assert.include(answer.message, "assize store prune --corrupt")
      const log = yield* Effect.flip(Stream.runCollect((yield* EventLog).read(run)))
      assert.include(log.message, "assize store verify")
      assert.include(log.message, "assize run --new")
    }).pipe(Effect.provide(store.layer(":memory:"), { local: true }))
  )
})
