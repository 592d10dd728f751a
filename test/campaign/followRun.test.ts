import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { followRun } from "../../src/campaign/followRun.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { acquire } from "../../src/store/RunLock.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer } from "../../src/store/store.ts"
import { galleryEvents } from "../terminal/gallery.ts"

const folder = mkdtempSync(join(tmpdir(), "assize-follow-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened = (name: string) =>
  Effect.gen(function* () {
    const file = join(folder, `${name}.sqlite`)
    const writer = yield* Layer.build(layer(file))
    const reader = yield* Layer.build(layer(file))
    const [started] = galleryEvents
    if (started?._tag !== "started") throw new Error("a run starts with its settings")
    const run = yield* Context.get(writer, Runs).create({ campaignFile: "/nowhere.yaml", settings: started.settings })
    const locks = join(folder, `${name}-locks`)
    const follow = yield* followRun(run, locks).pipe(Effect.provide(reader))
    const append = (from: number, to: number) =>
      Context.get(writer, EventLog).appendAll(run.id, from, galleryEvents.slice(from, to))
    return { append, follow, locks, reader, run }
  })

describe("followRun", () => {
  it.effect("gives each event once, in order, however many there are", () =>
    Effect.gen(function* () {
      const { append, follow } = yield* opened("events")
      assert.deepStrictEqual((yield* follow.look).events, [])
      yield* append(0, 5)
      const first = yield* follow.look
      assert.deepStrictEqual(
        first.events.map(({ event }) => event),
        galleryEvents.slice(0, 5)
      )
      assert.deepStrictEqual(yield* follow.look, { events: [], process: null, written: false })
      yield* append(5, galleryEvents.length)
      assert.deepStrictEqual(
        (yield* follow.look).events.map(({ event }) => event),
        galleryEvents.slice(5)
      )
    }).pipe(Effect.scoped)
  )

  it.effect("knows by the lock whether a process runs it", () =>
    Effect.gen(function* () {
      const { follow, locks, run } = yield* opened("lock")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const lock = yield* acquire({ folder: locks, campaign: "gallery", campaignFile: run.campaignFile })
          // Until the holder has named a run, it may be running another.
          assert.strictEqual((yield* follow.look).process, null)
          yield* lock.name(run.id)
          assert.strictEqual((yield* follow.look).process, process.pid)
        })
      )
      assert.strictEqual((yield* follow.look).process, null)
    }).pipe(Effect.scoped)
  )

  it.effect("cannot write", () =>
    Effect.gen(function* () {
      const { reader } = yield* opened("readonly")
      const sql = Context.get(reader, SqlClient.SqlClient)
      const error = yield* Effect.flip(sql`DELETE FROM runs`)
      assert.include(String((error.reason.cause as Error).message), "readonly")
    }).pipe(Effect.scoped)
  )
})
