import type { Branch } from "../domain/Campaign.ts"
import type { Detection, Discrimination, StopReason } from "../domain/RunEvent.ts"
import { isFinished } from "../domain/RunEvent.ts"
import { type Judgements, plus } from "../optimise/judgementCounts.ts"
import type { Member, RunState } from "../optimise/RunState.ts"
import { wilson } from "../statistics/wilson.ts"
import { type RunStatus, runStatus } from "../store/RunStatus.ts"
import type { KnownRun } from "../store/runStatuses.ts"
import { compareScores, type PairComparison } from "./compare.ts"
import type { Usage } from "./format.ts"
import { fromOf, lengthOf } from "./frontierRows.ts"
import { embeddedLabel, humanWords, modelName, usesEmbedded } from "./words.ts"

/** What a summary says that the events do not hold. */
export interface SummaryExtra {
  readonly runId: string
  /** Bought for this run; left out where nobody knows. */
  readonly usage?: Usage
  /** The campaign's file as one would type it, for the command that goes on. */
  readonly campaignFile?: string
  /** How many iterations the campaign asks for. */
  readonly iterations?: number
  /** How it stands with the run, and who is running it now; left out by whoever has just run it. */
  readonly standing?: Pick<KnownRun, "status" | "holder">
  /** Judgements that the log told of when this sitting began, and this sitting's; left out for a run that is only shown. */
  readonly judged?: { readonly before: Judgements; readonly sitting: Judgements }
  /** How often this sitting had to wait for a model that answered nothing, and how long it was paused altogether. */
  readonly held?: { readonly times: number; readonly seconds: number }
  /** Whether a confirmation of it has been read out. */
  readonly confirmed?: boolean
  /** Commands worth running next; the summary finds its own when left out. */
  readonly next?: ReadonlyArray<{ readonly command: string; readonly does: string }>
}

const none: Judgements = { scored: 0, unparsed: 0, failed: 0 }

type Interval = readonly [number, number] | null

/** A member's acceptance figures with their intervals. */
export interface MemberSummary {
  readonly id: string
  readonly name: string
  readonly from: string
  readonly iteration: number
  readonly winner: boolean
  readonly length: number
  readonly primary: number | null
  readonly secondary: number | null
  readonly reward: number | null
  readonly discrimination: Discrimination
  /** Wilson 95 % intervals of both rates. */
  readonly detection:
    | (Detection & { readonly detectedInterval: Interval; readonly falseAlarmInterval: Interval })
    | null
  readonly unparsed: number
  readonly failed: number
}

/** Every figure of a summary, unrounded. */
export interface SummaryFigures {
  readonly run: string
  readonly campaign: string
  readonly models: { readonly judge: string; readonly reflection: string }
  /** The label that belongs to every figure here; null for real models. */
  readonly label: string | null
  /** As `assize runs list` has it. */
  readonly status: RunStatus
  /** The process that is running it now, and since when. */
  readonly process: number | null
  readonly host: string | null
  readonly since: string | null
  /** Why it stopped; null while it runs, and where it was cut off. */
  readonly stopped: { readonly reason: StopReason; readonly detail: string; readonly finished: boolean } | null
  readonly acceptance: { readonly notes: number; readonly pairs: number; readonly consultations: number }
  readonly primary: string
  readonly secondary: string | null
  readonly iterations: { readonly done: number; readonly asked: number | null }
  readonly candidates: number
  readonly accepted: number
  readonly rejected: number
  readonly rejections: Readonly<Record<string, number>>
  readonly merges: { readonly drawn: number; readonly accepted: number }
  /** Accepted candidates whose evaluation was cut short; they are not in the pool. */
  readonly raced: number
  readonly winner: string | null
  /** Seeds in the order of the campaign, then the winner where it is no seed. */
  readonly members: ReadonlyArray<MemberSummary>
  /** The winner against each seed that it is not. */
  readonly comparisons: ReadonlyArray<PairComparison & { readonly seed: string; readonly seedId: string }>
  /** Notes of acceptance evaluations without a readable reply, and whose calls failed. */
  readonly unparsed: number
  readonly failed: number
  /**
   * The share of the unit cube of paired discrimination on omissions, on commissions, and 1 − false alarms at the
   * operating point, that the pool covers: with the seeds alone and now. Null without a candidate or without pairs.
   */
  readonly hypervolume: {
    readonly seeds: number
    readonly now: number
    readonly omissions: number
    readonly commissions: number
    readonly clean: number
  } | null
  /** What people did to the run, in words, with the last iteration before. */
  readonly human: ReadonlyArray<{ readonly iteration: number; readonly did: string }>
  /** Of a run that was branched from another. */
  readonly branch: Branch | null
  /** Judgements of the run, over all its sittings. */
  readonly judgements: Judgements
  /** Of these, this sitting's; null for a run that is only shown. */
  readonly sitting: Judgements | null
  readonly held: SummaryExtra["held"] | null
  readonly usage: Usage | null
}

const summaryOf = (state: RunState, member: Member): MemberSummary => {
  const { detection, ...figures } = member.figures
  return {
    id: member.candidate.id,
    name: member.candidate.name,
    from: fromOf(state, member),
    iteration: member.candidate.iteration,
    winner: member === state.winner,
    length: lengthOf(member),
    ...figures,
    detection:
      detection === null
        ? null
        : {
            ...detection,
            detectedInterval: wilson(detection.detected, detection.flawed),
            falseAlarmInterval: wilson(detection.falseAlarms, detection.clean)
          }
  }
}

const hypervolumeOf = ({ hypervolumes, index }: RunState): SummaryFigures["hypervolume"] => {
  const [seeds] = hypervolumes
  const now = hypervolumes.at(-1)
  if (seeds === undefined || now === undefined || index === undefined || index.pairs.length === 0) return null
  const omissions = index.table.pairs.filter((pair) => pair.class === "omission").length
  return { seeds, now, omissions, commissions: index.pairs.length - omissions, clean: index.table.clean.length }
}

/** The figures of a summary from the state that a run's events give. */
export const summaryFigures = (state: RunState, extra: SummaryExtra): SummaryFigures => {
  const { index, settings, stopped, winner } = state
  const { judged } = extra
  const { holder, status } = extra.standing ?? { status: runStatus(stopped?.reason ?? null, false), holder: null }
  const seeds = state.members.filter(({ candidate }) => candidate.origin === "seed")
  const shown = winner === undefined || seeds.includes(winner) ? seeds : [...seeds, winner]
  const rejections: Record<string, number> = {}
  for (const { reason } of state.decisions) if (reason !== null) rejections[reason] = (rejections[reason] ?? 0) + 1
  const accepted = state.decisions.filter(({ accepted }) => accepted).length
  const classes = settings?.objective.primary.classes
  const sum = (of: (member: Member) => number) => state.members.reduce((total, member) => total + of(member), 0)
  return {
    run: extra.runId,
    campaign: settings?.campaign ?? "",
    models: { judge: modelName(settings?.models.judge), reflection: modelName(settings?.models.reflection) },
    label: usesEmbedded(settings) ? embeddedLabel : null,
    status,
    process: holder?.pid ?? null,
    host: holder?.host ?? null,
    since: holder?.since ?? null,
    stopped:
      stopped === undefined || status === "running"
        ? null
        : { reason: stopped.reason, detail: stopped.detail, finished: isFinished(stopped.reason) },
    acceptance: {
      notes: index?.table.items.length ?? 0,
      pairs: index?.table.pairs.length ?? 0,
      consultations: index?.clusters ?? 0
    },
    primary: settings?.objective.primary.measure ?? "",
    secondary: settings?.objective.secondary?.measure ?? null,
    iterations: { done: state.iteration, asked: extra.iterations ?? null },
    candidates: state.members.length,
    accepted,
    rejected: state.decisions.length - accepted,
    rejections,
    merges: {
      drawn: state.merges,
      accepted: state.decisions.filter(({ accepted, partner }) => accepted && partner !== undefined).length
    },
    raced: state.raced.length,
    winner: winner?.candidate.id ?? null,
    members: shown.map((member) => summaryOf(state, member)),
    comparisons:
      winner === undefined || index === undefined
        ? []
        : seeds
            .filter((seed) => seed !== winner)
            .map((seed) => ({
              seed: seed.candidate.name,
              seedId: seed.candidate.id,
              ...compareScores(winner.scores, seed.scores, index, {
                ...(classes === undefined ? {} : { classes })
              })
            })),
    unparsed: sum(({ figures }) => figures.unparsed),
    failed: sum(({ figures }) => figures.failed),
    hypervolume: hypervolumeOf(state),
    human: state.remarks.all.map(({ event, iteration }) => ({
      iteration,
      did: humanWords(event, (id) => state.member(id)?.candidate.name ?? id)
    })),
    branch: settings?.branch ?? null,
    judgements: judged === undefined ? plus(state.judgements, none) : plus(judged.before, judged.sitting),
    sitting: judged?.sitting ?? null,
    held: extra.held ?? null,
    usage: extra.usage ?? null
  }
}
