import { searchDefaults } from "../domain/Campaign.ts"
import type { Candidate, CandidateId, Instructions } from "../domain/Candidate.ts"
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
import { scaleOf } from "../judge/scaleOf.ts"
import type { Frontier } from "./frontier/Frontier.ts"
import { frontierOf } from "./frontier/frontierOf.ts"
import { covered, type Objectives, objectivesFrontier, objectivesOf } from "./frontier/objectives.ts"
import { indexTable, type TableIndex } from "./itemTable.ts"
import { JudgementCounts } from "./judgementCounts.ts"
import { mergeKey } from "./merge.ts"
import { bestOf } from "./ranking.ts"
import type { Attempt } from "./reflectionPrompt.ts"
import { Remarks } from "./remarks.ts"
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

type Evaluated = Pick<Extract<RunEvent, { _tag: "evaluated" }>, "candidate" | "outcomes" | "figures">

/** A pool member whose evaluation was cut short: it is no parent and cannot win. */
export interface Raced {
  readonly candidate: Candidate
  /** Of the notes that were judged. */
  readonly figures: Figures
  /** How many notes were judged, of how many. */
  readonly judged: number
  readonly notes: number
}

/** A proposal under way: what has been decided of it so far. */
export interface IterationState {
  readonly iteration: number
  /** From 1; left out where an iteration has one proposal. */
  readonly proposal?: number
  readonly parent: CandidateId
  /** Of a merge: both parents. */
  readonly merging?: ReadonlyArray<CandidateId>
  readonly module: string
  readonly minibatch: ReadonlyArray<string>
  readonly parentOutcomes?: Outcomes
  readonly instruction?: string | null
}

export interface Decision {
  readonly iteration: number
  readonly proposal?: number
  readonly parent: CandidateId
  /** Of a merge: the other parent. */
  readonly partner?: CandidateId
  readonly accepted: boolean
  readonly reason: RejectionReason | null
  readonly detail: string
  readonly parentReward: number | null
  readonly childReward: number | null
  /** Of the paired test, where that is the acceptance rule. */
  readonly p?: number
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
  frontier: Frontier = objectivesFrontier()
  readonly members: Array<Member> = []
  /** Born, and not evaluated yet. */
  readonly waiting: Array<Candidate> = []
  readonly raced: Array<Raced> = []
  readonly decisions: Array<Decision> = []
  /**
   * The share of the unit cube of objectives that the pool covers (reference point 0) after each iteration, by its
   * number; first that of the seeds.
   */
  readonly hypervolumes: Array<number> = []
  /** Judgements that the log tells of. */
  readonly judgements = new JudgementCounts()
  /** What people did to the run. */
  readonly remarks = new Remarks()
  /** Merges drawn so far, and the names of all that were. */
  merges = 0
  readonly triedMerges = new Set<string>()
  /** Proposals drawn so far that are no merges: whose turn it is among the modules follows from it. */
  reflections = 0
  /** The last iteration that was decided. */
  iteration = 0
  rejectionsInARow = 0
  unusableInARow = 0
  stopped: { readonly reason: StopReason; readonly detail: string; readonly winner: CandidateId | null } | undefined
  events = 0
  readonly #underWay = new Map<number, IterationState>()
  readonly #byId = new Map<CandidateId, number>()
  readonly #born = new Map<CandidateId, Candidate>()
  readonly #attempts = new Map<string, Array<Attempt>>()
  readonly #triedTexts = new Map<string, string>()

  /** Without a scale it is that of the design that the run starts with. */
  constructor(scale?: Scale) {
    this.scale = scale ?? wholeNoteScale
    this.#scaleGiven = scale !== undefined
  }

  apply(event: RunEvent): void {
    this.events++
    if (isHuman(event)) {
      this.#heed(event)
      return
    }
    this.stopped = undefined
    this.judgements.apply(event)
    switch (event._tag) {
      case "started":
        this.settings = event.settings
        if (!this.#scaleGiven) this.scale = scaleOf(event.settings.judge.design)
        this.index = indexTable(event.acceptance)
        this.#rebuildFrontier(this.index)
        return
      case "candidate":
        this.#bear(event.candidate)
        return
      case "evaluated": {
        const { candidate, index } = this.#awaited(event.candidate)
        const member = this.#memberOf(candidate, event, index)
        this.#byId.set(candidate.id, this.members.push(member) - 1)
        this.frontier.add(this.isVetoed(candidate.id) ? null : member)
        this.#measureVolume()
        return
      }
      case "raced": {
        const { figures, judged, notes } = event
        this.raced.push({ candidate: this.#awaited(event.candidate).candidate, figures, judged, notes })
        return
      }
      case "rejudged":
        this.#rejudge(event)
        return
      case "iteration": {
        const { _tag: _, ...underWay } = event
        this.#underWay.set(event.proposal ?? 1, underWay)
        this.reflections++
        return
      }
      case "merge":
        this.#update(event, { merging: event.parents })
        this.reflections--
        this.merges++
        this.triedMerges.add(mergeKey({ ...event, ...this.#swapOf(event) }))
        return
      case "parentJudged":
        this.#update(event, { parentOutcomes: event.outcomes })
        return
      case "proposed":
        this.#update(event, { instruction: event.instruction })
        return
      case "partnerJudged":
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

  /** The proposal under way; of several the first that is not decided. */
  get current(): IterationState | undefined {
    for (const underWay of this.#underWay.values()) return underWay
    return undefined
  }

  #update({ proposal = 1 }: { readonly proposal?: number }, more: Partial<IterationState>): void {
    const underWay = this.#underWay.get(proposal)
    if (underWay !== undefined) this.#underWay.set(proposal, { ...underWay, ...more })
  }

  #swapOf({ choices }: Extract<RunEvent, { _tag: "merge" }>): { readonly instructions?: Instructions } {
    if (choices === null) return {}
    const chosen = Object.entries(choices).map(([module, from]) => [module, this.#born.get(from)?.instructions[module]])
    return { instructions: Object.fromEntries(chosen) }
  }

  /** Takes a candidate that has been born, and not evaluated, out of those. */
  #awaited(id: CandidateId): { readonly candidate: Candidate; readonly index: TableIndex } {
    const at = this.waiting.findIndex((candidate) => candidate.id === id)
    const [candidate] = at === -1 ? [] : this.waiting.splice(at, 1)
    if (candidate === undefined || this.index === undefined)
      throw new Error(`the run evaluates ${id}, which it never made`)
    return { candidate, index: this.index }
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

  #rebuildFrontier(index: TableIndex): void {
    this.frontier = frontierOf(this.settings?.search.frontier ?? searchDefaults.frontier, index)
    for (const member of this.members) this.frontier.add(this.isVetoed(member.candidate.id) ? null : member)
    if (this.members.length > 0) this.#measureVolume()
  }

  #measureVolume(): void {
    this.hypervolumes[this.iteration] = covered(this.allowed.map(({ objectives }) => objectives))
  }

  #bear(candidate: Candidate): void {
    this.waiting.push(candidate)
    this.#born.set(candidate.id, candidate)
  }

  /** What people did. The stall is counted anew from there: the search has something else to go by. */
  #heed(event: HumanEvent): void {
    this.remarks.apply(event, this.iteration)
    if (event._tag === "branched") return
    this.rejectionsInARow = 0
    if (event._tag === "added") {
      this.#bear(event.candidate)
      this.stopped = undefined
    }
    if (event._tag === "vetoed" && this.index !== undefined) {
      this.#rebuildFrontier(this.index)
      if (this.stopped !== undefined) this.stopped = { ...this.stopped, winner: this.winner?.candidate.id ?? null }
    }
  }

  /** Whether a person ruled the candidate out as parent and winner. */
  isVetoed(id: CandidateId): boolean {
    return this.remarks.vetoOf(id) !== undefined
  }

  /** Members that nobody ruled out. */
  get allowed(): ReadonlyArray<Member> {
    return this.members.filter(({ candidate }) => !this.isVetoed(candidate.id))
  }

  /** What people added and did not rule out, and nobody has evaluated. */
  get toEvaluate(): ReadonlyArray<Candidate> {
    return this.waiting.filter(({ id, origin }) => origin === "human" && !this.isVetoed(id))
  }

  /** Members with notes whose calls failed. */
  get incomplete(): ReadonlyArray<Member> {
    return this.members.filter(({ outcomes }) => outcomes !== undefined)
  }

  #decide(event: Extract<RunEvent, { _tag: "decided" }>): void {
    const underWay = this.#underWay.get(event.proposal ?? 1)
    const { instruction, merging, module, parent } = underWay ?? {}
    if (underWay !== undefined && instruction !== undefined && instruction !== null) {
      // A merge is no attempt to improve one of the two, but its text is tried.
      if (merging === undefined) {
        const tried = this.#attempts.get(`${parent}\n${module}`) ?? []
        tried.push({ instruction, reason: event.reason, detail: event.detail })
        this.#attempts.set(`${parent}\n${module}`, tried)
      }
      if (!event.accepted) {
        for (const from of merging ?? [parent]) this.#triedTexts.set(`${from}\n${module}\n${instruction}`, event.detail)
      }
    }
    this.#underWay.delete(event.proposal ?? 1)
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

  /** Whether the run has a candidate of these instructions, evaluated or not. */
  born(id: CandidateId): boolean {
    return this.#born.has(id)
  }

  /** How many candidates were born: seeds, accepted proposals, and what people added. */
  get births(): number {
    return this.#born.size
  }

  /** The texts of a module with which the parent's other instructions would make a candidate that the run has. */
  taken(parent: Candidate, module: string): ReadonlySet<string> {
    const others = Object.keys(parent.instructions).filter((name) => name !== module)
    const texts = new Set<string>()
    for (const { instructions } of this.#born.values()) {
      const text = instructions[module]
      if (text !== undefined && others.every((name) => instructions[name] === parent.instructions[name]))
        texts.add(text)
    }
    return texts
  }

  /** What earlier children of the parent tried as the module's instruction, oldest first. */
  attempts(parent: CandidateId, module: string): ReadonlyArray<Attempt> {
    return this.#attempts.get(`${parent}\n${module}`) ?? []
  }

  /** What became of the same text as the module's instruction in a child of the same parent, if it was tried before. */
  triedBefore(parent: CandidateId, module: string, instruction: string): string | undefined {
    return this.#triedTexts.get(`${parent}\n${module}\n${instruction}`)
  }

  /**
   * The best member: greatest primary measure, then secondary, then the earlier one [method §5.10]. A member whose
   * evaluation has failed calls is compared on other notes than the rest, so it wins only when every member has some. One
   * that a person ruled out never wins.
   */
  get winner(): Member | undefined {
    return bestOf(this.allowed)
  }
}

/** The state after the events. */
export const foldRun = (events: Iterable<RunEvent>, scale?: Scale): RunState => {
  const state = new RunState(scale)
  for (const event of events) state.apply(event)
  return state
}
