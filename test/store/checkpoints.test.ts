import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeCheckpoints } from "../../src/store/checkpoints.ts"
import * as sqlite from "../../src/store/sqlite.ts"

const inFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-checkpoints-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const soon = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 20)))

describe("checkpoints", () => {
  it.live("bring what is written into the file while the store is open, and what comes later", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { statement } = yield* sqlite.Statements
        const file = join(folder, "store.sqlite")
        yield* statement("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)").run()
        const insert = statement("INSERT INTO t VALUES (?, ?)")
        const write = (from: number) =>
          Effect.forEach(
            Array.from({ length: 4000 }, (_, n) => from + n),
            (n) => insert.run(n, "x".repeat(200)),
            { discard: true }
          )
        for (const from of [0, 4000]) {
          const before = statSync(file).size
          yield* write(from)
          // It is all in the log until somebody writes it back.
          while (statSync(file).size === before) yield* soon
        }
      }).pipe(Effect.provide(sqlite.layer(join(folder, "store.sqlite")), { local: true }))
    )
  )

  it.live("are left to SQLite where the thread cannot work, and disturb nobody", () =>
    inFolder((folder) =>
      Effect.scoped(
        Effect.gen(function* () {
          const written = yield* makeCheckpoints(folder)
          for (let n = 0; n < 20_000; n++) {
            written()
            if (n % 2000 === 0) yield* soon
          }
        })
      )
    )
  )

  it.live("under way when the store is closed are waited for", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = join(folder, "store.sqlite")
        yield* Effect.gen(function* () {
          const { statement } = yield* sqlite.Statements
          yield* statement("CREATE TABLE t (n INTEGER)").run()
          const insert = statement("INSERT INTO t VALUES (?)")
          for (let n = 0; n < 3001; n++) yield* insert.run(n)
        }).pipe(Effect.provide(sqlite.layer(file), { local: true }))
        const again = new DatabaseSync(file)
        assert.strictEqual(Number(again.prepare("SELECT count(*) AS n FROM t").get()!.n), 3001)
        assert.strictEqual(again.prepare("PRAGMA integrity_check").get()!.integrity_check, "ok")
        again.close()
      })
    )
  )
})
