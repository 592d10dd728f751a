import { count } from "../domain/count.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import { isFinished } from "../domain/RunEvent.ts"
import type { Progress } from "../judge/Progress.ts"
import type { RunState } from "../optimise/RunState.ts"
import { clockOf, costMark, elapsedMark, interval, percent, record, share, type Usage } from "./format.ts"
import { fromOf, lengthOf } from "./frontierRows.ts"
import { nextSteps } from "./nextSteps.ts"
import { fit, oneLine } from "./width.ts"
import { embeddedLabel, humanWords, modelName, rejectionDetail, stopWords, usesEmbedded } from "./words.ts"

/** What lines say that the events do not hold. */
export interface LineExtra {
  readonly runId?: string
  readonly iterations?: number
  readonly trainNotes?: number
  readonly campaignFile?: string
}

const longest = 300

/**
 * One event as a line for a log, without its time, or undefined for one that is not worth a line. `state` is the state
 * after the event. Quotes no note and no instruction.
 */
export const eventLine = (event: RunEvent, state: RunState, extra: LineExtra = {}): string | undefined => {
  const line = lineOf(event, state, extra)
  return line === undefined ? undefined : fit(line, longest)
}

const lineOf = (event: RunEvent, state: RunState, extra: LineExtra): string | undefined => {
  switch (event._tag) {
    case "started": {
      const { campaign, models } = event.settings
      const train = extra.trainNotes === undefined ? "" : `${extra.trainNotes} train notes, `
      const label = usesEmbedded(event.settings) ? ` [${embeddedLabel}]` : ""
      const run = extra.runId === undefined ? "" : `run ${oneLine(extra.runId)}, `
      return `started: ${run}campaign ${fit(oneLine(campaign), 60)}, judge ${modelName(models.judge)}, reflection ${modelName(models.reflection)}, ${train}${count(event.acceptance.items.length, "acceptance note")} in ${count(event.acceptance.pairs.length, "pair")}${label}`
    }
    case "evaluated":
      return evaluatedLine(event, state)
    case "raced": {
      const { judged, notes } = event
      return `${nameOf(state, event.candidate)}: evaluation cut short after ${judged} of ${count(notes, "note")}, no parent and no winner: ${oneLine(event.detail)}`
    }
    case "rejudged":
      return `failed notes judged again: ${evaluatedLine(event, state)}`
    case "decided":
      return decidedLine(event, state, extra)
    case "pinned":
    case "vetoed":
    case "added":
    case "branched":
      return humanWords(event, (id) => nameOf(state, id))
    case "stopped": {
      const [next] = isFinished(event.reason)
        ? []
        : nextSteps(event.reason, { runId: extra.runId ?? "RUN", ...pick(extra) })
      const on = next === undefined ? "" : `. To go on: ${next.command} (${next.does})`
      return `${isFinished(event.reason) ? "finished" : "stopped"}: ${stopWords[event.reason]}; ${fit(oneLine(event.detail), 160)}${on}`
    }
    default:
      return undefined
  }
}

const pick = ({ campaignFile }: LineExtra) => (campaignFile === undefined ? {} : { campaignFile })

const nameOf = (state: RunState, id: string): string =>
  fit(
    oneLine([...state.members, ...state.raced].find(({ candidate }) => candidate.id === id)?.candidate.name ?? id),
    40
  )

const evaluatedLine = (event: Extract<RunEvent, { _tag: "evaluated" | "rejudged" }>, state: RunState): string => {
  const member = state.member(event.candidate)
  const { detection, discrimination, failed, primary, unparsed } = event.figures
  const from = member === undefined ? "" : fromOf(state, member)
  const measure = state.settings?.objective.primary.measure ?? "paired-discrimination"
  return [
    `${nameOf(state, event.candidate)} (${from === "seed" ? from : `from ${fit(from, 40)}`}): paired discrimination ${share(discrimination.value)} ${interval(discrimination.interval)}, n ${discrimination.pairs}, wins/ties/losses ${record(discrimination)}`,
    ...(measure === "paired-discrimination" ? [] : [`${measure} ${share(primary)}`]),
    ...(detection === null
      ? []
      : [
          `detection ${detection.detected}/${detection.flawed} at false alarms ${detection.falseAlarms}/${detection.clean} (≤ ${percent(detection.cap)})`
        ]),
    ...(unparsed > 0 ? [`${unparsed} unreadable`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(member === undefined ? [] : [`${lengthOf(member)} characters`]),
    ...(member !== undefined && member === state.winner ? ["★ best so far"] : [])
  ].join(", ")
}

const decidedLine = (event: Extract<RunEvent, { _tag: "decided" }>, state: RunState, extra: LineExtra): string => {
  const of = extra.iterations === undefined ? "" : `/${extra.iterations}`
  const verdict = event.accepted ? "accepted" : `rejected (${event.reason})`
  const number = event.proposal === undefined ? "" : `, proposal ${event.proposal}`
  const child =
    event.partner === undefined
      ? `child of ${nameOf(state, event.parent)}`
      : `merge of ${nameOf(state, event.parent)} and ${nameOf(state, event.partner)}`
  return `iteration ${event.iteration}${of}${number}: ${verdict}, ${child}: ${rejectionDetail(event.reason, event.detail)}`
}

/** The work at hand as a line, or undefined when there is none. */
export const progressLine = ({ done, failed, label, total, unparsed }: Progress): string | undefined => {
  if (total === 0 || done >= total) return undefined
  const troubles = [
    ...(unparsed > 0 ? [`${unparsed} unreadable so far`] : []),
    ...(failed > 0 ? [`${failed} failed so far`] : [])
  ]
  return [`${fit(oneLine(label), 80)}: ${done}/${total} (${percent(done / total)})`, ...troubles].join(", ")
}

const everyMs = 10_000
const heartbeatMs = 60_000

/**
 * Decides when the work at hand deserves a line: not before 10 s after the last line and a further 10 %, or after a
 * minute whatever happened, so that a log shows a slow model from a dead process.
 */
export class ProgressPacer {
  #at: number
  #label = ""
  #done = 0

  /** `now` in milliseconds, as in the calls that follow. */
  constructor(now: number) {
    this.#at = now
  }

  /** Another line was written. */
  wrote(now: number): void {
    this.#at = now
  }

  /** The line to write now, if any. `at` says what goes on where no work can be counted: said once a minute. */
  due(progress: Progress, now: number, at?: string): string | undefined {
    const since = now - this.#at
    if (since < everyMs) return undefined
    const moved = progress.label !== this.#label || (progress.done - this.#done) * 10 >= progress.total
    if (!moved && since < heartbeatMs) return undefined
    const line =
      progressLine(progress) ?? (since < heartbeatMs || at === undefined ? undefined : fit(oneLine(at), longest))
    if (line === undefined) return undefined
    this.#at = now
    this.#label = progress.label
    this.#done = progress.done
    return line
  }
}

/** A line of the log with its local time, and how long the run has been at work and what it has cost by then. */
export const stamped = (line: string, time: Date, used?: Usage): string =>
  `${clockOf(time)} ${used === undefined ? "" : `${elapsedMark(used.seconds)} ${costMark(used)} `}${line}\n`

export interface PlainRun {
  /** To be told of each new event, after it is in the state. `time` is when it happened; now, if left out. */
  seen(event: RunEvent, time?: Date): void
  /** To be called every second or so. */
  tick(): void
  /** Writes a line that no event is behind. */
  say(line: string): void
}

export interface PlainSources {
  /** What was bought by now, as far as it is known. */
  readonly used?: () => Usage | undefined
  /** Says what goes on where no work can be counted. */
  readonly at?: () => string
  readonly now?: () => Date
}

/** Plain mode over a writer of whole lines. */
export const plainRun = (
  write: (line: string) => void,
  state: RunState,
  progress: Progress,
  extra: LineExtra = {},
  { at, now = () => new Date(), used }: PlainSources = {}
): PlainRun => {
  const pacer = new ProgressPacer(now().getTime())
  const say = (line: string, time = now()) => {
    pacer.wrote(now().getTime())
    write(stamped(line, time, used?.()))
  }
  return {
    seen: (event, time) => {
      const line = eventLine(event, state, extra)
      if (line !== undefined) say(line, time)
    },
    say: (line) => say(fit(oneLine(line), longest)),
    tick: () => {
      const time = now()
      const line = pacer.due(progress, time.getTime(), at?.())
      if (line !== undefined) write(stamped(line, time, used?.()))
    }
  }
}
