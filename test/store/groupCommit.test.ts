import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { type GroupCommit, makeGroupCommit } from "../../src/store/groupCommit.ts"
import * as sqlite from "../../src/store/sqlite.ts"

const withTable = <A, E>(use: (sql: SqlClient.SqlClient, commit: GroupCommit) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE t (n INTEGER PRIMARY KEY)`
    return yield* use(sql, makeGroupCommit(yield* sqlite.Statements))
  }).pipe(Effect.provide(sqlite.layer(":memory:"), { local: true }))

const numbers = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ readonly n: number }>`SELECT n FROM t ORDER BY n`, (rows) => rows.map(({ n }) => n))

describe("group commit", () => {
  it.effect("gives each write its own result, and lets one that fails fail alone", () =>
    withTable((sql, commit) =>
      Effect.gen(function* () {
        const insert = (n: number) => commit(Effect.as(sql`INSERT INTO t VALUES (${n})`, n))
        const exits = yield* Effect.forEach([1, 2, 2, 3], (n) => Effect.exit(insert(n)), { concurrency: "unbounded" })
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
        assert.deepStrictEqual(yield* numbers(sql), [1, 2, 3])
        assert.strictEqual(yield* insert(4), 4)
      })
    )
  )

  it.effect("fails all of them, and keeps none, when the commit fails; the next ones are not harmed", () =>
    withTable((sql, commit) =>
      Effect.gen(function* () {
        const end = commit(Effect.asVoid(Effect.andThen(sql`INSERT INTO t VALUES (1)`, sql`ROLLBACK`)))
        const exits = yield* Effect.all([Effect.exit(end), Effect.exit(commit(Effect.void))], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true])
        yield* commit(sql`INSERT INTO t VALUES (7)`)
        assert.deepStrictEqual(yield* numbers(sql), [7])
      })
    )
  )

  it.effect("keeps what is written because of a queued write with it or later", () =>
    withTable((sql, commit) =>
      Effect.gen(function* () {
        const order: Array<number> = []
        const write = (n: number, queued?: Effect.Effect<void>) =>
          commit(
            Effect.tap(sql`INSERT INTO t VALUES (${n})`, () => Effect.sync(() => order.push(n))),
            queued === undefined ? {} : { queued }
          )
        const later = Effect.asVoid(Effect.forkChild(write(1), { startImmediately: true }))
        yield* write(2, later)
        yield* write(3)
        assert.deepStrictEqual(order, [2, 1, 3])
      })
    )
  )

  it.effect("lets those go on first for whom something is sent, and the others once around the event loop later", () =>
    withTable((sql, commit) =>
      Effect.gen(function* () {
        const order: Array<string> = []
        const write = (n: number, first: boolean) =>
          Effect.map(commit(sql`INSERT INTO t VALUES (${n})`, { first }), () => {
            order.push(`${n}`)
            if (first) setImmediate(() => order.push(`${n} sent`))
          })
        yield* Effect.forEach([1, 2, 3, 4], (n) => write(n, n % 2 === 0), { concurrency: "unbounded" })
        assert.deepStrictEqual(order, ["2", "4", "2 sent", "4 sent", "1", "3"])
      })
    )
  )

  it.effect("lets nobody go on within the write of another", () =>
    withTable((sql, commit) =>
      Effect.gen(function* () {
        let done = 0
        const write = (n: number) => Effect.map(commit(sql`INSERT INTO t VALUES (${n})`), () => done++)
        const fibers = yield* Effect.forEach(
          Array.from({ length: 16 }, (_, n) => n),
          (n) => Effect.forkChild(write(n), { startImmediately: true })
        )
        const before = done
        assert.strictEqual(before, 0)
        yield* Effect.forEach(fibers, Fiber.join)
        assert.strictEqual(done, 16)
        assert.strictEqual((yield* numbers(sql)).length, 16)
      })
    )
  )
})
