import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Charge } from "./CallLog.ts"
import { storeError } from "./errors.ts"

/** A request of a batch whose answer is still to come. */
export interface OpenRequest {
  readonly key: string
  /** The row in the table of calls; null where the batch's run keeps no calls there. */
  readonly call: number | null
  /** What was reserved for it. */
  readonly charge: Charge
}

/** A batch as it was noted before it was sent. Times are milliseconds since 1970. */
export interface NotedBatch {
  /** Stands in the batch's metadata at the server. */
  readonly id: string
  /** Whose budget it counts against. */
  readonly run: string
  readonly model: string
  readonly address: string
  /** Who sends it: `pid@host`. */
  readonly holder: string
  readonly created: number
}

export interface OpenBatch extends NotedBatch {
  /** When the holder was last seen at it. */
  readonly touched: number
  /** Null until the server has been heard to have it. */
  readonly serverId: string | null
  readonly submitted: number | null
  /** Those that were asked for; the batch may have more. */
  readonly requests: ReadonlyArray<OpenRequest>
}

interface RequestRow {
  readonly batch: string
  readonly key: string
  readonly call: number | null
  readonly tokens: number
  readonly usd: number | null
}

const perStatement = 2000

const pages = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / perStatement) }, (_, page) =>
    all.slice(page * perStatement, (page + 1) * perStatement)
  )

const toRequest = ({ call, key, tokens, usd }: RequestRow): OpenRequest => ({ key, call, charge: { tokens, usd } })

/**
 * The batches that were sent, and the requests in them whose answers are still to come. A request is in one of them at
 * most. What belongs together is to be done in one transaction; thousands of rows take one statement.
 */
export const makeBatchTable = (sql: SqlClient.SqlClient) => {
  const inKeys = (keys: ReadonlyArray<string>) => sql`key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`

  /** The requests of these keys that are under way. */
  const rowsOf = (keys: ReadonlyArray<string>, batch?: string) =>
    Effect.forEach(pages(keys), (page) =>
      batch === undefined
        ? sql<RequestRow>`SELECT batch, key, call, tokens, usd FROM batch_requests WHERE ${inKeys(page)}`
        : sql<RequestRow>`SELECT batch, key, call, tokens, usd FROM batch_requests
                            WHERE ${inKeys(page)} AND batch = ${batch}`
    ).pipe(Effect.map((found) => found.flat()))

  return {
    /** The batches in which any of these requests are under way. */
    open: Effect.fnUntraced(
      function* (keys: ReadonlyArray<string>) {
        const rows = yield* rowsOf(keys)
        const byBatch = Map.groupBy(rows, ({ batch }) => batch)
        return yield* Effect.forEach([...byBatch], ([id, requests]) =>
          Effect.map(
            sql<Omit<OpenBatch, "requests">>`SELECT id, run, model, address, holder, created, touched,
              server_id AS "serverId", submitted FROM batches WHERE id = ${id}`,
            ([batch]): OpenBatch => ({ ...batch!, requests: requests.map(toRequest) })
          )
        )
      },
      Effect.mapError(storeError("look for batches under way"))
    ),
    /** The requests of a batch, among these keys, whose answers are still to come. */
    waiting: (id: string, keys: ReadonlyArray<string>) =>
      rowsOf(keys, id).pipe(
        Effect.map((rows) => new Map(rows.map((row) => [row.key, toRequest(row)]))),
        Effect.mapError(storeError("look what a batch is to bring"))
      ),
    /** How many requests of a batch wait for their answers, whoever asked for them. */
    left: (id: string) =>
      sql<{ readonly n: number }>`SELECT count(*) AS n FROM batch_requests WHERE batch = ${id}`.pipe(
        Effect.mapBoth({ onSuccess: ([row]) => row?.n ?? 0, onFailure: storeError("count what a batch is to bring") })
      ),
    /** Notes a batch before it is sent. */
    note: (batch: NotedBatch, requests: ReadonlyArray<OpenRequest>) =>
      Effect.andThen(
        sql`INSERT INTO batches (id, run, model, address, holder, created, touched, requests)
            VALUES (${batch.id}, ${batch.run}, ${batch.model}, ${batch.address}, ${batch.holder}, ${batch.created},
                    ${batch.created}, ${requests.length})`,
        Effect.forEach(
          pages(requests.map(({ call, charge, key }) => [key, call, charge.tokens, charge.usd])),
          (page) => sql`INSERT INTO batch_requests (key, batch, call, tokens, usd)
            SELECT value ->> 0, ${batch.id}, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(page)})`,
          { discard: true }
        )
      ).pipe(Effect.mapError(storeError("note a batch before sending it"))),
    touch: (id: string, now: number) =>
      sql`UPDATE batches SET touched = ${now} WHERE id = ${id}`.raw.pipe(
        Effect.asVoid,
        Effect.mapError(storeError("note that a batch is being sent"))
      ),
    /** The server has it. */
    submitted: (id: string, serverId: string, file: string | null, now: number) =>
      sql`UPDATE batches SET server_id = ${serverId}, file = ${file}, submitted = ${now}, status = 'submitted'
          WHERE id = ${id}`.raw.pipe(Effect.asVoid, Effect.mapError(storeError("note a batch that was sent"))),
    /** These requests of a batch are no longer under way. */
    done: (id: string, keys: ReadonlyArray<string>) =>
      Effect.forEach(pages(keys), (page) => sql`DELETE FROM batch_requests WHERE batch = ${id} AND ${inKeys(page)}`, {
        discard: true
      }).pipe(Effect.mapError(storeError("note what became of a batch's requests"))),
    /** What became of a batch, once none of its requests is under way any more. */
    close: (id: string, status: string) =>
      sql`UPDATE batches SET status = ${status} WHERE id = ${id}`.raw.pipe(
        Effect.asVoid,
        Effect.mapError(storeError("note what became of a batch"))
      ),
    /** Forgets a batch that the server never had, with its calls: all of them, whoever asked for them. */
    withdraw: (id: string) =>
      Effect.gen(function* () {
        yield* sql`DELETE FROM calls WHERE id IN (SELECT call FROM batch_requests WHERE batch = ${id})`
        yield* sql`DELETE FROM batches WHERE id = ${id}`
      }).pipe(Effect.mapError(storeError("forget a batch that was never sent")))
  }
}
export type BatchTable = ReturnType<typeof makeBatchTable>
