import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { CorruptStore, type StoreError, storeError } from "./errors.ts"
import { type JudgementRow, judgementChecksum, replyOfRow, type StoredReply } from "./judgementRow.ts"
import { Statements } from "./sqlite.ts"
import { toColumns } from "./usageColumns.ts"

export type { StoredReply } from "./judgementRow.ts"

/**
 * Every answer that was ever bought, by the content address of its request. It outlives runs. Refused, filtered and
 * truncated answers are kept as well, with their `finish`: what is to be made of them is the reader's decision.
 */
export class JudgementStore extends Context.Service<
  JudgementStore,
  {
    /** Undefined where nothing has been bought under the key. */
    get(key: string): Effect.Effect<StoredReply | undefined, CorruptStore | StoreError>
    /**
     * Keeps an answer and gives back the one that counts: where another process bought the same request meanwhile, its
     * answer stands. `request` is the text that the key is the hash of.
     */
    put(key: string, request: string, reply: StoredReply): Effect.Effect<StoredReply, CorruptStore | StoreError>
    /** Those of the keys under which something has been bought. */
    known(keys: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>, StoreError>
    readonly count: Effect.Effect<number, StoreError>
  }
>()("assize/JudgementStore") {
  static readonly layer = Layer.effect(
    JudgementStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { statement } = yield* Statements
      const getting = statement<JudgementRow>(`SELECT text, finish, input, cached_input, output, reasoning, cache_write,
        estimated, cost, latency_ms, served_model, sha256 FROM judgements WHERE key = ?`)
      const putting = statement(`INSERT INTO judgements (key, request, text, finish, input, cached_input, output,
        reasoning, cache_write, estimated, cost, latency_ms, served_model, sha256, created)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)

      const get = (key: string) =>
        getting.all(key).pipe(
          Effect.mapError(storeError(`read judgement ${key}`)),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.undefined
            const stored = replyOfRow(key, row)
            return stored === undefined
              ? Effect.fail(
                  new CorruptStore({ row: `judgement ${key}`, what: "does not match its checksum", kind: "judgement" })
                )
              : Effect.succeed(stored)
          })
        )

      const put = Effect.fnUntraced(function* (key: string, request: string, reply: StoredReply) {
        const usage = toColumns(reply.usage)
        const created = yield* Clock.currentTimeMillis
        const { cost, finish, latencyMs, servedModel, text } = reply
        const { changes } = yield* putting
          .run(
            ...[key, request, text, finish, usage.input, usage.cached_input, usage.output, usage.reasoning],
            ...[usage.cache_write, usage.estimated, cost, latencyMs, servedModel],
            ...[judgementChecksum(key, reply), created]
          )
          .pipe(Effect.mapError(storeError(`keep judgement ${key}`)))
        return changes === 1 ? reply : ((yield* get(key)) ?? reply)
      })

      const known = (keys: ReadonlyArray<string>) =>
        sql<{ readonly key: string }>`SELECT key FROM judgements
          WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`.pipe(
          Effect.mapBoth({
            onSuccess: (rows) => new Set(rows.map(({ key }) => key)),
            onFailure: storeError("look which judgements it has")
          })
        )

      const count = sql<{ readonly n: number }>`SELECT count(*) AS n FROM judgements`.pipe(
        Effect.mapBoth({ onSuccess: ([row]) => row?.n ?? 0, onFailure: storeError("count the judgements") })
      )

      return JudgementStore.of({ get, put, known, count })
    })
  )
}
