import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { EventLog } from "../../src/store/EventLog.ts"
import { Runs } from "../../src/store/Runs.ts"
import * as store from "../../src/store/store.ts"
import { iterationEvent, newRun, outcomesEvent, settings } from "./fixtures.ts"

const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, store.layer(":memory:"))

const newRunId = Runs.use((runs) => runs.create(newRun)).pipe(Effect.map(({ id }) => id))

describe("EventLog", () => {
  it.effect("gives back what was appended, in order, with its time", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const run = yield* newRunId
      const events = [iterationEvent(1), outcomesEvent(3), iterationEvent(2)]
      for (const [index, event] of events.entries()) {
        yield* TestClock.adjust(10)
        yield* log.append(run, index, event)
      }
      assert.deepStrictEqual(
        yield* Stream.runCollect(log.read(run)),
        events.map((event, sequence) => ({ sequence, time: 10 * (sequence + 1), event }))
      )
      assert.deepStrictEqual(
        (yield* Stream.runCollect(log.read(run, 1))).map(({ sequence }) => sequence),
        [1, 2]
      )
      assert.deepStrictEqual(yield* log.last(run), Option.some({ sequence: 2, time: 30, event: iterationEvent(2) }))
    }).pipe(memory)
  )

  it.effect("reads logs that are longer than a page, and empty ones", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const run = yield* newRunId
      assert.deepStrictEqual(yield* Stream.runCollect(log.read(run)), [])
      assert.deepStrictEqual(yield* log.last(run), Option.none())
      for (let n = 0; n < 250; n++) yield* log.append(run, n, iterationEvent(n))
      const read = yield* Stream.runCollect(log.read(run))
      assert.deepStrictEqual(
        read.map(({ sequence }) => sequence),
        Array.from({ length: 250 }, (_, n) => n)
      )
    }).pipe(memory)
  )

  it.effect("refuses a second event with the same number, naming run and number", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const run = yield* newRunId
      yield* log.append(run, 0, iterationEvent(1))
      const error = yield* Effect.flip(log.append(run, 0, iterationEvent(2)))
      assert.strictEqual(error._tag, "SequenceTaken")
      assert.include(error.message, "event 0 of run quick-start-1")
      assert.strictEqual((yield* Stream.runCollect(log.read(run))).length, 1)
    }).pipe(memory)
  )

  it.effect.each(["{not json", JSON.stringify({ _tag: "iteration", iteration: "one" })])(
    "takes the damaged row %s for no event",
    (payload) =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const sql = yield* SqlClient.SqlClient
        const run = yield* newRunId
        yield* log.append(run, 0, iterationEvent(1))
        yield* log.append(run, 1, iterationEvent(2))
        yield* sql`UPDATE events SET payload = ${payload} WHERE sequence = 1`
        const error = yield* Effect.flip(Stream.runCollect(log.read(run)))
        assert.strictEqual(error._tag, "CorruptStore")
        assert.include(error.message, "event 1 of run quick-start-1")
      }).pipe(memory)
  )

  it.effect("finds out that an event is missing", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const sql = yield* SqlClient.SqlClient
      const run = yield* newRunId
      for (let n = 0; n < 3; n++) yield* log.append(run, n, iterationEvent(n))
      yield* sql`DELETE FROM events WHERE sequence = 1`
      const error = yield* Effect.flip(Stream.runCollect(log.read(run)))
      assert.include(error.message, "event 1 of run quick-start-1 is missing")
    }).pipe(memory)
  )

  it.effect("lets two connections to one file see each other's events, and only one of them write each", () =>
    Effect.gen(function* () {
      const file = join(mkdtempSync(join(tmpdir(), "assize-")), "deep", "er", "store.sqlite")
      const open = Layer.build(Layer.fresh(store.layer(file)))
      const one = yield* open
      const other = yield* open
      const run = yield* newRunId.pipe(Effect.provideContext(one))
      const append = (sequence: number) => EventLog.use((log) => log.append(run, sequence, iterationEvent(sequence)))
      yield* append(0).pipe(Effect.provideContext(one))
      const conflict = yield* Effect.flip(append(0).pipe(Effect.provideContext(other)))
      assert.strictEqual(conflict._tag, "SequenceTaken")
      yield* append(1).pipe(Effect.provideContext(other))
      const read = yield* EventLog.use((log) => Stream.runCollect(log.read(run))).pipe(Effect.provideContext(one))
      assert.strictEqual(read.length, 2)
    })
  )
})

describe("Runs", () => {
  it.effect("numbers a campaign's runs and lists them newest first", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const log = yield* EventLog
      const first = yield* runs.create(newRun)
      yield* TestClock.adjust(1000)
      yield* runs.create({ campaignFile: "/elsewhere.yaml", settings: { ...settings, campaign: "患者" } })
      yield* runs.create(newRun)
      yield* log.append(first.id, 0, iterationEvent(0))
      assert.deepStrictEqual(
        (yield* runs.list()).map(({ id, events }) => [id, events]),
        [
          ["quick-start-2", 0],
          ["run-1", 0],
          ["quick-start-1", 1]
        ]
      )
      assert.deepStrictEqual(
        (yield* runs.list(newRun.campaignFile)).map(({ id }) => id),
        ["quick-start-2", "quick-start-1"]
      )
      assert.deepStrictEqual(yield* runs.find(first.id), Option.some({ ...first, events: 1, updated: 1000 }))
      assert.deepStrictEqual(yield* runs.find("quick-start-9"), Option.none())
    }).pipe(memory)
  )
})
