import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { sha256 } from "../domain/hash.ts"
import { type JudgementRow, replyOfRow } from "./judgementRow.ts"

interface Row extends JudgementRow {
  readonly row: number
  readonly key: string
  readonly request: string
}

/** A stored answer that was looked at; `damage` ends a sentence that starts with its key. */
export interface CheckedJudgement {
  readonly row: number
  readonly key: string
  readonly damage: string | undefined
}

const pageSize = 200

const damageOf = (row: Row): string | undefined => {
  if (replyOfRow(row.key, row) === undefined) return "does not match its checksum"
  return sha256(row.request) === row.key ? undefined : "is not filed under the hash of its request"
}

/** Every stored answer, checked, a page of them at a time. */
export const checkedJudgements: Stream.Stream<
  ReadonlyArray<CheckedJudgement>,
  SqlError,
  SqlClient.SqlClient
> = Stream.paginate(Number.MIN_SAFE_INTEGER, (after: number) =>
  SqlClient.SqlClient.use(
    (sql) =>
      // All columns, since a store of an earlier version has not all that this one writes.
      sql<Row>`SELECT rowid AS row, * FROM judgements WHERE rowid > ${after} ORDER BY rowid LIMIT ${pageSize}`
  ).pipe(
    Effect.map((rows) => [
      [rows.map((row): CheckedJudgement => ({ row: row.row, key: row.key, damage: damageOf(row) }))],
      rows.length < pageSize ? Option.none<number>() : Option.some(rows[rows.length - 1]!.row)
    ])
  )
)
