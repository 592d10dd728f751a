import { mulberry32 } from "../domain/Random.ts"
import { ints, release } from "../statistics/largeArrays.ts"
import { bothCorrectRates } from "./bothCorrect.ts"
import { classificationMetrics } from "./classification.ts"
import { type ClusterInterval, intervalOfResamples } from "./clusterInterval.ts"
import {
  type ConsultationPatterns,
  consultationPatterns,
  mostPairColumns,
  pairColumns
} from "./consultationPatterns.ts"
import { type JudgedNotes, labels, type NoteSet, select } from "./scoredNotes.ts"
import { severityWeights } from "./severityWeighted.ts"

/** What figures are shares of: they are undefined in a resample without any. */
const belows = ["flawed", "clean", "flawedScores", "cleanScores", "pairs", "weight"] as const
type Below = (typeof belows)[number]

/** The figures with a bootstrap interval beside paired discrimination, and the sums below the line of each. */
const figures = {
  auc: { below: ["flawedScores", "cleanScores"], share: false },
  meanClean: { below: ["cleanScores"], share: false },
  meanFlawed: { below: ["flawedScores"], share: false },
  gap: { below: ["flawedScores", "cleanScores"], share: false },
  severityWeighted: { below: ["weight"], share: true },
  bothCorrect: { below: ["pairs"], share: true },
  pred1: { below: ["pairs"], share: true },
  pred0: { below: ["pairs"], share: true },
  bothWrong: { below: ["pairs"], share: true },
  expected: { below: ["pairs"], share: false },
  independenceRatio: { below: ["pairs"], share: false },
  f1: { below: ["flawed", "clean"], share: false },
  balancedAccuracy: { below: ["flawed", "clean"], share: false },
  mcc: { below: ["flawed", "clean"], share: false },
  precision: { below: ["flawed", "clean"], share: false },
  recall: { below: ["flawed"], share: true },
  specificity: { below: ["clean"], share: true },
  flagRate: { below: ["flawed", "clean"], share: false }
} as const satisfies Readonly<Record<string, { readonly below: ReadonlyArray<Below>; readonly share: boolean }>>

export type ResampledFigure = keyof typeof figures
/** The names of the figures with a bootstrap interval, in the order of reports. */
export const resampledFigures = Object.keys(figures) as ReadonlyArray<ResampledFigure>

export interface Resampled {
  /** One value a resample, NaN where the figure is 0/0 there. The same resample has the same draws in every figure. */
  readonly values: Readonly<Record<ResampledFigure, Float64Array>>
  /** Consultations that add to each figure. */
  readonly consultations: Readonly<Record<ResampledFigure, number>>
}

export interface ResamplingOf {
  /** The pairs measured, by number. */
  readonly pairs: Int32Array
  /** At which notes are flagged; it is that of the data in every resample. */
  readonly threshold: number
  /** Consultations that are drawn, by number. */
  readonly clusters: Int32Array
  readonly seed: number
  readonly resamples: number
}

/** Consultations with a judged note of the pairs or of the clean ones, in any of the runs. */
export const judgedClusters = (set: NoteSet, runs: ReadonlyArray<JudgedNotes>, pairs: Int32Array): Int32Array => {
  const seen = new Uint8Array(set.consultations)
  const mark = (note: number) => {
    if (runs.some(({ judged }) => judged[note] === 1)) seen[set.consultation[note]!] = 1
  }
  for (const pair of pairs) mark(set.pairs.flawed[pair]!)
  for (const note of set.clean) mark(note)
  const all = ints(set.consultations)
  for (let cluster = 0; cluster < all.length; cluster++) all[cluster] = cluster
  return select(all, (cluster) => seen[cluster] === 1)
}

const weights = labels.severity.map((severity) => severityWeights[severity])

/** In how many of the consultations there is something below the line of each figure. */
const consultationsOf = (patterns: ConsultationPatterns): Readonly<Record<ResampledFigure, number>> => {
  const { level, levels, pairs, pairWidth, patternOf, starts } = patterns
  const sizes = new Int32Array(patterns.count)
  for (const pattern of patternOf) sizes[pattern]!++
  const having: Record<Below, number> = { flawed: 0, clean: 0, flawedScores: 0, cleanScores: 0, pairs: 0, weight: 0 }
  for (let pattern = 0; pattern < patterns.count; pattern++) {
    const has: Record<Below, boolean> = {
      flawed: false,
      clean: false,
      flawedScores: false,
      cleanScores: false,
      pairs: false,
      weight: false
    }
    for (let at = starts[pattern]!; at < starts[pattern + 1]!; at++) {
      const found = level[at]!
      if (found >= 0) {
        has.flawed = true
        if (found < levels) has.flawedScores = true
      } else {
        has.clean = true
        if (~found < levels) has.cleanScores = true
      }
    }
    for (let column = 0; column < pairWidth; column++) {
      if (pairs[pattern * pairWidth + column]! > 0) has[column < pairColumns.flagged ? "pairs" : "weight"] = true
    }
    for (const name of belows) if (has[name]) having[name] += sizes[pattern]!
  }
  return Object.fromEntries(
    resampledFigures.map((name) => [name, Math.min(...figures[name].below.map((below) => having[below]))])
  ) as Record<ResampledFigure, number>
}

/**
 * Resamples the consultations of one replicate of a judge and measures each resample: one pass for all figures, for draws
 * that figures and replicates share (method §4). The cost of a resample is that of drawing the consultations, and of the
 * notes of those that differ.
 */
export const resampleFigures = (set: NoteSet, run: JudgedNotes, of: ResamplingOf): Resampled => {
  const rows = of.clusters.length
  const patterns = consultationPatterns(set, run, of)
  const { count, flaggedLevels, level, levels, pairs, pairWidth, patternOf, starts } = patterns
  const values = Object.fromEntries(
    resampledFigures.map((name) => [name, new Float64Array(of.resamples).fill(Number.NaN)])
  ) as Record<ResampledFigure, Float64Array>
  const times = ints(count)
  const sums = new Float64Array(mostPairColumns)
  // One more for the notes without a score.
  const flawedAt = ints(levels + 1)
  const cleanAt = ints(levels + 1)
  const next = mulberry32(of.seed)
  for (let resample = 0; resample < of.resamples; resample++) {
    times.fill(0)
    sums.fill(0)
    flawedAt.fill(0)
    cleanAt.fill(0)
    for (let draw = 0; draw < rows; draw++) times[patternOf[(next() * rows) | 0]!]!++
    for (let pattern = 0; pattern < count; pattern++) {
      const weight = times[pattern]!
      if (weight === 0) continue
      for (let at = starts[pattern]!; at < starts[pattern + 1]!; at++) {
        const found = level[at]!
        if (found >= 0) flawedAt[found]! += weight
        else cleanAt[~found]! += weight
      }
      const base = pattern * pairWidth
      for (let at = 0; at < pairWidth; at++) sums[at]! += weight * pairs[base + at]!
    }
    let flawedScores = 0
    let cleanScores = 0
    let flawedSum = 0
    let cleanSum = 0
    let tp = 0
    let fp = 0
    // Of clean scores below each flawed one, ties halved, so that wins are what is left of all.
    let losses = 0
    for (let at = 0; at < levels; at++) {
      const [flawed, clean] = [flawedAt[at]!, cleanAt[at]!]
      losses += flawed * (cleanScores + clean / 2)
      flawedScores += flawed
      cleanScores += clean
      flawedSum += flawed * patterns.values[at]!
      cleanSum += clean * patterns.values[at]!
      if (at >= flaggedLevels) continue
      tp += flawed
      fp += clean
    }
    const flawed = flawedScores + flawedAt[levels]!
    const clean = cleanScores + cleanAt[levels]!
    let flaggedWeight = 0
    let allWeight = 0
    weights.forEach((weight, severity) => {
      const flagged = weight * sums[pairColumns.flagged + severity]!
      flaggedWeight += flagged
      allWeight += flagged + weight * sums[pairColumns.passed + severity]!
    })
    const put = (name: ResampledFigure, value: number | null | undefined) => {
      if (value !== null && value !== undefined) values[name][resample] = value
    }
    // 0/0 is NaN, which says what it should.
    put("auc", (flawedScores * cleanScores - losses) / (flawedScores * cleanScores))
    put("meanClean", cleanSum / cleanScores)
    put("meanFlawed", flawedSum / flawedScores)
    put("gap", cleanSum / cleanScores - flawedSum / flawedScores)
    put("severityWeighted", flaggedWeight / allWeight)
    const verdicts = {
      bothCorrect: sums[pairColumns.bothCorrect]!,
      pred1: sums[pairColumns.pred1]!,
      pred0: sums[pairColumns.pred0]!,
      bothWrong: sums[pairColumns.bothWrong]!
    }
    const rates = bothCorrectRates({
      ...verdicts,
      pairs: verdicts.bothCorrect + verdicts.pred1 + verdicts.pred0 + verdicts.bothWrong
    })
    for (const name of ["bothCorrect", "pred1", "pred0", "bothWrong", "expected", "independenceRatio"] as const)
      put(name, rates?.[name])
    const metrics = classificationMetrics({ tp, fp, fn: flawed - tp, tn: clean - fp })
    for (const name of ["f1", "balancedAccuracy", "mcc", "precision", "recall", "specificity", "flagRate"] as const)
      put(name, metrics[name])
  }
  const consultations = consultationsOf(patterns)
  release(patternOf, starts, level, pairs, times, flawedAt, cleanAt)
  return { values, consultations }
}

export type FigureIntervals = Readonly<Record<ResampledFigure, ClusterInterval>>

/** The interval of each figure; `estimates` are those on the data. */
export const figureIntervals = (
  { consultations, values }: Resampled,
  estimates: Readonly<Record<ResampledFigure, number | null>>
): FigureIntervals =>
  Object.fromEntries(
    resampledFigures.map((name) => [
      name,
      intervalOfResamples(values[name], {
        estimate: estimates[name],
        consultations: consultations[name],
        share: figures[name].share
      })
    ])
  ) as Record<ResampledFigure, ClusterInterval>
