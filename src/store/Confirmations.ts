import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { sha256 } from "../domain/hash.ts"
import { CorruptStore, type StoreError, storeError } from "./errors.ts"

/** A finished confirmation: the read-out of one opening of a holdout. */
export interface Confirmation {
  /** The hash of the ledger line that opened the holdout. */
  readonly opening: string
  readonly run: string
  readonly split: string
  readonly preregistration: string
  /** The read-out, as JSON. */
  readonly readOut: string
  /** Milliseconds since 1970. */
  readonly created: number
}

/** What is remembered of a ledger's line, so that lines which were cut off are missed. */
export interface LedgerAnchor {
  readonly split: string
  readonly line: number
  readonly hash: string
}

interface Row {
  readonly opening: string
  readonly run: string
  readonly split: string
  readonly preregistration: string
  readonly read_out: string
  readonly sha256: string
  readonly created: number
}

/** Over the read-out, and the opening that it is of. */
export const confirmationChecksum = (opening: string, readOut: string): string =>
  sha256(JSON.stringify([opening, readOut]))

/** The read-outs of a workspace, with the answers that they rest on. */
export class Confirmations extends Context.Service<
  Confirmations,
  {
    /** Notes answers that an opening rests on, as they come: nobody may prune them before its read-out. */
    note(opening: string, answers: ReadonlyArray<string>): Effect.Effect<void, StoreError>
    /** Keeps a read-out. What an opening came to once stays as it is. */
    keep(confirmation: Omit<Confirmation, "created">): Effect.Effect<void, StoreError>
    /** Undefined while the opening has not come to a read-out in this store. */
    find(opening: string): Effect.Effect<Confirmation | undefined, StoreError | CorruptStore>
    /** Remembers a line that was written to a split's ledger. */
    anchor(line: LedgerAnchor): Effect.Effect<void, StoreError>
    /** The lines of a split's ledger that this workspace wrote. */
    anchors(split: string): Effect.Effect<ReadonlyArray<LedgerAnchor>, StoreError>
    /** The newest first; of one run where it is named. */
    list(run?: string): Effect.Effect<ReadonlyArray<Confirmation>, StoreError | CorruptStore>
  }
>()("assize/Confirmations") {
  static readonly layer = Layer.effect(
    Confirmations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fromRow = ({ read_out, sha256: stored, ...row }: Row): Effect.Effect<Confirmation, CorruptStore> =>
        confirmationChecksum(row.opening, read_out) === stored
          ? Effect.succeed({ ...row, readOut: read_out })
          : Effect.fail(
              new CorruptStore({
                row: `confirmation ${row.opening.slice(0, 12)}`,
                what: "does not match its checksum",
                kind: "run"
              })
            )

      const note = (opening: string, answers: ReadonlyArray<string>) =>
        sql
          .withTransaction(
            Effect.forEach(
              answers,
              (key) =>
                sql`INSERT INTO confirmation_answers (opening, key) VALUES (${opening}, ${key}) ON CONFLICT DO NOTHING`
                  .raw,
              { discard: true }
            )
          )
          .pipe(Effect.mapError(storeError("note what a confirmation rests on")))

      const keep = Effect.fn("Confirmations.keep")(function* ({
        opening,
        preregistration,
        readOut,
        run,
        split
      }: Omit<Confirmation, "created">) {
        const created = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO confirmations (opening, run, split, preregistration, read_out, sha256, created)
                   VALUES (${opening}, ${run}, ${split}, ${preregistration}, ${readOut}, ${confirmationChecksum(opening, readOut)}, ${created})
                   ON CONFLICT DO NOTHING`.raw.pipe(Effect.mapError(storeError("keep a read-out")))
      })

      const columns = sql.literal("opening, run, split, preregistration, read_out, sha256, created")
      const find = (opening: string) =>
        sql<Row>`SELECT ${columns} FROM confirmations WHERE opening = ${opening}`.pipe(
          Effect.mapError(storeError("read a read-out")),
          Effect.flatMap(([row]) => (row === undefined ? Effect.undefined : fromRow(row)))
        )
      const list = (run?: string) =>
        (run === undefined
          ? sql<Row>`SELECT ${columns} FROM confirmations ORDER BY created DESC, rowid DESC`
          : sql<Row>`SELECT ${columns} FROM confirmations WHERE run = ${run} ORDER BY created DESC, rowid DESC`
        ).pipe(
          Effect.mapError(storeError("list the read-outs")),
          Effect.flatMap((rows) => Effect.forEach(rows, fromRow))
        )
      const anchor = ({ hash, line, split }: LedgerAnchor) =>
        sql`INSERT INTO ledger_lines (split, line, hash) VALUES (${split}, ${line}, ${hash}) ON CONFLICT DO NOTHING`.raw.pipe(
          Effect.asVoid,
          Effect.mapError(storeError("remember a line of the ledger"))
        )
      const anchors = (split: string) =>
        sql<LedgerAnchor>`SELECT split, line, hash FROM ledger_lines WHERE split = ${split} ORDER BY line`.pipe(
          Effect.mapError(storeError("read what is remembered of the ledger"))
        )
      return Confirmations.of({ note, keep, find, list, anchor, anchors })
    })
  )
}
