import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type StoreError, storeError } from "./errors.ts"
import type { RunStatus } from "./RunStatus.ts"
import { runStatuses } from "./runStatuses.ts"

/** Money of answers. `usd` is over those whose price was known when they were bought; the others count as unknown, not as 0. */
export interface Money {
  readonly usd: number
  readonly priceUnknown: number
}

export interface ModelStats extends Money {
  /** As the request names it; null where the request cannot be read. */
  readonly asked: string | null
  readonly address: string | null
  /** As the server named itself. */
  readonly served: string | null
  readonly judgements: number
  readonly tokens: number
}

/** What a store holds. Times are milliseconds since 1970. Nothing is checked for damage here. */
export interface StoreStats {
  readonly file: string
  readonly version: number
  /** Bytes on disk. `free` is the part of the database that a prune has left or would give back. */
  readonly bytes: { readonly database: number; readonly log: number; readonly total: number; readonly free: number }
  readonly judgements: Money & {
    readonly count: number
    /** Over the answers whose usage the server reported. */
    readonly tokens: {
      readonly input: number
      readonly cachedInput: number
      readonly output: number
      readonly reasoning: number
    }
    readonly usageUnknown: number
    readonly oldest: number | null
    readonly newest: number | null
    readonly byFinish: ReadonlyArray<{ readonly finish: string; readonly judgements: number }>
    readonly byModel: ReadonlyArray<ModelStats>
  }
  readonly runs: {
    readonly count: number
    readonly byStatus: ReadonlyArray<{ readonly status: RunStatus; readonly runs: number }>
  }
  /** `unchecked` were written before events had checksums. */
  readonly events: { readonly count: number; readonly unchecked: number }
  readonly calls: {
    readonly count: number
    readonly byOutcome: ReadonlyArray<{ readonly outcome: string; readonly calls: number }>
  }
  /** By runs; a scoring notes no uses. */
  readonly reuse: {
    readonly uses: number
    readonly used: number
    readonly unused: Money & { readonly judgements: number }
    /** Uses of an answer beyond the one that it was bought for: what asking again would have taken. */
    readonly saved: Money & { readonly calls: number; readonly tokens: number }
  }
}

const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Bytes of the database and of its write-ahead log with its index. */
export const bytesOnDisk = (file: string) => {
  const database = size(file)
  const log = size(`${file}-wal`) + size(`${file}-shm`)
  return { database, log, total: database + log }
}

/** Reads the whole table of judgements once. */
export const storeStats = Effect.fn("storeStats")(
  function* (file: string, locks: string) {
    const sql = yield* SqlClient.SqlClient
    const one = <A extends object>(query: Effect.Effect<ReadonlyArray<A>, unknown>) =>
      Effect.map(query as Effect.Effect<ReadonlyArray<A>, never>, (rows) => ({ ...rows[0]! }))
    const plainRows = <A extends object>(rows: ReadonlyArray<A>): ReadonlyArray<A> => rows.map((row) => ({ ...row }))
    const { version } = yield* one(
      sql<{ readonly version: number }>`SELECT max(migration_id) AS version FROM migrations`
    )
    const { free } = yield* one(
      sql<{
        readonly free: number
      }>`SELECT f.freelist_count * p.page_size AS free FROM pragma_freelist_count f, pragma_page_size p`
    )
    const judgements = yield* one(
      sql<{
        readonly count: number
        readonly input: number
        readonly cachedInput: number
        readonly output: number
        readonly reasoning: number
        readonly usageUnknown: number
        readonly usd: number
        readonly priceUnknown: number
        readonly oldest: number | null
        readonly newest: number | null
      }>`SELECT count(*) AS count, coalesce(sum(input), 0) AS input, coalesce(sum(cached_input), 0) AS "cachedInput",
                coalesce(sum(output), 0) AS output, coalesce(sum(reasoning), 0) AS reasoning,
                count(*) - count(input) + count(estimated) AS "usageUnknown", total(cost) AS usd, count(*) - count(cost) AS "priceUnknown",
                min(created) AS oldest, max(created) AS newest
         FROM judgements`
    )
    const byFinish = yield* sql<{ readonly finish: string; readonly judgements: number }>`
      SELECT finish, count(*) AS judgements FROM judgements GROUP BY finish ORDER BY judgements DESC, finish`
    const byModel = yield* sql<ModelStats>`
      SELECT pin ->> '$.model' AS asked, pin ->> '$.address' AS address, served_model AS served, count(*) AS judgements,
             coalesce(sum(input + output), 0) AS tokens, total(cost) AS usd, count(*) - count(cost) AS "priceUnknown"
      FROM (SELECT CASE WHEN json_valid(request) THEN request -> '$.model' END AS pin, * FROM judgements)
      GROUP BY asked, address, served ORDER BY judgements DESC, asked, address, served`
    const events = yield* one(
      sql<{ readonly count: number; readonly unchecked: number }>`
        SELECT count(*) AS count, count(*) - count(sha256) AS unchecked FROM events`
    )
    const byOutcome = yield* sql<{ readonly outcome: string; readonly calls: number }>`
      SELECT outcome, count(*) AS calls FROM calls GROUP BY outcome ORDER BY calls DESC, outcome`
    const { uses, used } = yield* one(
      sql<{ readonly uses: number; readonly used: number }>`
        SELECT count(*) AS uses, count(DISTINCT key) AS used FROM uses WHERE key IN (SELECT key FROM judgements)`
    )
    const unused = yield* one(
      sql<{ readonly judgements: number; readonly usd: number; readonly priceUnknown: number }>`
        SELECT count(*) AS judgements, total(cost) AS usd, count(*) - count(cost) AS "priceUnknown"
        FROM judgements
        WHERE key NOT IN (SELECT key FROM uses) AND key NOT IN (SELECT key FROM confirmation_answers)`
    )
    const saved = yield* one(
      sql<StoreStats["reuse"]["saved"]>`
        WITH used AS (SELECT key, count(*) AS n FROM uses GROUP BY key),
             bought AS (SELECT DISTINCT key FROM calls WHERE role <> 'preflight'),
             again AS (SELECT used.key, used.n - (bought.key IS NOT NULL) AS n
                       FROM used LEFT JOIN bought ON bought.key = used.key)
        SELECT coalesce(sum(n), 0) AS calls, coalesce(sum(n * (input + output)), 0) AS tokens, total(n * cost) AS usd,
               coalesce(sum(CASE WHEN cost IS NULL THEN n END), 0) AS "priceUnknown"
        FROM again JOIN judgements ON judgements.key = again.key WHERE n > 0`
    )
    const runs = yield* runStatuses(locks)
    const statuses = [...new Set(runs.map(({ status }) => status))]
    const { cachedInput, input, output, reasoning, ...rest } = judgements
    return {
      file,
      version,
      bytes: { ...bytesOnDisk(file), free },
      judgements: {
        ...rest,
        tokens: { input, cachedInput, output, reasoning },
        byFinish: plainRows(byFinish),
        byModel: plainRows(byModel)
      },
      runs: {
        count: runs.length,
        byStatus: statuses.map((status) => ({ status, runs: runs.filter((run) => run.status === status).length }))
      },
      events,
      calls: { count: byOutcome.reduce((sum, { calls }) => sum + calls, 0), byOutcome: plainRows(byOutcome) },
      reuse: { uses, used, unused, saved }
    } satisfies StoreStats as StoreStats
  },
  Effect.catchTag("SqlError", (error) => Effect.fail<StoreError>(storeError("look at what it holds")(error)))
)
