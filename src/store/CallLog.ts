import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Role, Usage } from "../model/LanguageModel.ts"
import { type CallOutcome, unsentSql } from "../model/outcome.ts"
import { type StoreError, storeError } from "./errors.ts"
import { type CallGroup, type RoleUsage, roleUsage } from "./roleUsage.ts"
import { Statements } from "./sqlite.ts"
import { toColumns } from "./usageColumns.ts"

/** What a request was sent for: a role, or the tiny call that finds out whether the endpoint works. */
export type CallRole = Role | "preflight"

/** What counts against a budget. `usd` is null where no price is known: it counts for nothing there. */
export interface Charge {
  readonly tokens: number
  readonly usd: number | null
}

export interface SentCall {
  readonly run: string
  readonly role: CallRole
  readonly key: string
  /** Charged until the call is settled, and for ever if the process dies first. */
  readonly charge: Charge
}

export interface SettledCall {
  readonly outcome: CallOutcome
  readonly usage: Usage | null
  /** US dollars; null for unknown. */
  readonly cost: number | null
  readonly charge: Charge
  readonly latencyMs: number
}

/** What a run has spent so far, calls in flight included at what was reserved for them. */
export interface Spent {
  /** Requests sent, failed ones and repeats included. */
  readonly calls: number
  readonly tokens: number
  readonly usd: number
}

const total = (column: string) => `coalesce(sum(${column}), 0)`

const perStatement = 2000

/** Notes in the table of calls what became of one. */
export const settleCall = ({ statement }: Statements["Service"]) => {
  const settling = statement(`UPDATE calls SET outcome = ?, input = ?, cached_input = ?, output = ?, reasoning = ?,
    cache_write = ?, estimated = ?, cost = ?, charged_tokens = ?, charged_usd = ?, latency_ms = ? WHERE id = ?`)
  return (id: number, { charge, cost, latencyMs, outcome, usage }: SettledCall): Effect.Effect<void, StoreError> => {
    const { cache_write, cached_input, estimated, input, output, reasoning } = toColumns(usage)
    return settling
      .run(
        ...[outcome, input, cached_input, output, reasoning, cache_write, estimated],
        ...[cost, charge.tokens, charge.usd, latencyMs, id]
      )
      .pipe(Effect.asVoid, Effect.mapError(storeError("note what became of a call")))
  }
}

/** The requests that runs have sent: written before each leaves, settled after. One row a request, repeats included. */
export class CallLog extends Context.Service<
  CallLog,
  {
    /** Gives the number under which the call is settled. */
    sent(call: SentCall): Effect.Effect<number, StoreError>
    /** The same for many, of one run and role, whose keys differ. The numbers are in their order. */
    sentAll(calls: ReadonlyArray<SentCall>): Effect.Effect<ReadonlyArray<number>, StoreError>
    /**
     * Takes calls over that an earlier process has sent: gives the numbers under which they are settled now, and whether
     * they are part of what `spent` gave. `id` is null where the process kept no log.
     */
    takeOver(
      calls: ReadonlyArray<SentCall & { readonly id: number | null }>
    ): Effect.Effect<{ readonly ids: ReadonlyArray<number>; readonly counted: boolean }, StoreError>
    /** Forgets calls that were never sent after all. */
    withdraw(ids: ReadonlyArray<number>): Effect.Effect<void, StoreError>
    settle(id: number, call: SettledCall): Effect.Effect<void, StoreError>
    spent(run: string): Effect.Effect<Spent, StoreError>
    /** Only roles with calls. */
    usage(run: string): Effect.Effect<ReadonlyArray<RoleUsage>, StoreError>
  }
>()("assize/CallLog") {
  static readonly layer = Layer.effect(
    CallLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = yield* Statements

      const sending =
        statements.statement(`INSERT INTO calls (run, role, key, outcome, charged_tokens, charged_usd, time)
        VALUES (?, ?, ?, 'sent', ?, ?, ?)`)

      const sent = ({ run, role, key, charge }: SentCall) =>
        Effect.flatMap(Clock.currentTimeMillis, (time) =>
          sending.run(run, role, key, charge.tokens, charge.usd, time)
        ).pipe(
          Effect.mapBoth({
            onSuccess: ({ lastInsertRowid }) => lastInsertRowid,
            onFailure: storeError("note a call before sending it")
          })
        )

      const sentAll = Effect.fnUntraced(
        function* (calls: ReadonlyArray<SentCall>) {
          const time = yield* Clock.currentTimeMillis
          const ids = new Map<string, number>()
          for (let from = 0; from < calls.length; from += perStatement) {
            const page = calls
              .slice(from, from + perStatement)
              .map(({ charge, key, role, run }) => [run, role, key, charge.tokens, charge.usd])
            const rows = yield* sql<{ readonly id: number; readonly key: string }>`
              INSERT INTO calls (run, role, key, outcome, charged_tokens, charged_usd, time)
              SELECT value ->> 0, value ->> 1, value ->> 2, 'sent', value ->> 3, value ->> 4, ${time}
              FROM json_each(${JSON.stringify(page)}) RETURNING id, key`
            for (const { id, key } of rows) ids.set(key, id)
          }
          return calls.map(({ key }) => ids.get(key)!)
        },
        Effect.mapError(storeError("note calls before sending them"))
      )

      const takeOver = (calls: ReadonlyArray<SentCall & { readonly id: number | null }>) =>
        Effect.succeed({ ids: calls.flatMap(({ id }) => id ?? []), counted: true })

      const withdraw = (ids: ReadonlyArray<number>) =>
        sql`DELETE FROM calls WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.raw.pipe(
          Effect.asVoid,
          Effect.mapError(storeError("forget calls that were never sent"))
        )

      const settle = settleCall(statements)

      const isSent = sql.literal(`outcome NOT IN (${unsentSql})`)

      const spent = (run: string) =>
        sql<Spent>`SELECT count(*) AS calls, ${sql.literal(total("charged_tokens"))} AS tokens,
                   ${sql.literal(total("charged_usd"))} AS usd FROM calls WHERE run = ${run} AND ${isSent}`.pipe(
          Effect.mapBoth({ onSuccess: ([row]) => row!, onFailure: storeError(`add up what run ${run} has spent`) })
        )

      // SQLite adds up amounts with what rounding drops (Kahan and Babuška), so that the cents of many calls are right.
      const usage = (run: string) =>
        sql<CallGroup>`SELECT role, outcome, estimated, count(*) AS calls,
            ${sql.literal(total("input"))} AS input, ${sql.literal(total("cached_input"))} AS "cachedInput",
            ${sql.literal(total("cache_write"))} AS "cacheWrite", ${sql.literal(total("output"))} AS output,
            ${sql.literal(total("reasoning"))} AS reasoning, ${sql.literal(total("cost"))} AS cost,
            count(*) - count(cost) AS "costUnknown"
          FROM calls WHERE run = ${run} GROUP BY role, outcome, estimated`.pipe(
          Effect.mapBoth({ onSuccess: roleUsage, onFailure: storeError(`add up the usage of run ${run}`) })
        )

      return CallLog.of({ sent, sentAll, takeOver, withdraw, settle, spent, usage })
    })
  )
}
