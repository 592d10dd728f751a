import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { remarkTags, type StopReason } from "../domain/RunEvent.ts"
import { type StoreError, storeError } from "./errors.ts"
import type { Holder } from "./lockHolder.ts"
import { holderOf } from "./RunLock.ts"
import { type RunStatus, runStatus } from "./RunStatus.ts"

/** A run and how it stands with it, by its newest event, remarks of people apart, and the lock of its campaign. */
export interface KnownRun {
  readonly id: string
  readonly status: RunStatus
  /** Who is running it. */
  readonly holder: Holder | null
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
        readonly called: 0 | 1
      }>`SELECT runs.id, runs.campaign_file AS file, events.type,
                EXISTS (SELECT 1 FROM calls WHERE run = runs.id AND role <> 'preflight') AS called,
                CASE WHEN events.type = 'stopped' AND json_valid(events.payload) THEN events.payload ->> '$.reason' END AS reason
         FROM runs LEFT JOIN events ON events.run = runs.id
              AND events.sequence = (SELECT max(sequence) FROM events WHERE run = runs.id AND type NOT IN ${sql.in(remarkTags)})
         ORDER BY runs.created, runs.rowid`
  ).pipe(
    Effect.mapError(storeError("look at the runs")),
    Effect.map((rows) =>
      rows.map(({ called, file, id, reason, type }) => {
        const holder = holderOf(locks, file)
        const mine = holder?.run === id ? holder : null
        // The first events are written with the first that was paid for: before that, only calls show that it has begun.
        const stopped = type === null && called === 0 ? undefined : reason
        return { id, status: runStatus(stopped, mine !== null), holder: mine }
      })
    )
  )
