import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { StopReason } from "../domain/RunEvent.ts"
import { type StoreError, storeError } from "./errors.ts"
import { holderOf } from "./RunLock.ts"
import { type RunStatus, runStatus } from "./RunStatus.ts"

/** A run and how it stands with it, by its newest event and the lock of its campaign. */
export interface KnownRun {
  readonly id: string
  readonly status: RunStatus
}

/** All runs, in the order of their creation. Reads no more of a log than its last event's reason to stop. */
export const runStatuses = (locks: string): Effect.Effect<ReadonlyArray<KnownRun>, StoreError, SqlClient.SqlClient> =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql<{
        readonly id: string
        readonly file: string
        readonly type: string | null
        readonly reason: StopReason | null
      }>`SELECT runs.id, runs.campaign_file AS file, events.type,
                CASE WHEN events.type = 'stopped' AND json_valid(events.payload) THEN events.payload ->> '$.reason' END AS reason
         FROM runs LEFT JOIN events ON events.run = runs.id
              AND events.sequence = (SELECT max(sequence) FROM events WHERE run = runs.id)
         ORDER BY runs.created, runs.rowid`
  ).pipe(
    Effect.mapError(storeError("look at the runs")),
    Effect.map((rows) =>
      rows.map(({ file, id, reason, type }) => ({
        id,
        status: runStatus(type === null ? undefined : reason, holderOf(locks, file)?.run === id)
      }))
    )
  )
