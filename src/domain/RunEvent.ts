import * as Schema from "effect/Schema"
import { Branch, Measure, Search } from "./Campaign.ts"
import { Candidate, CandidateId } from "./Candidate.ts"
import { Trace as DataTrace, ErrorClass, Severity } from "./Dataset.ts"
import { Outcomes } from "./Judgement.ts"

/** Why a proposal did not become a pool member. The first group is the reflector's doing, `not-better` the judge's. */
export const RejectionReason = Schema.Literals([
  "call-failed",
  "refused",
  "truncated",
  "empty",
  "no-block",
  "several-blocks",
  "too-long",
  "placeholder",
  "identical",
  "copies-notes",
  "frozen",
  "perfect-minibatch",
  "not-better",
  "not-judged",
  "nothing-to-merge"
])
export type RejectionReason = typeof RejectionReason.Type

const unusable: ReadonlySet<RejectionReason> = new Set([
  "call-failed",
  "refused",
  "truncated",
  "empty",
  "no-block",
  "several-blocks",
  "too-long"
])

/** Whether the reflector's answer held no instruction that could be used at all: a sign of a broken reflection model. */
export const isUnusable = (reason: RejectionReason): boolean => unusable.has(reason)

/** Why a run stopped. `iterations` and `stall` finish it; after the others the same command goes on. */
export const StopReason = Schema.Literals([
  "iterations",
  "stall",
  "budget-usd",
  "budget-calls",
  "budget-tokens",
  "budget-time",
  "asked",
  "interrupted",
  "broken-reflection",
  "broken-judge"
])
export type StopReason = typeof StopReason.Type

/** Who did something to a run, and why. */
const said = { author: Schema.NonEmptyString, reason: Schema.NonEmptyString }

/** What a run was started with, as far as it can change what happens. Holds no key and no note. */
export const RunSettings = Schema.Struct({
  campaign: Schema.String,
  /** Model pins: provider, model, address and sampling parameters. */
  models: Schema.Struct({ judge: Schema.Unknown, reflection: Schema.Unknown }),
  judge: Schema.Struct({
    design: Schema.String,
    samples: Schema.Int,
    /** What the design takes beside its name and k, with the pins of models; left out where nothing is given. */
    options: Schema.optionalKey(Schema.Unknown)
  }),
  objective: Schema.Struct({ primary: Measure, secondary: Schema.optionalKey(Measure) }),
  search: Search.mapFields((fields) => ({
    minibatch: fields.minibatch,
    maxInstructionLength: fields.maxInstructionLength,
    seed: fields.seed,
    /** Left out by runs of versions that knew no merges: these go on without. */
    merge: Schema.optionalKey(fields.merge),
    /** The others are left out where they are the defaults: one proposal, strict, no racing. */
    proposals: Schema.optionalKey(fields.proposals),
    accept: Schema.optionalKey(fields.accept),
    racing: Schema.optionalKey(fields.racing),
    frontier: Schema.optionalKey(fields.frontier),
    selector: Schema.optionalKey(fields.selector)
  })),
  /** Hashes of what the run reads. */
  split: Schema.String,
  prompt: Schema.String,
  seeds: Schema.Array(CandidateId),
  /** The modules that evolve, of a judge with several. */
  modules: Schema.optionalKey(Schema.Array(Schema.String)),
  /** By seed: its frozen passages. Left out where no seed has any. */
  frozen: Schema.optionalKey(Schema.Record(CandidateId, Schema.Record(Schema.String, Schema.Array(Schema.String)))),
  /** Of a run that was branched from candidates of another. */
  branch: Schema.optionalKey(Branch)
})
export type RunSettings = typeof RunSettings.Type

const Interval = Schema.Tuple([Schema.Finite, Schema.Finite])

/** Paired discrimination with its counts; the interval is a 95 % consultation-cluster bootstrap. */
export const Discrimination = Schema.Struct({
  pairs: Schema.Natural,
  wins: Schema.Natural,
  ties: Schema.Natural,
  losses: Schema.Natural,
  /** Null without a pair. */
  value: Schema.NullOr(Schema.Finite),
  /**
   * 95 %, by a bootstrap of consultations; Clopper–Pearson's on consultations where all of them are won, or lost. Null of
   * fewer than ten consultations, and where resampling shows no spread.
   */
  interval: Schema.NullOr(Interval)
})
export type Discrimination = typeof Discrimination.Type

/** The operating point with the greatest detection under a cap on false alarms. Flagged: score below the threshold. */
export const Detection = Schema.Struct({
  cap: Schema.Finite,
  threshold: Schema.Finite,
  detected: Schema.Natural,
  flawed: Schema.Natural,
  falseAlarms: Schema.Natural,
  clean: Schema.Natural
})
export type Detection = typeof Detection.Type

/** The figures of one candidate on one set of notes. Null where there is nothing to measure. */
export const Figures = Schema.Struct({
  primary: Schema.NullOr(Schema.Finite),
  secondary: Schema.NullOr(Schema.Finite),
  /** On the classes of the primary measure. */
  discrimination: Discrimination,
  /** On the classes of the secondary measure where it is a detection, else of the primary. */
  detection: Schema.NullOr(Detection),
  /** Mean over the instances that could be judged. */
  reward: Schema.NullOr(Schema.Finite),
  unparsed: Schema.Natural,
  failed: Schema.Natural
})
export type Figures = typeof Figures.Type

/** Which notes and pairs a part has, without a word of their texts: what readers of a run need to compute its measures. */
export const ItemTable = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String, consultation: Schema.String })),
  /** Ids of the distinct clean notes. */
  clean: Schema.Array(Schema.String),
  /** `flawed` and `clean` are item ids. */
  pairs: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      flawed: Schema.String,
      clean: Schema.String,
      class: ErrorClass,
      trace: Schema.optionalKey(DataTrace),
      severity: Schema.optionalKey(Severity),
      stratum: Schema.optionalKey(Schema.String)
    })
  ),
  /** Ids of flawed notes without a twin. */
  lone: Schema.Array(Schema.String)
})
export type ItemTable = typeof ItemTable.Type

const Iteration = Schema.Natural

/** Which of the iteration's proposals an event is about, from 1; left out in a run with one proposal an iteration. */
const Proposal = Schema.optionalKey(Schema.Int)

/** The outcomes of the second and further judgements of the minibatch, where the acceptance rule asks for repeats. */
const Repeats = Schema.optionalKey(Schema.Array(Outcomes))

/** The events of a run, in order. A run's state is a fold over them; times and costs are kept beside, not inside. */
export const RunEvent = Schema.TaggedUnion({
  /** First of every run. */
  started: { settings: RunSettings, acceptance: ItemTable },
  /** A pool member is born: a seed, or an accepted proposal. */
  candidate: { candidate: Candidate },
  /** A pool member's outcomes on the whole acceptance part. */
  evaluated: { candidate: CandidateId, outcomes: Outcomes, figures: Figures },
  /** A pool member whose evaluation had failed calls, once some of them could be made: replaces that evaluation. */
  rejudged: { candidate: CandidateId, outcomes: Outcomes, figures: Figures },
  /**
   * A pool member that was not judged on the whole acceptance part, because it could no longer win nor be the first to
   * order a pair rightly: it is no parent and no winner. `figures` are of the notes that were judged, so they
   * compare with nothing.
   */
  raced: {
    candidate: CandidateId,
    outcomes: Outcomes,
    figures: Figures,
    /** How many notes were judged, of how many. */
    judged: Schema.Natural,
    notes: Schema.Natural,
    detail: Schema.String
  },
  /** An iteration draws a proposal's parent and its minibatch (item ids of the train part). */
  iteration: {
    iteration: Iteration,
    proposal: Proposal,
    parent: CandidateId,
    module: Schema.String,
    minibatch: Schema.Array(Schema.String)
  },
  /** The proposal just drawn is a merge of its parent with another member. */
  merge: {
    iteration: Iteration,
    proposal: Proposal,
    /** The two: the proposal's parent first. */
    parents: Schema.Array(CandidateId),
    /** Written by the reflector from the two, or put together from modules of the two. */
    how: Schema.Literals(["crossover", "swap"]),
    /** Of a swap: the common ancestor. */
    ancestor: Schema.NullOr(CandidateId),
    /** Of a swap: whose instruction each module has. */
    choices: Schema.NullOr(Schema.Record(Schema.String, CandidateId))
  },
  /** The parent's outcomes on the minibatch. */
  parentJudged: {
    iteration: Iteration,
    proposal: Proposal,
    outcomes: Outcomes,
    reward: Schema.NullOr(Schema.Finite),
    repeats: Repeats
  },
  /** The outcomes of a merge's second parent on the minibatch. */
  partnerJudged: {
    iteration: Iteration,
    proposal: Proposal,
    outcomes: Outcomes,
    reward: Schema.NullOr(Schema.Finite),
    repeats: Repeats
  },
  /** The reflector's work, kept whole, whatever becomes of it. */
  proposed: {
    iteration: Iteration,
    proposal: Proposal,
    prompt: Schema.String,
    reply: Schema.String,
    /** The proposed text, where one could be read from the reply. */
    instruction: Schema.NullOr(Schema.String),
    /** Null when the text may be tried. */
    rejected: Schema.NullOr(Schema.Struct({ reason: RejectionReason, detail: Schema.String }))
  },
  /** The child's outcomes on the same minibatch. */
  childJudged: {
    iteration: Iteration,
    proposal: Proposal,
    child: CandidateId,
    outcomes: Outcomes,
    reward: Schema.NullOr(Schema.Finite),
    repeats: Repeats
  },
  /** The verdict on the proposal: a pool member follows, or a reason. */
  decided: {
    iteration: Iteration,
    proposal: Proposal,
    /** Of a merge: the better one of the two on the minibatch, against which the child was judged. */
    parent: CandidateId,
    /** Of a merge: the other one. */
    partner: Schema.optionalKey(CandidateId),
    accepted: Schema.Boolean,
    reason: Schema.NullOr(RejectionReason),
    detail: Schema.String,
    /** Mean rewards over the notes that both could be judged on, and how many those were. */
    parentReward: Schema.NullOr(Schema.Finite),
    childReward: Schema.NullOr(Schema.Finite),
    compared: Schema.Natural,
    /** Of the paired test, one-sided, where the acceptance rule is that. */
    p: Schema.optionalKey(Schema.Finite)
  },
  /** A person keeps a candidate among the parents, or no longer does (`on: false`). */
  pinned: { candidate: CandidateId, on: Schema.Boolean, ...said },
  /** A person rules a candidate out as parent and winner, or no longer does (`on: false`). */
  vetoed: { candidate: CandidateId, on: Schema.Boolean, ...said },
  /** A person adds a candidate of their own, or one edited from its parent. It is evaluated when the run goes on. */
  added: { candidate: Candidate, ...said },
  /** A person begins another run with candidates of this one. */
  branched: { candidates: Schema.Array(CandidateId), campaign: Schema.String, ...said },
  /** The run ends, or pauses in such a way that the same command goes on. */
  stopped: {
    reason: StopReason,
    detail: Schema.String,
    iteration: Iteration,
    /** Null before any candidate has been evaluated. */
    winner: Schema.NullOr(CandidateId)
  }
})
export type RunEvent = typeof RunEvent.Type

/** What people do to a run between its sittings. */
export type HumanEvent = Extract<RunEvent, { readonly _tag: "pinned" | "vetoed" | "added" | "branched" }>

const humanTags: ReadonlySet<string> = new Set(["pinned", "vetoed", "added", "branched"])

export const isHuman = (event: RunEvent): event is HumanEvent => humanTags.has(event._tag)

/** Events that a run which has stopped can have after its stop without having anything more to do. */
export const remarkTags = ["pinned", "vetoed", "branched"] as const

/** The stop that the run's log ends with, whatever people said of the run since; undefined where it ends with none. */
export const endingStop = (events: ReadonlyArray<RunEvent>): Extract<RunEvent, { _tag: "stopped" }> | undefined => {
  const last = events.findLast(({ _tag }) => !(remarkTags as ReadonlyArray<string>).includes(_tag))
  return last?._tag === "stopped" ? last : undefined
}

/** Each candidate's outcomes on the whole acceptance part as they stand: of its evaluation, or of the last that replaced it. */
export const acceptanceOutcomes = (events: Iterable<RunEvent>): ReadonlyMap<CandidateId, Outcomes> => {
  const outcomes = new Map<CandidateId, Outcomes>()
  for (const event of events) {
    if (event._tag === "evaluated" || event._tag === "rejudged") outcomes.set(event.candidate, event.outcomes)
  }
  return outcomes
}

/** The name of a proposal within its run: events of one proposal share it, those of two never do. */
export const proposalKey = (event: { readonly iteration: number; readonly proposal?: number }): string =>
  `${event.iteration}.${event.proposal ?? 1}`

/** Whether nothing is left to do after a stop for this reason, unless a limit is raised. */
export const isFinished = (reason: StopReason): boolean => reason === "iterations" || reason === "stall"
