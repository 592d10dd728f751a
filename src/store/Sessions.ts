import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { type StoreError, storeError } from "./errors.ts"

/** One stretch of a run in one process. */
export interface Session {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly started: number
  /** Milliseconds that the run's earlier sessions ran, each as far as it was last seen. */
  readonly earlierMs: number
}

/** When a run was running: what a budget of time is counted from. A killed session counts up to its last `seen`. */
export class Sessions extends Context.Service<
  Sessions,
  {
    open(run: string): Effect.Effect<Session, StoreError>
    /** Notes that the session is running now; `heldMs` of its time it was paused, which is not counted. */
    seen(session: Session, heldMs?: number): Effect.Effect<void, StoreError>
    /** Milliseconds over all sessions of the run, as far as they were last seen. */
    elapsed(run: string): Effect.Effect<number, StoreError>
  }
>()("assize/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const elapsed = (run: string) =>
        sql<{
          readonly ms: number
        }>`SELECT coalesce(sum(seen - started), 0) AS ms FROM sessions WHERE run = ${run}`.pipe(
          Effect.mapBoth({ onSuccess: ([row]) => row?.ms ?? 0, onFailure: storeError(`add up the time of run ${run}`) })
        )
      const open = Effect.fn("Sessions.open")(function* (run: string) {
        const earlierMs = yield* elapsed(run)
        const started = yield* Clock.currentTimeMillis
        const rows = yield* sql<{ readonly id: number }>`
          INSERT INTO sessions (run, started, seen) VALUES (${run}, ${started}, ${started}) RETURNING id`.pipe(
          Effect.mapError(storeError(`open a session of run ${run}`))
        )
        return { id: rows[0]!.id, started, earlierMs }
      })
      const seen = (session: Session, heldMs = 0) =>
        Clock.clockWith((clock) =>
          sql`UPDATE sessions SET seen = ${clock.currentTimeMillisUnsafe() - Math.round(heldMs)} WHERE id = ${session.id}`.raw.pipe(
            Effect.asVoid,
            Effect.mapError(storeError("note the running time"))
          )
        )
      return Sessions.of({ open, seen, elapsed })
    })
  )
}
