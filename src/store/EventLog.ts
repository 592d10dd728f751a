import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { RunEvent } from "../domain/RunEvent.ts"
import { CorruptStore, SequenceTaken, type StoreError, storeError } from "./errors.ts"
import { decodeEventRow, type EventRow, eventChecksum, type LoggedEvent } from "./eventRow.ts"

export type { LoggedEvent } from "./eventRow.ts"

const pageSize = 100

/** The append-only sequence of events that a run is. Nothing else holds truth about a run. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** Writes one event durably. `event` is not checked against the schema again: what is written is what is given. */
    append(run: string, sequence: number, event: RunEvent): Effect.Effect<void, SequenceTaken | StoreError>
    /** Writes events that follow each other, all of them or none. */
    appendAll(
      run: string,
      first: number,
      events: ReadonlyArray<RunEvent>
    ): Effect.Effect<void, SequenceTaken | StoreError>
    /**
     * The run's events in order, from the sequence number `from` on, as far as they are written now. Fails at the first
     * row that is not what was written, and where a sequence number is missing.
     */
    read(run: string, from?: number): Stream.Stream<LoggedEvent, CorruptStore | StoreError>
    /** The newest event. */
    last(run: string): Effect.Effect<Option.Option<LoggedEvent>, CorruptStore | StoreError>
  }
>()("assize/EventLog") {
  static readonly layer = Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const append = (run: string, sequence: number, event: RunEvent) =>
        Clock.clockWith((clock) => {
          const payload = JSON.stringify(event)
          const time = clock.currentTimeMillisUnsafe()
          return sql`INSERT INTO events (run, sequence, type, payload, time, sha256)
              VALUES (${run}, ${sequence}, ${event._tag}, ${payload}, ${time}, ${eventChecksum(run, sequence, time, payload)})`.raw.pipe(
            Effect.asVoid,
            Effect.mapError((error) =>
              isPrimaryKeyTaken(error.reason.cause)
                ? new SequenceTaken({ run, sequence })
                : storeError(`append event ${sequence} of run ${run}`)(error)
            )
          )
        })

      const appendAll = (run: string, first: number, events: ReadonlyArray<RunEvent>) =>
        events.length === 1
          ? append(run, first, events[0]!)
          : sql
              .withTransaction(
                Effect.forEach(events, (event, index) => append(run, first + index, event), { discard: true })
              )
              .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(storeError(`append to run ${run}`)(error))))

      const decodeRow = (run: string) => (row: EventRow) =>
        Effect.mapError(
          decodeEventRow(run, row),
          (what) => new CorruptStore({ row: `event ${row.sequence} of run ${run}`, what, kind: "run" })
        )

      const page = (run: string, from: number) =>
        sql<EventRow>`SELECT sequence, type, time, payload, sha256 FROM events
                 WHERE run = ${run} AND sequence >= ${from} ORDER BY sequence LIMIT ${pageSize}`.pipe(
          Effect.mapError(storeError(`read run ${run}`))
        )

      const read = (run: string, from = 0) =>
        Stream.paginate({ from, first: true }, (at: { readonly from: number; readonly first: boolean }) =>
          Effect.gen(function* () {
            const rows = yield* page(run, at.from)
            // A log may begin at any number, but has no gaps after its beginning.
            const start = at.first && from === 0 ? (rows[0]?.sequence ?? 0) : at.from
            const gap = rows.findIndex((row, index) => row.sequence !== start + index)
            if (gap !== -1) {
              return yield* new CorruptStore({
                row: `event ${start + gap} of run ${run}`,
                what: "is missing",
                kind: "run"
              })
            }
            const events = yield* Effect.forEach(rows, decodeRow(run))
            const next =
              rows.length < pageSize ? Option.none() : Option.some({ from: start + rows.length, first: false })
            return [events, next] as const
          })
        )

      const last = Effect.fn("EventLog.last")(function* (run: string) {
        const rows = yield* sql<EventRow>`SELECT sequence, type, time, payload, sha256 FROM events
                                     WHERE run = ${run} ORDER BY sequence DESC LIMIT 1`.pipe(
          Effect.mapError(storeError(`read run ${run}`))
        )
        const row = rows[0]
        return row === undefined ? Option.none() : Option.some(yield* decodeRow(run)(row))
      })

      return EventLog.of({ append, appendAll, read, last })
    })
  )
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, or _UNIQUE. */
const isPrimaryKeyTaken = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && (cause.errcode === 1555 || cause.errcode === 2067)
