import type { ErrorClass } from "../domain/Dataset.ts"
import { version } from "../version.ts"
import { adjusted, type FamilySizes, familySizes } from "./holmFamilies.ts"
import { type Cell, judgeBreakdown } from "./judgeBreakdown.ts"
import { compareJudges, type JudgeComparison } from "./judgeComparison.ts"
import type { FigureOptions, JudgeFigures } from "./judgeFigures.ts"
import { judgeReplicates, type ReplicateSpread } from "./replicateSpread.ts"
import { type JudgedNotes, type NoteSet, pairsOf } from "./scoredNotes.ts"
import { resamplesFor } from "./usualResampling.ts"

/** What is known of a judge beside its scores. */
export interface JudgeOrigin {
  /** The model's name with its address. */
  readonly model: string
  /** The stand-in, whose figures say nothing about real models. */
  readonly embedded: boolean
  readonly samples: number
  /** Notes whose calls failed, in each replicate. */
  readonly failed: ReadonlyArray<number>
  /** The run whose acceptance part chose the judge, where these figures are of that part; null otherwise. */
  readonly chosenBy: string | null
}

export interface JudgeReport {
  readonly judge: string
  readonly origin: JudgeOrigin | null
  /** Of the first replicate, like the breakdown: the others show what chance does to them. */
  readonly figures: JudgeFigures
  readonly breakdown: ReadonlyArray<Cell>
  /** Every replicate, the first included. */
  readonly replicates: ReadonlyArray<JudgeFigures>
  readonly spread: ReplicateSpread
}

export interface ComparisonReport extends JudgeComparison {
  /** The difference of paired discrimination beside what replicates of one judge differ by; null with single replicates. */
  readonly noise: {
    /** Greatest less least paired discrimination of the replicates of each side. */
    readonly rangeA: number | null
    readonly rangeB: number | null
    /** |difference| over the greater range; null where that is 0. */
    readonly ratio: number | null
  } | null
}

export interface ScoreReport {
  readonly format: "assize-score/1"
  readonly version: string
  readonly source: string
  readonly settings: {
    /** Null for all. */
    readonly classes: ReadonlyArray<ErrorClass> | null
    readonly cap: number
    readonly seed: number
    /** Of the bootstraps over all consultations. */
    readonly resamples: number
    /** Given for every judge, or for each by name; null where each has the best one for these notes. */
    readonly threshold: number | Readonly<Record<string, number>> | null
  }
  readonly counts: {
    readonly consultations: number
    readonly clean: number
    readonly pairs: number
    /** Pairs of the classes measured. */
    readonly measured: number
  }
  readonly judges: ReadonlyArray<JudgeReport>
  readonly comparisons: ReadonlyArray<ComparisonReport>
  /** Over how many comparisons Holm adjusts each test. */
  readonly families: FamilySizes
}

export interface ScoreInput {
  readonly source: string
  readonly set: NoteSet
  readonly runs: ReadonlyArray<JudgedNotes>
  readonly origins: ReadonlyMap<string, JudgeOrigin>
  /** Pairs of names, `a` against `b`. */
  readonly compare: ReadonlyArray<readonly [string, string]>
}

const range = ({ spread: { paired } }: JudgeReport): number | null => (paired.n < 2 ? null : paired.max! - paired.min!)

const noiseOf = (difference: number | null, a: JudgeReport, b: JudgeReport): ComparisonReport["noise"] => {
  const [rangeA, rangeB] = [range(a), range(b)]
  if (rangeA === null && rangeB === null) return null
  const floor = Math.max(rangeA ?? 0, rangeB ?? 0)
  return { rangeA, rangeB, ratio: difference === null || floor === 0 ? null : Math.abs(difference) / floor }
}

/** Which judges are compared when nobody says: each with each earlier one up to six judges, else each with the first. */
export const defaultComparisons = (judges: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  judges.flatMap((later, at) =>
    judges.slice(0, judges.length > 6 ? Math.min(at, 1) : at).map((earlier) => [later, earlier] as const)
  )

/** Every figure of every judge, and the comparisons asked for, unrounded. */
export const scoreReport = (
  { compare, origins, runs, set, source }: ScoreInput,
  options: FigureOptions
): ScoreReport => {
  const judges = [...Map.groupBy(runs, ({ judge }) => judge)].map(([judge, replicates]): JudgeReport => {
    const { figures, spread } = judgeReplicates(set, replicates, options)
    return {
      judge,
      origin: origins.get(judge) ?? null,
      figures: figures[0]!,
      breakdown: judgeBreakdown(set, replicates[0]!, figures[0]!.operating?.threshold ?? null, options),
      replicates: figures,
      spread
    }
  })
  const { threshold } = options
  const reportOf = new Map(judges.map((one) => [one.judge, one]))
  const runsOf = (judge: string) => runs.filter((run) => run.judge === judge)
  const comparisons = adjusted(compare.map(([a, b]) => compareJudges(set, runsOf(a), runsOf(b), options)))
  return {
    format: "assize-score/1",
    version,
    source,
    settings: {
      classes: options.classes ?? null,
      cap: options.cap,
      seed: options.seed,
      resamples: resamplesFor(set.consultations, options.resamples),
      threshold: typeof threshold === "object" ? Object.fromEntries(threshold) : (threshold ?? null)
    },
    counts: {
      consultations: set.consultations,
      clean: set.clean.length,
      pairs: set.pairs.flawed.length,
      measured: pairsOf(set, options.classes).length
    },
    judges,
    comparisons: comparisons.map((one) => ({
      ...one,
      noise: noiseOf(one.paired.difference, reportOf.get(one.a.judge)!, reportOf.get(one.b.judge)!)
    })),
    families: familySizes(comparisons)
  }
}
