import * as Effect from "effect/Effect"
import { type StoreError, storeError } from "./errors.ts"
import { Statements } from "./sqlite.ts"

/** The batch that is to bring an answer. */
export interface BatchHold {
  /** The server's name for it; null until the server has been heard to have it. */
  readonly serverId: string | null
  /** Milliseconds since 1970. */
  readonly created: number
}

/** Looks whether a request is in a batch whose results are still to come, whoever sent it. In a transaction it belongs to it. */
export const makeBatchHolds: Effect.Effect<
  (key: string) => Effect.Effect<BatchHold | undefined, StoreError>,
  never,
  Statements
> = Effect.map(Statements, ({ statement }) => {
  const looking = statement<BatchHold>(`SELECT batches.server_id AS "serverId", batches.created FROM batch_requests
    JOIN batches ON batches.id = batch_requests.batch WHERE batch_requests.key = ?`)
  return (key) =>
    looking
      .all(key)
      .pipe(Effect.mapBoth({ onSuccess: ([hold]) => hold, onFailure: storeError("look for a batch under way") }))
})
