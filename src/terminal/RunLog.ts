import type { RunEvent } from "../domain/RunEvent.ts"
import type { RunState } from "../optimise/RunState.ts"
import { clockOf } from "./format.ts"
import { eventLine, type LineExtra } from "./PlainRun.ts"
import { fit, oneLine } from "./width.ts"

/** A line of the log, safe to draw. */
export interface LogRow {
  /** Local time of day. */
  readonly time: string
  readonly text: string
}

const most = 5000

/** What has happened, oldest first, for a pane. Old lines are dropped when there are very many. */
export class RunLog {
  readonly rows: Array<LogRow> = []

  /** An event, after it is in the state. */
  seen(event: RunEvent, state: RunState, time: Date, extra: LineExtra = {}): void {
    const text = eventLine(event, state, extra)
    if (text !== undefined) this.#add({ time: clockOf(time), text })
  }

  /** What no event is behind. */
  say(text: string, time: Date): void {
    this.#add({ time: clockOf(time), text: fit(oneLine(text), 300) })
  }

  #add(row: LogRow): void {
    this.rows.push(row)
    if (this.rows.length > most) this.rows.splice(0, most / 10)
  }
}
