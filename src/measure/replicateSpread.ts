import { resampleTogether } from "../statistics/clusterBootstrap.ts"
import { release } from "../statistics/largeArrays.ts"
import { type ClusterInterval, intervalOfResamples } from "./clusterInterval.ts"
import { type FigureOptions, type JudgeFigures, measureRun } from "./judgeFigures.ts"
import {
  type FigureIntervals,
  figureIntervals,
  judgedClusters,
  type Resampled,
  type ResampledFigure,
  resampledFigures
} from "./judgeResampling.ts"
import { outcomesOf } from "./pairedFigure.ts"
import { consultationSums, type JudgedNotes, type NoteSet, pairsOf } from "./scoredNotes.ts"
import { resamplesFor } from "./usualResampling.ts"

/** How one figure differs between the replicates of a judge: its noise floor. */
export interface Spread {
  /** One a replicate, in their order; null where it has none. */
  readonly values: ReadonlyArray<number | null>
  readonly n: number
  readonly mean: number | null
  readonly min: number | null
  readonly max: number | null
  /** Sample standard deviation (n - 1); null for fewer than two. */
  readonly sd: number | null
}

/**
 * Count, mean, extremes and sample standard deviation of one figure over replicates, in the figure's own unit; nulls are
 * left out. Everything is null where nothing is left.
 */
export const spreadOf = (values: ReadonlyArray<number | null>): Spread => {
  const known = values.filter((value) => value !== null)
  const n = known.length
  if (n === 0) return { values, n, mean: null, min: null, max: null, sd: null }
  const mean = known.reduce((sum, value) => sum + value, 0) / n
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    values,
    n,
    mean,
    min: Math.min(...known),
    max: Math.max(...known),
    sd: n < 2 ? null : Math.sqrt(squares / (n - 1))
  }
}

/** The figures of `FigureIntervals` where `JudgeFigures` has them. */
const valueOf = (figures: JudgeFigures, name: ResampledFigure): number | null => {
  const { auc, bothCorrect, means, pointwise, severityWeighted } = figures
  switch (name) {
    case "auc":
      return auc.value
    case "meanClean":
      return means.clean.mean
    case "meanFlawed":
      return means.flawed.mean
    case "gap":
      return means.gap
    case "severityWeighted":
      return severityWeighted.value
    case "bothCorrect":
    case "pred1":
    case "pred0":
    case "bothWrong":
    case "expected":
    case "independenceRatio":
      return bothCorrect?.rates?.[name] ?? null
    default:
      return pointwise?.[name] ?? null
  }
}

export interface ReplicateSpread extends Readonly<Record<ResampledFigure, Spread>> {
  readonly replicates: ReadonlyArray<string>
  /** The interval is of the mean over replicates: a bootstrap that draws a consultation with all its replicates. */
  readonly paired: Spread & ClusterInterval & { readonly consultations: number }
  readonly detection: Spread
  readonly falseAlarms: Spread
  readonly threshold: Spread
  /** Of the means over replicates, by the same draws of consultations for each; null for a single replicate. */
  readonly intervals: FigureIntervals | null
}

/** The resamples of the replicates, which have the same draws, averaged one by one. */
const meanResampled = (all: ReadonlyArray<Resampled>): Resampled => {
  const [first] = all
  const values = Object.fromEntries(
    resampledFigures.map((name) => [
      name,
      first!.values[name].map((_, at) => all.reduce((sum, one) => sum + one.values[name][at]!, 0) / all.length)
    ])
  ) as Record<ResampledFigure, Float64Array>
  const consultations = Object.fromEntries(
    resampledFigures.map((name) => [name, Math.min(...all.map((one) => one.consultations[name]))])
  ) as Record<ResampledFigure, number>
  return { values, consultations }
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The mean over replicates of paired discrimination in resamples of consultations, each drawn with all its replicates.
 * Not a ratio of the sums of all: a replicate that could rank few pairs counts in the mean as much as the others.
 * Replicates without a pair are no part of either.
 */
const pairedOverReplicates = (
  set: NoteSet,
  runs: ReadonlyArray<JudgedNotes>,
  pairs: Int32Array,
  estimate: number | null,
  options: FigureOptions
): ClusterInterval & { readonly consultations: number } => {
  const notes = pairs.map((pair) => set.pairs.flawed[pair]!)
  const sides = runs.map((run) => {
    const outcomes = outcomesOf(set, run, pairs)
    const sums = consultationSums(set, notes, outcomes)
    release(outcomes)
    return { ...sums, consultations: sums.denominators.reduce((count, below) => count + Number(below > 0), 0) }
  })
  const used = sides.filter(({ consultations }) => consultations > 0)
  let consultations = 0
  for (let at = 0; at < set.consultations; at++) if (used.some((side) => side.denominators[at]! > 0)) consultations++
  const resamples = options.resamples === 0 ? 0 : resamplesFor(consultations, options.resamples)
  const interval = intervalOfResamples(resampleTogether(used, mean, { seed: options.seed, resamples }), {
    estimate,
    consultations: used.length === 0 ? 0 : Math.min(...used.map((side) => side.consultations)),
    share: true
  })
  release(...sides.flatMap(({ denominators, numerators }) => [denominators, numerators]))
  return { consultations, ...interval }
}

const ownInterval = ({ paired: { consultations, interval, intervalNote } }: JudgeFigures) => ({
  consultations,
  interval,
  intervalNote
})

/** Every figure of each replicate of a judge, and how they spread. */
export const judgeReplicates = (
  set: NoteSet,
  runs: ReadonlyArray<JudgedNotes>,
  options: FigureOptions
): { readonly figures: ReadonlyArray<JudgeFigures>; readonly spread: ReplicateSpread } => {
  const pairs = pairsOf(set, options.classes)
  const clusters = judgedClusters(set, runs, pairs)
  const measured = runs.map((run) => measureRun(set, run, clusters, options))
  const figures = measured.map((one) => one.figures)
  const spread = (of: (one: JudgeFigures) => number | null | undefined) =>
    spreadOf(figures.map((one) => of(one) ?? null))
  const paired = spread((one) => one.paired.value)
  const spreads = Object.fromEntries(
    resampledFigures.map((name) => [name, spread((one) => valueOf(one, name))])
  ) as Record<ResampledFigure, Spread>
  return {
    figures,
    spread: {
      replicates: runs.map(({ replicate }) => replicate),
      paired: {
        ...paired,
        ...(runs.length === 1 ? ownInterval(figures[0]!) : pairedOverReplicates(set, runs, pairs, paired.mean, options))
      },
      ...spreads,
      detection: spread(({ operating }) => operating?.detection.rate),
      falseAlarms: spread(({ operating }) => operating?.falseAlarms.rate),
      threshold: spread(({ operating }) => operating?.threshold),
      intervals:
        runs.length === 1
          ? null
          : figureIntervals(
              meanResampled(measured.map(({ resampled }) => resampled)),
              Object.fromEntries(resampledFigures.map((name) => [name, spreads[name].mean])) as Record<
                ResampledFigure,
                number | null
              >
            )
    }
  }
}
