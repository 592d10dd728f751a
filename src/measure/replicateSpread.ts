import { clusterBootstrap } from "../statistics/clusterBootstrap.ts"
import { type FigureOptions, type JudgeFigures, outcomesOf } from "./judgeFigures.ts"
import { clusterSums, type JudgedNotes, type NoteSet, pairsOf, resamplesFor, valuesOf } from "./scoredNotes.ts"

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

export interface ReplicateSpread {
  readonly replicates: ReadonlyArray<string>
  readonly paired: Spread & {
    /** Of the mean over replicates: a consultation-cluster bootstrap that draws a consultation with all its replicates. */
    readonly interval: readonly [number, number] | null
  }
  readonly auc: Spread
  readonly detection: Spread
  readonly falseAlarms: Spread
  readonly threshold: Spread
  readonly meanClean: Spread
  readonly meanFlawed: Spread
  readonly gap: Spread
}

/** The spread of a judge's figures over its replicates, `figures[i]` being those of `runs[i]`. */
export const replicateSpread = (
  set: NoteSet,
  runs: ReadonlyArray<JudgedNotes>,
  figures: ReadonlyArray<JudgeFigures>,
  options: FigureOptions
): ReplicateSpread => {
  const spread = (of: (one: JudgeFigures) => number | null | undefined) =>
    spreadOf(figures.map((one) => of(one) ?? null))
  const pairs = pairsOf(set, options.classes)
  const notes = valuesOf(pairs, (pair) => set.pairs.flawed[pair]!)
  const sums = clusterSums(
    set,
    runs.flatMap(() => notes),
    runs.flatMap((run) => outcomesOf(set, run, pairs))
  )
  const resamples = resamplesFor(sums.denominators.length, options.resamples)
  return {
    replicates: runs.map(({ replicate }) => replicate),
    paired: {
      ...spread(({ paired }) => paired.value),
      interval: clusterBootstrap(sums, { seed: options.seed, resamples })
    },
    auc: spread(({ auc }) => auc.value),
    detection: spread(({ operating }) => operating?.detection.rate),
    falseAlarms: spread(({ operating }) => operating?.falseAlarms.rate),
    threshold: spread(({ operating }) => operating?.threshold),
    meanClean: spread(({ means }) => means.clean.mean),
    meanFlawed: spread(({ means }) => means.flawed.mean),
    gap: spread(({ means }) => means.gap)
  }
}
