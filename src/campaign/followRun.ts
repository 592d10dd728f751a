import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import { EventLog, type LoggedEvent } from "../store/EventLog.ts"
import { storeError } from "../store/errors.ts"
import { holderOf } from "../store/RunLock.ts"
import type { Run } from "../store/Runs.ts"

/** What is new about a run since it was last looked at. */
export interface News {
  /** In order. All of the run's at the first look. */
  readonly events: ReadonlyArray<LoggedEvent>
  /** The number of the process that is running it; null where none is. */
  readonly process: number | null
  /** Whether anything was written to the store since: calls are, which are no events. */
  readonly written: boolean
}

/**
 * Follows a run that another process may be running, by looking now and then. The connection writes nothing from here on.
 * A look at a store to which nothing was written reads no table. When no process is found, the events are its last:
 * the lock is looked at first.
 */
export const followRun = Effect.fn("followRun")(function* (run: Pick<Run, "id" | "campaignFile">, locks: string) {
  const sql = yield* SqlClient.SqlClient
  const log = yield* EventLog
  const asked = storeError(`follow run ${run.id}`)
  yield* Effect.mapError(sql`PRAGMA query_only = 1`.raw, asked)
  const version = sql<{ readonly data_version: number }>`PRAGMA data_version`.pipe(
    Effect.mapBoth({ onSuccess: ([row]) => row?.data_version, onFailure: asked })
  )
  let seen: number | undefined
  let next = 0
  return {
    look: Effect.gen(function* () {
      const holder = yield* Effect.sync(() => holderOf(locks, run.campaignFile, 0))
      const process = holder?.run === run.id ? holder.pid : null
      // The number changes with what other connections write, and only with that.
      const now = yield* version
      if (seen !== undefined && now === seen) return { events: [], process, written: false } satisfies News
      seen = now
      const events: ReadonlyArray<LoggedEvent> = yield* Stream.runCollect(log.read(run.id, next))
      next = (events.at(-1)?.sequence ?? next - 1) + 1
      return { events, process, written: true } satisfies News
    })
  }
})
