import { spawnSync } from "node:child_process"
import { hostname } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeClaims } from "../../src/store/claims.ts"
import { JudgementStore } from "../../src/store/JudgementStore.ts"
import * as store from "../../src/store/store.ts"

const memory = <A, E>(effect: Effect.Effect<A, E, store.Store>) =>
  Effect.provide(effect, store.layer(":memory:"), { local: true })

const claimedBy = (pid: number, host = hostname(), expires = 1000) =>
  SqlClient.SqlClient.use(
    (sql) => sql`INSERT INTO claims (key, owner, host, pid, expires) VALUES ('k', 'other', ${host}, ${pid}, ${expires})`
  )

/** A number that no process has any more. */
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid

describe("claims", () => {
  it.effect("let one buyer have a request at a time, the same one again, and the next one after it is given back", () =>
    Effect.gen(function* () {
      const one = yield* makeClaims
      const other = yield* makeClaims
      assert.isTrue(yield* one.take("k", 0, 1000))
      assert.isTrue(yield* one.take("k", 1, 1001))
      assert.isFalse(yield* other.take("k", 1, 1001))
      assert.isFalse(yield* other.isFree("k", 1))
      assert.isTrue(yield* other.take("another", 1, 1001))
      yield* other.release("k")
      assert.isFalse(yield* other.isFree("k", 1))
      yield* one.release("k")
      assert.isTrue(yield* other.isFree("k", 1))
      assert.isTrue(yield* other.take("k", 1, 1001))
    }).pipe(memory)
  )

  it.effect("are not to be had for what has been bought", () =>
    Effect.gen(function* () {
      const claims = yield* makeClaims
      const reply = { text: "", finish: "stop", usage: null, servedModel: null, cost: 0, latencyMs: 1 } as const
      yield* (yield* JudgementStore).put("k", "{}", reply)
      assert.isFalse(yield* claims.take("k", 0, 1000))
      assert.isTrue(yield* claims.isFree("k", 0))
    }).pipe(memory)
  )

  it.effect("go with their process, whatever their expiry", () =>
    Effect.gen(function* () {
      const claims = yield* makeClaims
      yield* claimedBy(deadPid())
      assert.isFalse(yield* claims.take("k", 0, 1000))
      assert.isTrue(yield* claims.isFree("k", 0))
      assert.isTrue(yield* claims.take("k", 0, 1000))
    }).pipe(memory)
  )

  it.effect("of an earlier process with this one's number are gone as well", () =>
    Effect.gen(function* () {
      const claims = yield* makeClaims
      yield* claimedBy(process.pid)
      assert.isTrue(yield* claims.isFree("k", 0))
    }).pipe(memory)
  )

  it.effect("of live processes, and of other computers, stand until they expire", () =>
    Effect.gen(function* () {
      const claims = yield* makeClaims
      yield* claimedBy(process.ppid)
      assert.deepStrictEqual([yield* claims.isFree("k", 1000), yield* claims.isFree("k", 1001)], [false, true])
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM claims`)
      yield* claimedBy(deadPid(), "elsewhere.example")
      assert.isFalse(yield* claims.isFree("k", 1000))
      assert.isFalse(yield* claims.take("k", 1000, 2000))
      assert.isTrue(yield* claims.take("k", 1001, 2001))
    }).pipe(memory)
  )
})
