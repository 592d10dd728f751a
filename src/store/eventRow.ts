import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sha256 } from "../domain/hash.ts"
import { RunEvent } from "../domain/RunEvent.ts"

/** An event with its place and its time (milliseconds since 1970), which stand beside it, not in it. */
export interface LoggedEvent {
  readonly sequence: number
  readonly time: number
  readonly event: RunEvent
}

/** A row of the table of events, without its run. */
export interface EventRow {
  readonly sequence: number
  readonly type: string
  readonly time: number
  readonly payload: string
  /** Null in rows that were written before events had checksums. */
  readonly sha256: string | null
}

/** Over all that a reader is given, and the run, so that an event put into another run is found out. */
export const eventChecksum = (run: string, sequence: number, time: number, payload: string): string =>
  sha256(`${run}\n${sequence}\n${time}\n${payload}`)

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(RunEvent))

/** The event, or what is wrong with the row, as the end of a sentence that starts with the row's name. */
export const decodeEventRow = (run: string, row: EventRow): Effect.Effect<LoggedEvent, string> =>
  Effect.suspend(() => {
    const { payload, sequence, sha256: written, time, type } = row
    if (written !== null && written !== eventChecksum(run, sequence, time, payload))
      return Effect.fail("does not match its checksum")
    return decode(payload).pipe(
      Effect.mapError((issue) => `cannot be read (${issue.message.replace(/\s+/g, " ")})`),
      Effect.flatMap((event) =>
        event._tag === type
          ? Effect.succeed({ sequence, time, event })
          : Effect.fail(`is filed as ${type} and is ${event._tag}`)
      )
    )
  })
