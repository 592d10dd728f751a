import { aucSwap } from "../measure/aucSwap.ts"
import { type ClusterInterval, noInterval } from "../measure/clusterInterval.ts"
import { detectionSwap } from "../measure/detectionSwap.ts"
import { auc } from "../measure/discrimination.ts"
import { operatingPoint } from "../measure/operatingPoint.ts"
import { type ScoredTwice, swapDesign } from "../measure/rankedTwice.ts"
import { weightedAucDifference, weightedDetectionDifference, weightedInterval } from "../measure/weightedDifferences.ts"

/** Detection or AUC of two judges on the same notes, over replicates. Differences are the first judge's less the second's. */
export interface ScoreDifference extends ClusterInterval {
  readonly a: number | null
  readonly b: number | null
  readonly difference: number | null
  /** Two-sided, by the swap of consultations. */
  readonly p: number | null
}

export interface DifferenceOptions {
  readonly seed: number
  readonly resamples: number
}

const nothing: ScoreDifference = { a: null, b: null, difference: null, ...noInterval("no-data"), p: null }

type Side = "a" | "b"

const scoresOf = (one: ScoredTwice, side: Side, flawed: 0 | 1): ReadonlyArray<number> =>
  Array.from(one[side]).filter((_, note) => one.flawed[note] === flawed)

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/**
 * Shares of the flawed notes that each judge flags at its own operating points, one for each replicate, over all
 * replicates; with an interval of the difference in which the thresholds are chosen anew in each resample, and the p of
 * `detectionSwap`. A note without a score is not flagged.
 */
export const detectionDifference = (
  replicates: ReadonlyArray<ScoredTwice>,
  options: DifferenceOptions & { readonly cap: number }
): ScoreDifference => {
  const test = detectionSwap(replicates, { cap: options.cap, seed: options.seed })
  if (test === null) return nothing
  const share = (side: Side): number => {
    const points = replicates.map((one) => operatingPoint(scoresOf(one, side, 1), scoresOf(one, side, 0), options.cap)!)
    return sum(points.map(({ detected }) => detected)) / sum(points.map(({ flawed }) => flawed))
  }
  const design = swapDesign(replicates)
  const { p, statistic } = test
  return {
    a: share("a"),
    b: share("b"),
    difference: statistic,
    ...weightedInterval(design, weightedDetectionDifference(design, options.cap), statistic, options),
    p
  }
}

/** Means over the replicates, with the interval of their difference and the p of `aucSwap`. All notes have both scores. */
export const aucDifference = (replicates: ReadonlyArray<ScoredTwice>, options: DifferenceOptions): ScoreDifference => {
  const test = aucSwap(replicates, { seed: options.seed })
  if (test === null) return nothing
  const mean = (side: Side) =>
    sum(replicates.map((one) => auc(scoresOf(one, side, 1), scoresOf(one, side, 0))!)) / replicates.length
  const design = swapDesign(replicates)
  const { p, statistic } = test
  return {
    a: mean("a"),
    b: mean("b"),
    difference: statistic,
    ...weightedInterval(design, weightedAucDifference(design), statistic, options),
    p
  }
}
