import { searchDefaults } from "../domain/Campaign.ts"
import type { Candidate, CandidateId } from "../domain/Candidate.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import {
  type Figures,
  type HumanEvent,
  isHuman,
  isUnusable,
  type RejectionReason,
  type RunEvent,
  type RunSettings,
  type StopReason
} from "../domain/RunEvent.ts"
import type { Frontier } from "./frontier/Frontier.ts"
import { frontierOf } from "./frontier/frontierOf.ts"
import { covered, type Objectives, objectivesFrontier, objectivesOf } from "./frontier/objectives.ts"
import { type DrawPool, selectParent } from "./frontier/select.ts"
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
  readonly objectives: Objectives
  /** Kept only where calls failed, which may be made again. */
  readonly outcomes?: Outcomes
}

/** Who did something to a candidate, and why. */
export type Remark = Pick<HumanEvent, "author" | "reason">

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
  readonly scale: Scale
  settings: RunSettings | undefined
  index: TableIndex | undefined
  frontier: Frontier = objectivesFrontier()
  readonly members: Array<Member> = []
  /** Born, and not evaluated yet. */
  readonly waiting: Array<Candidate> = []
  readonly decisions: Array<Decision> = []
  /**
   * The share of the unit cube of objectives that the pool covers (reference point 0) after each iteration, by its
   * number; first that of the seeds.
   */
  readonly hypervolumes: Array<number> = []
  current: IterationState | undefined
  /** The last iteration that was decided. */
  iteration = 0
  rejectionsInARow = 0
  unusableInARow = 0
  stopped: { readonly reason: StopReason; readonly detail: string; readonly winner: CandidateId | null } | undefined
  events = 0
  /** Candidates that the run ever had. */
  born = 0
  /** What people did to the run, in order. */
  readonly human: Array<HumanEvent> = []
  readonly #byId = new Map<CandidateId, number>()
  readonly #pins = new Map<CandidateId, Remark>()
  readonly #vetoes = new Map<CandidateId, Remark>()
  readonly #instructions = new Set<string>()
  readonly #attempts = new Map<CandidateId, Array<Attempt>>()
  readonly #triedTexts = new Map<string, string>()

  constructor(scale: Scale = wholeNoteScale) {
    this.scale = scale
  }

  apply(event: RunEvent): void {
    this.events++
    if (isHuman(event)) {
      this.#heed(event)
      return
    }
    this.stopped = undefined
    switch (event._tag) {
      case "started":
        this.settings = event.settings
        this.index = indexTable(event.acceptance)
        this.frontier = this.#emptyFrontier(this.index)
        return
      case "candidate":
        this.#bear(event.candidate)
        return
      case "evaluated": {
        const at = this.waiting.findIndex(({ id }) => id === event.candidate)
        const [candidate] = this.waiting.splice(at, 1)
        if (at === -1 || candidate === undefined || this.index === undefined)
          throw new Error(`the run evaluates ${event.candidate}, which it never made`)
        const member = this.#memberOf(candidate, event, this.index)
        this.#byId.set(candidate.id, this.members.push(member) - 1)
        this.frontier.add(this.isVetoed(candidate.id) ? null : member)
        this.#measureVolume()
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
    const stands = standing(index, outcomes)
    return {
      candidate,
      figures,
      rewards: rewards(index, outcomes, this.scale),
      scores: stands.scores,
      objectives: objectivesOf(index, stands, figures.detection),
      ...(figures.failed > 0 ? { outcomes } : {})
    }
  }

  #rejudge(event: Evaluated): void {
    const at = this.#byId.get(event.candidate)
    if (at === undefined || this.index === undefined)
      throw new Error(`the run judges ${event.candidate} again, which it never evaluated`)
    this.members[at] = this.#memberOf(this.members[at]!.candidate, event, this.index)
    this.#rebuildFrontier(this.index)
  }

  #emptyFrontier(index: TableIndex): Frontier {
    return frontierOf(this.settings?.search.frontier ?? searchDefaults.frontier, index)
  }

  #rebuildFrontier(index: TableIndex): void {
    this.frontier = this.#emptyFrontier(index)
    for (const member of this.members) this.frontier.add(this.isVetoed(member.candidate.id) ? null : member)
    this.#measureVolume()
  }

  #bear(candidate: Candidate): void {
    this.born++
    this.waiting.push(candidate)
    for (const text of Object.values(candidate.instructions)) this.#instructions.add(text)
  }

  /** What people did. The stall is counted anew from there: the search has something else to go by. */
  #heed(event: HumanEvent): void {
    this.human.push(event)
    switch (event._tag) {
      case "pinned":
        if (event.on) this.#pins.set(event.candidate, event)
        else this.#pins.delete(event.candidate)
        break
      case "vetoed":
        if (event.on) this.#vetoes.set(event.candidate, event)
        else this.#vetoes.delete(event.candidate)
        if (this.index !== undefined) this.#rebuildFrontier(this.index)
        if (this.stopped !== undefined) this.stopped = { ...this.stopped, winner: this.winner?.candidate.id ?? null }
        break
      case "added":
        this.#bear(event.candidate)
        this.stopped = undefined
        break
      case "branched":
        return
    }
    this.rejectionsInARow = 0
  }

  /** Who keeps the candidate among the parents, and why; undefined where nobody does. */
  pinOf(id: CandidateId): Remark | undefined {
    return this.#pins.get(id)
  }

  /** Who ruled the candidate out, and why; undefined where nobody did. */
  vetoOf(id: CandidateId): Remark | undefined {
    return this.#vetoes.get(id)
  }

  isVetoed(id: CandidateId): boolean {
    return this.#vetoes.has(id)
  }

  /** Who wrote the candidate, and why; undefined for one that the search made. */
  authorOf(id: CandidateId): Remark | undefined {
    return this.human.find((event) => event._tag === "added" && event.candidate.id === id)
  }

  /** What people added and did not rule out, and nobody has evaluated. */
  get toEvaluate(): ReadonlyArray<Candidate> {
    return this.waiting.filter(({ id, origin }) => origin === "human" && !this.isVetoed(id))
  }

  #measureVolume(): void {
    this.hypervolumes[this.iteration] = covered(this.#allowed.map(({ objectives }) => objectives))
  }

  /** The parent that the iteration begins with, drawn as the run's settings say; `slot` where it begins with several. */
  drawParent(iteration: number, slot = 0): Member {
    const { index, settings } = this
    if (index === undefined || settings === undefined) throw new Error("the run has not started")
    const { selector = searchDefaults.selector, seed } = settings.search
    const pool: DrawPool = {
      ranked: this.#ranked(),
      pinned: [...this.#pins.keys()].flatMap((id) => {
        const at = this.#byId.get(id)
        return at === undefined || this.isVetoed(id) ? [] : [at]
      }),
      survivors: this.frontier.survivors(),
      among: (candidates) => {
        const alone = this.#emptyFrontier(index)
        const chosen = new Set(candidates)
        this.members.forEach((member, at) => {
          alone.add(chosen.has(at) ? member : null)
        })
        return alone.survivors()
      }
    }
    return this.members[selectParent(selector, pool, { seed, iteration, slot })]!
  }

  /** Members that nobody ruled out. */
  get #allowed(): ReadonlyArray<Member> {
    return this.#vetoes.size === 0 ? this.members : this.members.filter(({ candidate }) => !this.isVetoed(candidate.id))
  }

  /** Numbers of the members that nobody ruled out, the best first by the rule that names the winner. */
  #ranked(): ReadonlyArray<number> {
    const { winner } = this
    const first = (member: Member) => Number(member === winner)
    const whole = ({ figures }: Member) => Number(figures.failed === 0)
    return this.members
      .map((member, at) => ({ member, at }))
      .filter(({ member }) => !this.isVetoed(member.candidate.id))
      .sort(
        (a, b) =>
          first(b.member) - first(a.member) ||
          whole(b.member) - whole(a.member) ||
          compareFigures(b.member.figures, a.member.figures) ||
          a.at - b.at
      )
      .map(({ at }) => at)
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
    const volume = this.hypervolumes.at(-1)
    if (volume !== undefined) {
      while (this.hypervolumes.length <= event.iteration) this.hypervolumes.push(volume)
    }
    this.iteration = event.iteration
    this.decisions.push(event)
    this.rejectionsInARow = event.accepted ? 0 : this.rejectionsInARow + 1
    this.unusableInARow = event.reason !== null && isUnusable(event.reason) ? this.unusableInARow + 1 : 0
  }

  member(id: CandidateId): Member | undefined {
    const at = this.#byId.get(id)
    return at === undefined ? undefined : this.members[at]
  }

  /** Whether the run has the candidate, evaluated or not. */
  has(id: CandidateId): boolean {
    return this.#byId.has(id) || this.waiting.some((candidate) => candidate.id === id)
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
   * evaluation has failed calls is compared on other notes than the rest, so it wins only when every member has some. One
   * that a person ruled out never wins.
   */
  get winner(): Member | undefined {
    const allowed = this.#allowed
    const whole = allowed.filter(({ figures }) => figures.failed === 0)
    return (whole.length > 0 ? whole : allowed).reduce<Member | undefined>(
      (best, member) => (best === undefined || compareFigures(member.figures, best.figures) > 0 ? member : best),
      undefined
    )
  }
}

const tie = 1e-9

/** Above 0 where `a` is better by primary, then secondary; without pairs to measure, by mean reward. 0 for a tie. */
const compareFigures = (a: Figures, b: Figures): number => {
  const primary = (a.primary ?? a.reward ?? 0) - (b.primary ?? b.reward ?? 0)
  if (Math.abs(primary) > tie) return primary
  const secondary = (a.secondary ?? 0) - (b.secondary ?? 0)
  return Math.abs(secondary) > tie ? secondary : 0
}

/** The state after the events. */
export const foldRun = (events: Iterable<RunEvent>, scale: Scale = wholeNoteScale): RunState => {
  const state = new RunState(scale)
  for (const event of events) state.apply(event)
  return state
}
