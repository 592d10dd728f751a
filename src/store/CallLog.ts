import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Role, Usage } from "../model/LanguageModel.ts"
import { type CallOutcome, unsentSql } from "../model/outcome.ts"
import { type StoreError, storeError } from "./errors.ts"
import { type CallGroup, type RoleUsage, roleUsage } from "./roleUsage.ts"
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

/** The requests that runs have sent: written before each leaves, settled after. One row a request, repeats included. */
export class CallLog extends Context.Service<
  CallLog,
  {
    /** Gives the number under which the call is settled. */
    sent(call: SentCall): Effect.Effect<number, StoreError>
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

      const sent = Effect.fnUntraced(
        function* ({ run, role, key, charge }: SentCall) {
          const time = yield* Clock.currentTimeMillis
          const rows = yield* sql<{ readonly id: number }>`
            INSERT INTO calls (run, role, key, outcome, charged_tokens, charged_usd, time)
            VALUES (${run}, ${role}, ${key}, 'sent', ${charge.tokens}, ${charge.usd}, ${time}) RETURNING id`
          return rows[0]!.id
        },
        Effect.mapError(storeError("note a call before sending it"))
      )

      const settle = (id: number, { outcome, usage, cost, charge, latencyMs }: SettledCall) => {
        const columns = toColumns(usage)
        return sql`UPDATE calls SET outcome = ${outcome}, input = ${columns.input}, cached_input = ${columns.cached_input},
                   output = ${columns.output}, reasoning = ${columns.reasoning}, cache_write = ${columns.cache_write},
                   estimated = ${columns.estimated}, cost = ${cost},
                   charged_tokens = ${charge.tokens}, charged_usd = ${charge.usd}, latency_ms = ${latencyMs}
                   WHERE id = ${id}`.raw.pipe(Effect.asVoid, Effect.mapError(storeError("note what became of a call")))
      }

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

      return CallLog.of({ sent, settle, spent, usage })
    })
  )
}
