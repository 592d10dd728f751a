import { type Budget, durationMs } from "../domain/Campaign.ts"
import type { CandidateId } from "../domain/Candidate.ts"
import type { Progress } from "../judge/Progress.ts"
import { type Judgements, plus } from "../optimise/judgementCounts.ts"
import type { RunState } from "../optimise/RunState.ts"
import { type DiffChoice, diffChoice } from "./diffChoice.ts"
import { approximately, duration, integer, spent, type Usage } from "./format.ts"
import { type FrontierRow, frontierRows } from "./frontierRows.ts"
import { type HeatMap, heatMap, type Weakness, weaknesses } from "./heatMap.ts"
import { type LineageRow, lineageRows } from "./lineageRows.ts"
import type { LogRow, RunLog } from "./RunLog.ts"
import { type Left, type Pace, timeLeft } from "./timeLeft.ts"
import { oneLine } from "./width.ts"
import { modelName, rejectionDetail, stopWords, usesEmbedded } from "./words.ts"

/** `interrupted`: nobody is running it, and it has not ended. */
export type Status = "starting" | "running" | "paused" | "stopping" | "draining" | "stopped" | "interrupted"

/** One limit of the budget, or a use without a limit. */
export interface BudgetLine {
  readonly name: "money" | "calls" | "tokens" | "time"
  readonly used: string
  /** Null without a limit. */
  readonly limit: string | null
  /** Used ÷ limit; null without a limit, and where the use is unknown. */
  readonly share: number | null
}

export interface OutcomeRow {
  readonly iteration: number
  readonly accepted: boolean
  readonly parent: string
  /** Of a merge: the other parent. */
  readonly partner?: string
  readonly reason: string
  readonly detail: string
  readonly parentReward: number | null
  readonly childReward: number | null
}

/** What a view shows: plain data, every text of it safe to draw. What only some panes show is worked out when asked. */
export interface RunView {
  /** Whether the view only looks on at what another process runs. */
  readonly watching: boolean
  readonly campaign: string
  readonly runId: string
  readonly judge: string
  readonly reflection: string
  readonly embedded: boolean
  readonly status: Status
  /** Why it stopped, how long it has been paused; empty where the status says it all. */
  readonly statusNote: string
  /** What is wrong with a model that answers nothing. */
  readonly trouble?: string
  readonly stopAsked: boolean
  /** Iterations decided, and how many there are to be. */
  /** Total null where nobody knows. */
  readonly iteration: { readonly done: number; readonly total: number | null }
  readonly accepted: number
  readonly rejected: number
  /** Reasons of the rejections, most frequent first. */
  readonly rejections: ReadonlyArray<{ readonly reason: string; readonly count: number }>
  readonly rejectionsInARow: number
  readonly stall: number | null
  readonly budget: ReadonlyArray<BudgetLine>
  readonly seconds: number
  /** US dollars spent so far; null where a price is unknown. */
  readonly usedUsd: number | null
  readonly left: Left | null
  readonly step: { readonly label: string; readonly done: number; readonly total: number }
  readonly frontier: ReadonlyArray<FrontierRow>
  /** Members of the pool that are not listed. */
  readonly unlisted: number
  /** Name of the primary measure; of its false-alarm cap. */
  readonly measure: string
  readonly cap: number | null
  readonly acceptance: { readonly notes: number; readonly pairs: number }
  /** Last first. */
  readonly outcomes: ReadonlyArray<OutcomeRow>
  /** Of the run so far, over all its sittings. */
  readonly judgements: Judgements
  /** Of these, those of this sitting, where it is not the first; null for who only looks on. */
  readonly sitting: Judgements | null
  /** Oldest first. */
  readonly log: ReadonlyArray<LogRow>
  /** Ids of the pool in the order of birth. */
  readonly candidates: ReadonlyArray<string>
  readonly lineage: () => ReadonlyArray<LineageRow>
  readonly heat: () => HeatMap | undefined
  readonly weaknesses: (candidate: string) => ReadonlyArray<Weakness>
  readonly diff: (chosen: string | undefined, parent: number) => DiffChoice | undefined
}

export interface ViewMeta {
  readonly runId: string
  /** How many there are to be; left out where nobody knows. */
  readonly iterations?: number
  readonly stall?: number
  readonly limits: Budget
  readonly usage: Usage
  /** The gate's state; the one time that matters is how long it has been paused. */
  readonly paused?: boolean
  readonly pausedSeconds?: number
  /** What is wrong with a model that answers nothing, for which the run is held. */
  readonly trouble?: string
  readonly halted?: boolean
  readonly stopAsked?: boolean
  readonly pace?: Pace
  /** How many of the last outcomes to keep; 50 when left out. */
  readonly outcomes?: number
  readonly log?: RunLog
  /** Judgements that the log told of when this sitting began. */
  readonly before?: Judgements
  /** Left out by whoever runs; who only looks on says here whether somebody runs it. */
  readonly watched?: { readonly alive: boolean }
}

/** What a view of the run shows now. Computes no figures: those come with the events. */
export const viewOf = (state: RunState, progress: Progress, meta: ViewMeta): RunView => {
  const { settings } = state
  const frontier = frontierRows(state)
  const reasons = new Map<string, number>()
  let accepted = 0
  for (const { reason } of state.decisions) {
    if (reason === null) accepted++
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return {
    campaign: oneLine(settings?.campaign ?? ""),
    watching: meta.watched !== undefined,
    runId: oneLine(meta.runId),
    judge: modelName(settings?.models.judge),
    reflection: modelName(settings?.models.reflection),
    embedded: usesEmbedded(settings),
    ...statusOf(state, meta),
    stopAsked: meta.stopAsked === true,
    iteration: { done: state.iteration, total: meta.iterations ?? null },
    accepted,
    rejected: state.decisions.length - accepted,
    rejections: [...reasons].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    rejectionsInARow: state.rejectionsInARow,
    stall: meta.stall ?? null,
    budget: budgetLines(meta.usage, meta.limits),
    seconds: meta.usage.seconds,
    usedUsd: meta.usage.unpriced > 0 ? null : meta.usage.usd,
    left: state.stopped === undefined && meta.watched?.alive !== false ? timeLeft(state.iteration, meta) : null,
    step: stepOf(state, progress, meta.watched !== undefined),
    frontier,
    unlisted: state.members.length - frontier.length,
    measure: settings?.objective.primary.measure ?? "",
    cap: state.members[0]?.figures.detection?.cap ?? null,
    acceptance: { notes: state.index?.table.items.length ?? 0, pairs: state.index?.table.pairs.length ?? 0 },
    outcomes: outcomeRows(state, meta.outcomes ?? 50),
    ...judgementsOf(state, progress, meta),
    log: meta.log?.rows ?? [],
    candidates: state.members.map(({ candidate }) => candidate.id),
    lineage: () => lineageRows(state),
    heat: () => heatMap(state),
    weaknesses: (candidate) => weaknesses(state, candidate),
    diff: (chosen, parent) => diffChoice(state, chosen, parent)
  }
}

const judgementsOf = (
  state: RunState,
  { failed, scored, unparsed }: Progress,
  { before, watched }: ViewMeta
): Pick<RunView, "judgements" | "sitting"> => {
  if (watched !== undefined) {
    const { failed, scored, unparsed } = state.judgements
    return { judgements: { scored, unparsed, failed }, sitting: null }
  }
  const sitting = { scored, unparsed, failed }
  const resumed = before !== undefined && before.scored + before.unparsed + before.failed > 0
  return resumed ? { judgements: plus(before, sitting), sitting } : { judgements: sitting, sitting: null }
}

const statusOf = (state: RunState, meta: ViewMeta): Pick<RunView, "status" | "statusNote" | "trouble"> => {
  if (state.stopped !== undefined)
    return { status: "stopped", statusNote: `${stopWords[state.stopped.reason]}: ${oneLine(state.stopped.detail)}` }
  if (meta.watched?.alive === false) return { status: "interrupted", statusNote: "no process runs it" }
  if (meta.halted === true) return { status: "draining", statusNote: "calls under way are finished and kept" }
  const since = meta.pausedSeconds === undefined ? "" : ` for ${duration(meta.pausedSeconds)}`
  if (meta.trouble !== undefined)
    return { status: "paused", statusNote: `no answers${since}; p tries now`, trouble: oneLine(meta.trouble) }
  if (meta.paused === true) {
    return { status: "paused", statusNote: `no new calls${since}` }
  }
  if (meta.stopAsked === true) return { status: "stopping", statusNote: "after this iteration" }
  return state.settings === undefined ? { status: "starting", statusNote: "" } : { status: "running", statusNote: "" }
}

/** The judge says what it judges; between its evaluations somebody writes a new instruction. */
export const stepOf = (state: RunState, progress: Progress, watching = false): RunView["step"] => {
  if (state.stopped !== undefined) return { label: "", done: 0, total: 0 }
  if (watching) return { label: watchedStep(state), done: 0, total: 0 }
  const reflecting = state.current?.parentOutcomes !== undefined && state.current.instruction === undefined
  if (reflecting) return { label: `iteration ${state.current?.iteration}, reflection`, done: 0, total: 0 }
  return { label: oneLine(progress.label), done: progress.done, total: progress.total }
}

/** What the events say of the work at hand. */
export const watchedStep = ({ current, settings, waiting }: RunState): string => {
  if (settings === undefined) return ""
  const [born] = waiting
  if (born !== undefined) return `judging ${oneLine(born.name)} on the acceptance part`
  if (current === undefined) return ""
  const step =
    current.parentOutcomes === undefined
      ? "judging the parent"
      : current.instruction === undefined
        ? "reflection"
        : "judging the proposal"
  return `iteration ${current.iteration}, ${step}`
}

const nameOf = (state: RunState, id: CandidateId): string => oneLine(state.member(id)?.candidate.name ?? id)

const outcomeRows = (state: RunState, count: number): ReadonlyArray<OutcomeRow> =>
  state.decisions
    .slice(-count)
    .reverse()
    .map((decision) => ({
      iteration: decision.iteration,
      accepted: decision.accepted,
      parent: nameOf(state, decision.parent),
      ...(decision.partner === undefined ? {} : { partner: nameOf(state, decision.partner) }),
      reason: decision.reason ?? "accepted",
      detail: rejectionDetail(decision.reason, decision.detail),
      parentReward: decision.parentReward,
      childReward: decision.childReward
    }))

/** Use against each limit. Money whose price is unknown has no share: nobody can say how near its limit is. */
export const budgetLines = (usage: Usage, limits: Budget): ReadonlyArray<BudgetLine> => {
  const of = (used: number | null, limit: number | undefined) =>
    used === null || limit === undefined ? null : used / limit
  const seconds = limits.wallClock === undefined ? undefined : durationMs(limits.wallClock) / 1000
  const shown = (limit: number | undefined, show: (value: number) => string) =>
    limit === undefined ? null : show(limit)
  return [
    {
      name: "money",
      used: spent(usage),
      limit: shown(limits.usd, (usd) => `$${usd}`),
      share: usage.unpriced > 0 ? null : of(usage.usd, limits.usd)
    },
    {
      name: "calls",
      used: integer(usage.calls),
      limit: shown(limits.calls, integer),
      share: of(usage.calls, limits.calls)
    },
    {
      name: "tokens",
      used: approximately((usage.estimated?.calls ?? 0) > 0, integer(usage.tokens)),
      limit: shown(limits.tokens, integer),
      share: of(usage.tokens, limits.tokens)
    },
    { name: "time", used: duration(usage.seconds), limit: shown(seconds, duration), share: of(usage.seconds, seconds) }
  ]
}
