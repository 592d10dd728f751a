import type { Candidate, CandidateId } from "../domain/Candidate.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import {
  type Figures,
  isUnusable,
  type RejectionReason,
  type RunEvent,
  type RunSettings,
  type StopReason
} from "../domain/RunEvent.ts"
import { scaleOf } from "../judge/scaleOf.ts"
import { Frontier } from "./frontier.ts"
import { indexTable, type TableIndex } from "./itemTable.ts"
import type { Attempt } from "./reflectionPrompt.ts"
import { rewards, type Scale, standing, wholeNoteScale } from "./rewards.ts"

/** A candidate of the pool, once it has been evaluated on the acceptance part. */
export interface Member {
  readonly candidate: Candidate
  readonly figures: Figures
  /** By instance; NaN where a call failed. */
  readonly rewards: Float64Array
  /** By item of the table; NaN without a score. */
  readonly scores: Float64Array
  /** Kept only where calls failed, which may be made again. */
  readonly outcomes?: Outcomes
}

type Evaluated = Pick<Extract<RunEvent, { _tag: "evaluated" }>, "candidate" | "outcomes" | "figures">

/** The iteration under way: what has been decided of it so far. */
export interface IterationState {
  readonly iteration: number
  readonly parent: CandidateId
  readonly module: string
  readonly minibatch: ReadonlyArray<string>
  readonly parentOutcomes?: Outcomes
  readonly instruction?: string | null
}

export interface Decision {
  readonly iteration: number
  readonly parent: CandidateId
  readonly accepted: boolean
  readonly reason: RejectionReason | null
  readonly detail: string
  readonly parentReward: number | null
  readonly childReward: number | null
}

/**
 * The state of a run: a fold over its events, and nothing else. It grows in place, one event at a time, because a pool
 * of 200 candidates on 1,000 notes is too much to copy with every event; readers treat it as read-only.
 */
export class RunState {
  scale: Scale
  readonly #scaleGiven: boolean
  settings: RunSettings | undefined
  index: TableIndex | undefined
  frontier = new Frontier(0)
  readonly members: Array<Member> = []
  /** Born, and not evaluated yet. */
  readonly waiting: Array<Candidate> = []
  readonly decisions: Array<Decision> = []
  current: IterationState | undefined
  /** The last iteration that was decided. */
  iteration = 0
  rejectionsInARow = 0
  unusableInARow = 0
  stopped: { readonly reason: StopReason; readonly detail: string; readonly winner: CandidateId | null } | undefined
  events = 0
  readonly #byId = new Map<CandidateId, number>()
  readonly #instructions = new Set<string>()
  readonly #attempts = new Map<CandidateId, Array<Attempt>>()
  readonly #triedTexts = new Map<string, string>()

  /** Without a scale it is that of the design that the run starts with. */
  constructor(scale?: Scale) {
    this.scale = scale ?? wholeNoteScale
    this.#scaleGiven = scale !== undefined
  }

  apply(event: RunEvent): void {
    this.events++
    this.stopped = undefined
    switch (event._tag) {
      case "started":
        this.settings = event.settings
        if (!this.#scaleGiven) this.scale = scaleOf(event.settings.judge.design)
        this.index = indexTable(event.acceptance)
        this.frontier = new Frontier(this.index.instances.length)
        return
      case "candidate":
        this.waiting.push(event.candidate)
        for (const text of Object.values(event.candidate.instructions)) this.#instructions.add(text)
        return
      case "evaluated": {
        const at = this.waiting.findIndex(({ id }) => id === event.candidate)
        const [candidate] = this.waiting.splice(at, 1)
        if (at === -1 || candidate === undefined || this.index === undefined)
          throw new Error(`the run evaluates ${event.candidate}, which it never made`)
        const member = this.#memberOf(candidate, event, this.index)
        this.#byId.set(candidate.id, this.members.push(member) - 1)
        this.frontier.add(member.rewards)
        return
      }
      case "rejudged":
        this.#rejudge(event)
        return
      case "iteration":
        this.current = {
          iteration: event.iteration,
          parent: event.parent,
          module: event.module,
          minibatch: event.minibatch
        }
        return
      case "parentJudged":
        if (this.current !== undefined) this.current = { ...this.current, parentOutcomes: event.outcomes }
        return
      case "proposed":
        if (this.current !== undefined) this.current = { ...this.current, instruction: event.instruction }
        return
      case "childJudged":
        return
      case "decided":
        this.#decide(event)
        return
      case "stopped":
        this.stopped = { reason: event.reason, detail: event.detail, winner: event.winner }
        // Whoever goes on after this has seen to the reflection model: it gets a fresh start.
        if (event.reason === "broken-reflection") this.unusableInARow = 0
    }
  }

  #memberOf(candidate: Candidate, { figures, outcomes }: Evaluated, index: TableIndex): Member {
    return {
      candidate,
      figures,
      rewards: rewards(index, outcomes, this.scale),
      scores: standing(index, outcomes).scores,
      ...(figures.failed > 0 ? { outcomes } : {})
    }
  }

  #rejudge(event: Evaluated): void {
    const at = this.#byId.get(event.candidate)
    if (at === undefined || this.index === undefined)
      throw new Error(`the run judges ${event.candidate} again, which it never evaluated`)
    this.members[at] = this.#memberOf(this.members[at]!.candidate, event, this.index)
    this.frontier = new Frontier(this.index.instances.length)
    for (const member of this.members) this.frontier.add(member.rewards)
  }

  /** Members with notes whose calls failed. */
  get incomplete(): ReadonlyArray<Member> {
    return this.members.filter(({ outcomes }) => outcomes !== undefined)
  }

  #decide(event: Extract<RunEvent, { _tag: "decided" }>): void {
    const instruction = this.current?.instruction
    if (instruction !== undefined && instruction !== null) {
      const tried = this.#attempts.get(event.parent) ?? []
      tried.push({ instruction, reason: event.reason, detail: event.detail })
      this.#attempts.set(event.parent, tried)
      if (!event.accepted) this.#triedTexts.set(`${event.parent}\n${instruction}`, event.detail)
    }
    this.current = undefined
    this.iteration = event.iteration
    this.decisions.push(event)
    this.rejectionsInARow = event.accepted ? 0 : this.rejectionsInARow + 1
    this.unusableInARow = event.reason !== null && isUnusable(event.reason) ? this.unusableInARow + 1 : 0
  }

  member(id: CandidateId): Member | undefined {
    const at = this.#byId.get(id)
    return at === undefined ? undefined : this.members[at]
  }

  /** The instructions that the pool holds. */
  get instructions(): ReadonlySet<string> {
    return this.#instructions
  }

  /** What earlier children of the parent tried, oldest first. */
  attempts(parent: CandidateId): ReadonlyArray<Attempt> {
    return this.#attempts.get(parent) ?? []
  }

  /** What became of the same text as a child of the same parent, if it was tried before. */
  triedBefore(parent: CandidateId, instruction: string): string | undefined {
    return this.#triedTexts.get(`${parent}\n${instruction}`)
  }

  /**
   * The best member: greatest primary measure, then secondary, then the earlier one [method §5.10]. A member whose
   * evaluation has failed calls is compared on other notes than the rest, so it wins only when every member has some.
   */
  get winner(): Member | undefined {
    const whole = this.members.filter(({ figures }) => figures.failed === 0)
    return (whole.length > 0 ? whole : this.members).reduce<Member | undefined>(
      (best, member) => (best === undefined || better(member.figures, best.figures) ? member : best),
      undefined
    )
  }
}

const tie = 1e-9

/** Strictly better by primary, then secondary; without pairs to measure, by mean reward. */
const better = (a: Figures, b: Figures): boolean => {
  const primary = (a.primary ?? a.reward ?? 0) - (b.primary ?? b.reward ?? 0)
  if (Math.abs(primary) > tie) return primary > 0
  return (a.secondary ?? 0) - (b.secondary ?? 0) > tie
}

/** The state after the events. */
export const foldRun = (events: Iterable<RunEvent>, scale?: Scale): RunState => {
  const state = new RunState(scale)
  for (const event of events) state.apply(event)
  return state
}
