import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { Finish, type Usage } from "../../src/model/LanguageModel.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { JudgementStore, type StoredReply } from "../../src/store/JudgementStore.ts"
import { Runs } from "../../src/store/Runs.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import * as store from "../../src/store/store.ts"
import { Uses } from "../../src/store/Uses.ts"
import { toFirstVersion } from "./firstVersion.ts"
import { newRun } from "./fixtures.ts"

const folder = () => mkdtempSync(join(tmpdir(), "assize-"))
const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, store.layer(":memory:"))
const newRunId = Runs.use((runs) => runs.create(newRun)).pipe(Effect.map(({ id }) => id))

const reply: StoredReply = {
  text: '{"score": 7}',
  finish: "stop",
  usage: { input: 100, cachedInput: 40, output: 9, reasoning: 2 },
  servedModel: "lexical-1",
  cost: 0.00123,
  latencyMs: 12
}

describe("store file", () => {
  const opened = (file: string) => Effect.flip(Layer.build(store.layer(file))).pipe(Effect.scoped)

  it.effect("says that a file is no store, and leaves it as it is", () =>
    Effect.gen(function* () {
      const file = join(folder(), "notes.txt")
      const text = "This is a letter to the surgery. ".repeat(50)
      writeFileSync(file, text)
      const error = yield* opened(file)
      assert.strictEqual(error._tag, "InputError")
      assert.strictEqual(
        error.message,
        `${file}: this file is not a store: it is no SQLite database. Name another file with --store`
      )
      assert.strictEqual(readFileSync(file, "utf8"), text)
    })
  )

  it.effect("says that a folder, or a path below a file, cannot be a store", () =>
    Effect.gen(function* () {
      const path = folder()
      mkdirSync(join(path, "store.sqlite"))
      writeFileSync(join(path, "file"), "")
      for (const file of [join(path, "store.sqlite"), join(path, "file", "store.sqlite")]) {
        const error = yield* opened(file)
        assert.strictEqual(error._tag, "InputError")
        assert.include(error.message, `${file}: the store cannot be opened`)
      }
    })
  )

  it.effect("refuses a store that a later version wrote", () =>
    Effect.gen(function* () {
      const file = join(folder(), "store.sqlite")
      yield* Effect.scoped(Layer.build(store.layer(file)))
      const database = new DatabaseSync(file)
      database.exec("INSERT INTO migrations (migration_id, name) VALUES (99, 'later')")
      database.close()
      assert.match(
        (yield* opened(file)).message,
        /was written by a later version of assize \(found store version 99; expected at most \d+\)/
      )
    })
  )

  it.effect("brings a store of the first version up to date, and its answers still match their checksums", () =>
    Effect.gen(function* () {
      const file = join(folder(), "store.sqlite")
      yield* JudgementStore.use((judgements) => judgements.put("k", "{}", reply)).pipe(
        Effect.provide(store.layer(file))
      )
      toFirstVersion(file)
      const stored = yield* JudgementStore.use((judgements) => judgements.get("k")).pipe(
        Effect.provide(store.layer(file))
      )
      assert.deepStrictEqual(stored, reply)
    })
  )

  it.live("is shared by processes that make and write it at the same time", () =>
    Effect.gen(function* () {
      const file = join(folder(), "store.sqlite")
      const source = (name: string) => JSON.stringify(join(import.meta.dirname, "../../src/store", name))
      const code = (n: number) => `
        import * as Effect from "effect/Effect"
        import * as store from ${source("store.ts")}
        import { JudgementStore } from ${source("JudgementStore.ts")}
        const reply = { text: "${n}", finish: "stop", usage: null, servedModel: null, cost: null, latencyMs: 1 }
        const put = (key) => JudgementStore.use((judgements) => judgements.put(key, "{}", reply))
        const write = Effect.forEach(Array.from({ length: 100 }), (_, i) => Effect.andThen(put("own-${n}-" + i), put("shared-" + i)))
        await Effect.runPromise(Effect.provide(write, store.layer(${JSON.stringify(file)})))`
      const writer = (n: number) =>
        Effect.callback<number | null>((resume) => {
          spawn(process.execPath, ["--input-type=module", "-e", code(n)], {
            cwd: import.meta.dirname,
            stdio: "inherit"
          }).on("exit", (status) => resume(Effect.succeed(status)))
        })
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], writer, { concurrency: "unbounded" }), [0, 0, 0])
      const count = yield* JudgementStore.use((judgements) => judgements.count).pipe(Effect.provide(store.layer(file)))
      assert.strictEqual(count, 400)
    })
  )
})

describe("a store that cannot be written", () => {
  it.effect.each([
    ["PRAGMA max_page_count = 1", "The disk is full: make room"],
    ["PRAGMA query_only = ON", "Allow writing to the store's file and folder"]
  ])("says so, and what to do: %s", ([pragma, advice]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(pragma!)
      const large = { ...reply, text: "x".repeat(1_000_000) }
      const error = yield* Effect.flip((yield* JudgementStore).put("k", "{}", large))
      assert.strictEqual(error._tag, "StoreError")
      assert.include(error.message, advice!)
      assert.include(error.message, "run the same command again")
    }).pipe(memory)
  )
})

describe("JudgementStore", () => {
  const usage = fc.option(
    fc
      .record({
        input: fc.nat(1e9),
        cachedInput: fc.nat(1e9),
        output: fc.nat(1e9),
        reasoning: fc.nat(1e9),
        more: fc.constantFrom({}, { cacheWrite: 7 }, { estimated: true }, { cacheWrite: 0, estimated: true })
      })
      .map(({ more, ...usage }) => ({ ...usage, ...more })) as fc.Arbitrary<Usage>
  )
  const replies: fc.Arbitrary<StoredReply> = fc.record({
    text: fc
      .string({ unit: "grapheme" })
      .chain((text) => fc.constantFrom(text, `${text}\u0000${text}`, `\uFEFF${text}\r\n`)),
    finish: fc.constantFrom(...Finish.literals),
    usage,
    servedModel: fc.option(fc.string({ unit: "grapheme" })),
    cost: fc.option(fc.double({ min: 0, max: 1e3, noNaN: true })),
    latencyMs: fc.nat(1e7)
  })

  it.effect("gives back exactly what was put, for any text", () =>
    Effect.gen(function* () {
      const judgements = yield* JudgementStore
      for (const [index, one] of fc.sample(replies, 200).entries()) {
        yield* judgements.put(`key-${index}`, "{}", one)
        const stored = yield* judgements.get(`key-${index}`)
        assert.deepStrictEqual(JSON.stringify(stored), JSON.stringify(one))
      }
    }).pipe(memory)
  )

  it.effect("knows nothing of a key under which nothing was bought", () =>
    JudgementStore.use((judgements) => judgements.get("nothing")).pipe(
      Effect.map((stored) => assert.isUndefined(stored)),
      memory
    )
  )

  it.effect("lets the first answer stand", () =>
    Effect.gen(function* () {
      const judgements = yield* JudgementStore
      assert.deepStrictEqual(yield* judgements.put("k", "{}", reply), reply)
      assert.deepStrictEqual(yield* judgements.put("k", "{}", { ...reply, text: "other" }), reply)
      assert.deepStrictEqual(yield* judgements.get("k"), reply)
      assert.strictEqual(yield* judgements.count, 1)
    }).pipe(memory)
  )

  it.effect.each([
    "text = '{\"score\": 9}'",
    "finish = 'length'",
    "finish = 'nonsense'",
    "input = 7",
    "served_model = 'other'",
    "text = CAST(x'ff00' AS TEXT)",
    "sha256 = ''",
    "key = 'elsewhere'"
  ])("never gives a damaged answer: SET %s", (change) =>
    Effect.gen(function* () {
      const judgements = yield* JudgementStore
      const sql = yield* SqlClient.SqlClient
      yield* judgements.put("k", "{}", reply)
      yield* sql.unsafe(`UPDATE judgements SET ${change}`)
      const error = yield* Effect.flip(judgements.get(change.startsWith("key") ? "elsewhere" : "k"))
      assert.strictEqual(error._tag, "CorruptStore")
      assert.include(error.message, "the store is damaged: judgement")
    }).pipe(memory)
  )
})

describe("CallLog", () => {
  it.effect("counts calls that were sent and never settled at what was reserved, and unsent ones not at all", () =>
    Effect.gen(function* () {
      const calls = yield* CallLog
      const run = yield* newRunId
      assert.deepStrictEqual(yield* calls.spent(run), { calls: 0, tokens: 0, usd: 0 })
      const sent = (role: "judge" | "reflection", tokens: number, usd: number | null) =>
        calls.sent({ run, role, key: "k", charge: { tokens, usd } })
      const settled = { usage: null, cost: null, charge: { tokens: 0, usd: 0 }, latencyMs: 5 }
      yield* sent("judge", 1000, 0.5)
      yield* calls.settle(yield* sent("judge", 1000, 0.5), {
        outcome: "ok",
        usage: reply.usage,
        cost: 0.25,
        charge: { tokens: 109, usd: 0.25 },
        latencyMs: 5
      })
      yield* calls.settle(yield* sent("judge", 1000, 0.5), { ...settled, outcome: "rate-limited" })
      yield* calls.settle(yield* sent("judge", 1000, 0.5), { ...settled, outcome: "no-key" })
      yield* calls.settle(yield* sent("judge", 1000, 0.5), { ...settled, outcome: "unreachable" })
      yield* calls.settle(yield* sent("reflection", 70, null), {
        ...settled,
        outcome: "ok",
        charge: { tokens: 70, usd: null }
      })
      yield* calls.settle(yield* sent("reflection", 70, null), {
        ...settled,
        usage: { input: 50, cachedInput: 0, output: 20, reasoning: 0, estimated: true },
        outcome: "empty",
        charge: { tokens: 70, usd: null }
      })
      assert.deepStrictEqual({ ...(yield* calls.spent(run)) }, { calls: 5, tokens: 1249, usd: 0.75 })
      const nothing = { calls: 0, input: 0, output: 0, usd: 0 }
      const unread = { cachedInput: 0, cacheWrite: 0, reasoning: 0 }
      assert.deepStrictEqual(yield* calls.usage(run), [
        {
          role: "judge",
          sent: 3,
          answered: 1,
          failed: 1,
          unsettled: 1,
          unreached: 1,
          reported: { calls: 1, usd: 0.25, cacheWrite: 0, ...reply.usage! },
          estimated: nothing,
          usd: 0.25,
          unpriced: 0,
          outcomes: { ok: 1, "rate-limited": 1, "no-key": 1, unreachable: 1 }
        },
        {
          role: "reflection",
          sent: 2,
          answered: 2,
          failed: 0,
          unsettled: 0,
          unreached: 0,
          reported: { ...nothing, ...unread, calls: 1, usd: null },
          estimated: { calls: 1, input: 50, output: 20, usd: null },
          usd: null,
          unpriced: 2,
          outcomes: { empty: 1, ok: 1 }
        }
      ])
    }).pipe(memory)
  )
})

describe("Sessions", () => {
  it.effect("adds up the time of all sessions, each as far as it was seen", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const run = yield* newRunId
      const first = yield* sessions.open(run)
      yield* TestClock.adjust(5000)
      yield* sessions.seen(first)
      yield* TestClock.adjust(60_000)
      const second = yield* sessions.open(run)
      assert.strictEqual(second.earlierMs, 5000)
      yield* TestClock.adjust(3000)
      yield* sessions.seen(second)
      assert.strictEqual(yield* sessions.elapsed(run), 8000)
    }).pipe(memory)
  )
})

describe("Uses", () => {
  it.effect("notes each use once and reads all of them with their answers, in order", () =>
    Effect.gen(function* () {
      const uses = yield* Uses
      const judgements = yield* JudgementStore
      const run = yield* newRunId
      const many = Array.from({ length: 450 }, (_, n) => ({
        role: "judge" as const,
        candidate: "0123456789ab",
        item: `c${String(n).padStart(3, "0")}/n`,
        sample: 0,
        key: `k${n}`
      }))
      yield* Effect.forEach(many, ({ key }) => judgements.put(key, "{}", reply))
      yield* uses.note(run, many)
      yield* uses.note(run, many.slice(0, 10))
      assert.strictEqual(yield* uses.count(run, "judge"), 450)
      const read = yield* Stream.runCollect(uses.read(run))
      assert.deepStrictEqual(
        read.map(({ key, text }) => [key, text]),
        many.map(({ key }) => [key, reply.text])
      )
    }).pipe(memory)
  )
})
