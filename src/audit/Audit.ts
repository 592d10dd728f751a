import type { Stretch } from "../dataset/difference.ts"
import type { Measure, Objective } from "../domain/Campaign.ts"
import type { Origin } from "../domain/Candidate.ts"
import type { ErrorClass, Severity, Trace } from "../domain/Dataset.ts"
import type { RejectionReason } from "../domain/RunEvent.ts"
import type { PartName } from "../domain/Split.ts"
import type { ClusterInterval } from "../measure/clusterInterval.ts"
import type { Rate } from "../measure/operatingFigure.ts"

/** A figure before and after, over what both have; `difference` is after less before, its interval by consultations. */
export interface Change extends ClusterInterval {
  readonly before: number | null
  readonly after: number | null
  readonly difference: number | null
  /** Pairs or notes that it rests on. */
  readonly n: number
  readonly consultations: number
}

/** Where in an instruction something stands: 0-based offsets in UTF-16 units, 1-based line. */
export interface Place {
  readonly candidate: string
  readonly module: string
  readonly start: number
  readonly end: number
  readonly line: number
  /** The words there, with as many around them as make sense to a reader. */
  readonly context: string
}

/** The length of a text. `tokens` by the tokenizer that forecasts use: an estimate for other models. */
export interface TextSize {
  readonly characters: number
  readonly tokens: number
}

/** A candidate as the tree shows it. `depth` is the number of steps from its seed by first parents. */
export interface LineageNode {
  readonly id: string
  readonly name: string
  readonly origin: Origin
  readonly parents: ReadonlyArray<string>
  readonly iteration: number
  readonly depth: number
  /** The seed that it descends from by first parents; itself for a seed. */
  readonly seed: string
  readonly size: TextSize
  readonly instructions: Readonly<Record<string, string>>
  /** The primary measure on the acceptance part; null where it is not known. */
  readonly primary: number | null
  readonly secondary: number | null
  /** Pairs that the primary measure rests on; null where the source does not say. */
  readonly pairs: number | null
  /** What a foreign source says of the candidate itself, by the source's own names; empty for a run. */
  readonly figures: Readonly<Record<string, number>>
}

/** What one step gained on the pairs of one class or trace: paired discrimination, parent against child. */
export interface Gain extends Change {
  readonly by: "all" | "class" | "trace"
  readonly name: string
  /** Fewer than 30 pairs or 10 consultations. */
  readonly thin: boolean
}

/** One edge of the tree. */
export interface LineageStep {
  readonly parent: string
  readonly child: string
  readonly module: string
  /** Word by word, from the parent's instruction to the child's. */
  readonly diff: ReadonlyArray<Stretch>
  readonly growth: TextSize
  /** Empty where scores by pair are not known. */
  readonly gains: ReadonlyArray<Gain>
}

/** What became of a proposal that joined no pool. */
export interface RejectedProposal {
  readonly iteration: number
  readonly parent: string
  readonly reason: RejectionReason | string
  readonly detail: string
}

export interface Lineage {
  /** In the order of birth. */
  readonly nodes: ReadonlyArray<LineageNode>
  /** From the seed to the candidate under audit, by first parents. */
  readonly path: ReadonlyArray<string>
  /** Every edge of the tree; a merge has two. */
  readonly steps: ReadonlyArray<LineageStep>
  readonly rejected: ReadonlyArray<RejectedProposal>
}

/**
 * `separation`: ranks better, and clean notes stand where they stood. `relocation`: scores moved, and no better ranking
 * is shown. `both`. `lost`: ranks worse. `neither`: no change is shown. `unknown`: too few data for an interval.
 */
export type SeparationVerdict = "separation" | "relocation" | "both" | "lost" | "neither" | "unknown"

/** A candidate against the seed that it descends from [OB §6, §B.2], method §7.2. */
export interface Separation {
  readonly candidate: string
  readonly seed: string
  /** Separation: what no shift of the scores can change. */
  readonly paired: Change
  readonly auc: Change
  /** Relocation: mean score of all distinct notes, of the flawed and of the clean ones. */
  readonly meanScore: { readonly all: Change; readonly flawed: Change; readonly clean: Change }
  /** Relocation: share of notes that score below one fixed threshold, the seed's own operating point. */
  readonly flagRate: {
    readonly threshold: number | null
    readonly all: Change
    readonly flawed: Change
    readonly clean: Change
  }
  readonly verdict: SeparationVerdict
}

/** One candidate on the plane of detection against false alarms. */
export interface WallPoint {
  readonly candidate: string
  /** At the wall's fixed threshold. */
  readonly fixed: { readonly detection: Rate; readonly falseAlarms: Rate; readonly feasible: boolean } | null
  /** At the candidate's own best threshold under the cap. */
  readonly own: { readonly threshold: number; readonly detection: Rate; readonly falseAlarms: Rate } | null
}

export interface Wall {
  /** Greatest share of clean notes that may be flagged. */
  readonly cap: number
  /** The fixed threshold: the operating point of the seed of the candidate under audit. */
  readonly threshold: number | null
  readonly points: ReadonlyArray<WallPoint>
  /** How many satisfy the cap at the fixed threshold, of how many. */
  readonly feasible: number
  readonly of: number
  /** The one that detects most at the fixed threshold under the cap; null when none is feasible. */
  readonly bestFixed: string | null
  /** The one that detects most at its own threshold. */
  readonly bestOwn: string | null
}

/** A part of a split; `data` for a dataset without a split. */
export type LeakPart = PartName | "data"

/** Where the same words, number or name stand in the data. */
export interface LeakSource {
  readonly part: LeakPart
  readonly consultation: string
  readonly document: "transcript" | "note"
  /** The note's id; null for a transcript. */
  readonly note: string | null
  /** With as many words around as make sense to a reader. */
  readonly quote: string
}

/**
 * Why a hit is no leak: `seed`, the seed has it already; `contract`, the fixed prompt says so; `common`, it stands in so
 * many consultations that it tells nothing of one (see `Leakage.rules`).
 */
export type LeakExcuse = "seed" | "contract" | "common"

/** Something that the instruction shares with the data. */
export interface Leak {
  readonly kind: "words" | "number" | "name"
  readonly place: Place
  /** The shared words as the instruction has them. */
  readonly shared: string
  /** The first sources, the most telling part first. */
  readonly sources: ReadonlyArray<LeakSource>
  /** How many texts (transcripts and notes) and consultations have it in all, by part. */
  readonly found: ReadonlyArray<{ readonly part: LeakPart; readonly places: number; readonly consultations: number }>
  readonly excuse: LeakExcuse | null
}

/** How far a part was looked at. */
export interface LookedAt {
  readonly part: LeakPart
  readonly consultations: number
  readonly texts: number
  /** Why not, where it was not: a sealed holdout, no data. */
  readonly notLookedAt: string | null
}

export interface Leakage {
  readonly looked: ReadonlyArray<LookedAt>
  /** What counts as a hit and what excuses one, in sentences. */
  readonly rules: ReadonlyArray<string>
  /** Of the candidate under audit; excused ones last. */
  readonly leaks: ReadonlyArray<Leak>
  /** How many are not excused. */
  readonly count: number
  /** Of the other candidates: how many leaks each has; empty where they were not looked at. */
  readonly others: ReadonlyArray<{ readonly candidate: string; readonly leaks: number }>
}

/** Content that belongs in no general instruction. */
export interface SpecificContent {
  /**
   * `instance`: speaks of one patient; `id`: an id of the data; `placeholder`; `contract`: says the contract again;
   * `threshold`: a score to flag below.
   */
  readonly kind: "instance" | "id" | "placeholder" | "contract" | "threshold"
  readonly place: Place
  readonly text: string
  readonly why: string
  /** Whether the seed says the same. */
  readonly inSeed: boolean
}

/**
 * How much of the winner's acceptance value is luck of the selection: consultations are drawn with replacement, the
 * winner is selected anew on those drawn, and is measured on those and on the ones left out. Method §7.5; Efron &
 * Tibshirani, An Introduction to the Bootstrap (1993), §17.
 */
export interface Optimism {
  /** Null where a foreign source's own values by instance were taken. */
  readonly measure: Measure | null
  readonly candidates: number
  /** What was drawn: consultations, or instances where those are not known. */
  readonly units: "consultations" | "instances"
  readonly drawn: number
  /** Resamples with a value on both sides. */
  readonly resamples: number
  readonly winner: string
  /** The winner's value on all of the acceptance part. */
  readonly apparent: number
  /** Means over the resamples of the reselected winner's values. */
  readonly inSample: number
  readonly outOfBag: number
  /** inSample − outOfBag, with the middle 95 % of its resamples: a spread, not a confidence interval of the mean. */
  readonly optimism: number
  readonly spread: readonly [number, number]
  /** apparent − optimism. */
  readonly corrected: number
  /** The same for the seed of the winner, which nobody selected: what a value loses for being chosen by nothing. */
  readonly unselected: { readonly candidate: string; readonly inSample: number; readonly outOfBag: number } | null
  /** How often each candidate is selected, most often first. */
  readonly selected: ReadonlyArray<{ readonly candidate: string; readonly share: number }>
}

/** A pair that the seed and the candidate order differently. */
export interface Flip {
  readonly pair: string
  readonly consultation: string
  readonly class: ErrorClass
  readonly trace: Trace | null
  readonly severity: Severity | null
  readonly fact: string | null
  readonly before: { readonly flawed: number; readonly clean: number }
  readonly after: { readonly flawed: number; readonly clean: number }
  /** Null where the data are not at hand. */
  readonly texts: {
    readonly clean: string
    readonly flawed: string
    readonly difference: ReadonlyArray<Stretch>
  } | null
}

export interface Flips {
  readonly seed: string
  readonly candidate: string
  /** Pairs that both have scores for. */
  readonly pairs: number
  readonly consultations: number
  /** Ordered right by the candidate and not by the seed, and the reverse. A tie is not right. */
  readonly gained: ReadonlyArray<Flip>
  readonly lost: ReadonlyArray<Flip>
  readonly bothRight: number
  readonly neitherRight: number
  /** Pairs whose order got better or worse at all: from above to a tie, or from a tie to below, is a change as well. */
  readonly better: number
  readonly worse: number
  /** Exact sign test of better against worse, two-sided; it takes pairs for independent. Null where none changed. */
  readonly p: number | null
}

/** What a candidate's judgements took per note; null where that is not known, which is not zero. */
export interface CandidateCost {
  readonly candidate: string
  readonly size: TextSize
  /** Answers that the figures rest on. */
  readonly answers: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Per note, as bought; null when any answer has no known price. */
  readonly usd: number | null
  readonly primary: number | null
  /** Primary less the seed's, and characters more than the seed's. */
  readonly gain: number | null
  readonly growth: number
}

/** One paragraph that the candidate has and its seed has not, and what the judge does without it. */
export interface AblatedParagraph {
  readonly place: Place
  readonly text: string
  readonly size: TextSize
  /** Before: the candidate without it; after: with it. So a positive difference is what it carries. */
  readonly carries: Change
  readonly verdict: "carries" | "harms" | "not shown"
}

export interface Ablation {
  readonly candidate: string
  /** Paired discrimination of the primary measure's classes. */
  readonly measure: Measure
  readonly value: number | null
  /** By what they carry, greatest first. */
  readonly paragraphs: ReadonlyArray<AblatedParagraph>
  /** Judgements that could not be had, since calls failed; they are left out. */
  readonly failed: number
}

/** What the audit is of. */
export interface AuditSubject {
  readonly kind: "run" | "prompt" | "lineage" | "gepa"
  /** Run id, or file. */
  readonly name: string
  readonly campaign: string | null
  /** The candidate under audit. */
  readonly candidate: string
  /** The seed that it is held against; null where there is none. */
  readonly seed: string | null
  readonly objective: Objective | null
  /** Judged by the stand-in: then no figure says anything about real models. */
  readonly embedded: boolean
}

/** A part of the audit that could not be made, and why. */
export interface NotKnown {
  readonly section: "lineage" | "separation" | "wall" | "leakage" | "content" | "optimism" | "flips" | "cost"
  readonly why: string
}

export interface AuditSettings {
  /** Of all resampling. */
  readonly seed: number
  readonly resamples: number
  /** Greatest share of clean notes that may be flagged. */
  readonly cap: number
}

/** The audit of an evolved prompt, unrounded: method §7. Null sections are named in `notKnown`. */
export interface Audit {
  readonly format: "assize-audit/1"
  readonly subject: AuditSubject
  readonly settings: AuditSettings
  readonly notKnown: ReadonlyArray<NotKnown>
  readonly lineage: Lineage
  /** Every candidate but the seeds; the one under audit first. Null without scores. */
  readonly separation: ReadonlyArray<Separation> | null
  readonly wall: Wall | null
  readonly leakage: Leakage
  readonly content: ReadonlyArray<SpecificContent>
  readonly optimism: Optimism | null
  readonly flips: Flips | null
  readonly cost: ReadonlyArray<CandidateCost>
  /** Null unless asked for. */
  readonly ablation: Ablation | null
}
