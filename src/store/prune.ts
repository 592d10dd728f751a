import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inputError } from "../domain/InputError.ts"
import { storeError } from "./errors.ts"
import { checkedJudgements } from "./judgementCheck.ts"
import { runStatuses } from "./runStatuses.ts"
import { bytesOnDisk, type Money } from "./stats.ts"

/**
 * What is to go: answers bought longer ago than `olderThanMs` or used by no run or both; one run with the answers that no
 * other run uses; or damaged answers.
 */
export type PruneWhat =
  | { readonly _tag: "answers"; readonly olderThanMs?: number; readonly unused: boolean }
  | { readonly _tag: "run"; readonly id: string }
  | { readonly _tag: "corrupt" }

export interface PruneOptions {
  readonly what: PruneWhat
  /** Whether what an unfinished run or a read-out needs may go too. */
  readonly force: boolean
  /** The folder of the store's locks. */
  readonly locks: string
}

/** What would go. `usd` is what was paid for it. */
export interface PrunePlan extends Money {
  readonly judgements: number
  readonly runs: ReadonlyArray<string>
  readonly events: number
  /** Answers that match and stay because unfinished runs, or read-outs of a holdout, rest on them. `runs` names the former. */
  readonly kept: { readonly judgements: number; readonly runs: ReadonlyArray<string> }
}

/** Answers that unfinished runs rest on (those they have noted, and those they have bought and not noted yet), and read-outs. */
const restsOn = `SELECT key FROM uses WHERE run IN (SELECT id FROM open)
  UNION SELECT key FROM calls WHERE run IN (SELECT id FROM open) UNION SELECT key FROM confirmation_answers`

/** Fills the connection's temporary tables `open` (unfinished runs) and `doomed` (answers to go) and counts. */
export const prunePlan = Effect.fn("prunePlan")(function* ({ force, locks, what }: PruneOptions) {
  const sql = yield* SqlClient.SqlClient
  const all = yield* runStatuses(locks)
  const unfinished = all.filter(({ status }) => status !== "finished" && status !== "never-begun").map(({ id }) => id)
  if (what._tag === "run") {
    if (!all.some(({ id }) => id === what.id)) {
      return yield* inputError({
        field: "--run",
        what: "there is no such run in this store",
        found: JSON.stringify(what.id),
        expected: all.map(({ id }) => id).join(", ") || "a run; the store has none",
        hint: "assize runs list names them all"
      })
    }
    if (unfinished.includes(what.id) && !force) {
      return yield* inputError({
        field: "--run",
        what: `run ${what.id} is not finished: without its log and its answers it cannot go on`,
        hint: "Finish it, or remove it all the same with --force"
      })
    }
  }
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.gen(function* () {
    yield* sql`DROP TABLE IF EXISTS temp.open`
    yield* sql`DROP TABLE IF EXISTS temp.doomed`
    yield* sql`CREATE TEMP TABLE open (id TEXT PRIMARY KEY)`
    yield* sql`CREATE TEMP TABLE doomed (key TEXT PRIMARY KEY)`
    const open = unfinished.filter((id) => !(what._tag === "run" && what.id === id))
    yield* Effect.forEach(open, (id) => sql`INSERT INTO temp.open VALUES (${id})`, { discard: true })
    switch (what._tag) {
      case "answers": {
        const before = what.olderThanMs === undefined ? Number.MAX_SAFE_INTEGER : now - what.olderThanMs
        const unused = sql.literal(
          what.unused ? "AND key NOT IN (SELECT key FROM uses UNION SELECT key FROM confirmation_answers)" : ""
        )
        yield* sql`INSERT INTO temp.doomed SELECT key FROM judgements WHERE created < ${before} ${unused}`
        break
      }
      case "run":
        yield* sql`INSERT INTO temp.doomed
          SELECT key FROM judgements WHERE key IN (SELECT key FROM uses WHERE run = ${what.id} UNION SELECT key FROM calls WHERE run = ${what.id})
            AND key NOT IN (SELECT key FROM uses WHERE run <> ${what.id} UNION SELECT key FROM confirmation_answers)`
        break
      case "corrupt":
        yield* checkedJudgements.pipe(
          Stream.runForEach((page) =>
            Effect.forEach(
              page.filter(({ damage }) => damage !== undefined),
              ({ key }) => sql`INSERT OR IGNORE INTO temp.doomed VALUES (${key})`,
              { discard: true }
            )
          )
        )
    }
    const kept = { judgements: 0, runs: [] as ReadonlyArray<string> }
    // A damaged answer is of no use to anybody: without it, the run buys it anew.
    if (what._tag !== "corrupt" && !force) {
      const needing = yield* sql<{ readonly run: string }>`
        SELECT DISTINCT run FROM (SELECT run, key FROM uses UNION SELECT run, key FROM calls)
        WHERE run IN (SELECT id FROM temp.open) AND key IN (SELECT key FROM temp.doomed) ORDER BY run`
      const [count] = yield* sql<{ readonly n: number }>`
        SELECT count(*) AS n FROM temp.doomed WHERE key IN (${sql.literal(restsOn)})`
      kept.judgements = count?.n ?? 0
      kept.runs = needing.map(({ run }) => run)
      yield* sql`DELETE FROM temp.doomed WHERE key IN (${sql.literal(restsOn)})`
    }
    const [sum] = yield* sql<Money & { readonly judgements: number }>`
      SELECT count(*) AS judgements, total(cost) AS usd, count(*) - count(cost) AS "priceUnknown"
      FROM judgements WHERE key IN (SELECT key FROM temp.doomed)`
    const runs = what._tag === "run" ? [what.id] : []
    const [events] = yield* sql<{
      readonly n: number
    }>`SELECT count(*) AS n FROM events WHERE run IN ${sql.in(["", ...runs])}`
    return { ...sum!, runs, events: events?.n ?? 0, kept } satisfies PrunePlan as PrunePlan
  }).pipe(Effect.mapError(toStoreError("find what is to go")))
})

const toStoreError = (doing: string) => (error: SqlError) => storeError(doing)(error)

/** Bytes that a prune gave back to the disk. */
export interface Pruned {
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** Deletes what the plan found, all of it or nothing, and gives the room back to the disk. To be called with the store to oneself. */
export const pruneStore = Effect.fn("pruneStore")(function* (file: string, plan: PrunePlan) {
  const sql = yield* SqlClient.SqlClient
  const bytesBefore = bytesOnDisk(file).total
  yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`DELETE FROM judgements WHERE key IN (SELECT key FROM temp.doomed)`
        yield* Effect.forEach(plan.runs, (id) => sql`DELETE FROM runs WHERE id = ${id}`, { discard: true })
      })
    )
    .pipe(Effect.mapError(toStoreError("delete what is to go")))
  yield* Effect.andThen(sql`VACUUM`, sql`PRAGMA wal_checkpoint(TRUNCATE)`).pipe(
    Effect.mapError(toStoreError("give room back to the disk; what was to go is deleted"))
  )
  return { bytesBefore, bytesAfter: bytesOnDisk(file).total } satisfies Pruned as Pruned
})
