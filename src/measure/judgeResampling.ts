import { mulberry32 } from "../domain/Random.ts"
import { bothCorrectRates } from "./bothCorrect.ts"
import { classificationMetrics } from "./classification.ts"
import { type ClusterInterval, intervalOfResamples } from "./clusterInterval.ts"
import { rounded } from "./discrimination.ts"
import { isFlagged } from "./operatingPoint.ts"
import { distinctNotes, type JudgedNotes, labels, type NoteSet, select } from "./scoredNotes.ts"
import { severityWeights } from "./severityWeighted.ts"

/** What is added up over the consultations of a resample. */
const columns = [
  "flawed",
  "clean",
  "tp",
  "fp",
  "flawedScores",
  "flawedSum",
  "cleanScores",
  "cleanSum",
  "bothCorrect",
  "pred1",
  "pred0",
  "bothWrong",
  "pairs",
  "flaggedWeight",
  "weight"
] as const
type Column = (typeof columns)[number]
const width = columns.length
const place = Object.fromEntries(columns.map((name, at) => [name, at])) as Readonly<Record<Column, number>>

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
} as const satisfies Readonly<Record<string, { readonly below: ReadonlyArray<Column>; readonly share: boolean }>>

export type ResampledFigure = keyof typeof figures
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
  return select(
    new Int32Array(set.consultations).map((_, cluster) => cluster),
    (cluster) => seen[cluster] === 1
  )
}

/** The sums of each drawn consultation, one row each. */
const tableOf = (set: NoteSet, run: JudgedNotes, { clusters, pairs, threshold }: ResamplingOf, flawed: Int32Array) => {
  const rowOf = new Int32Array(set.consultations).fill(-1)
  clusters.forEach((cluster, row) => {
    rowOf[cluster] = row
  })
  const table = new Float64Array(clusters.length * width)
  const { judged, scores } = run
  const base = (note: number) => rowOf[set.consultation[note]!]! * width
  const flagged = (note: number) => isFlagged(scores[note]!, threshold)
  const addNotes = (notes: Int32Array, all: Column, flags: Column, known: Column, sum: Column) => {
    for (const note of notes) {
      if (judged[note] !== 1) continue
      const at = base(note)
      table[at + place[all]]! += 1
      if (Number.isNaN(scores[note]!)) continue
      if (flagged(note)) table[at + place[flags]]! += 1
      table[at + place[known]]! += 1
      table[at + place[sum]]! += scores[note]!
    }
  }
  addNotes(flawed, "flawed", "tp", "flawedScores", "flawedSum")
  addNotes(set.clean, "clean", "fp", "cleanScores", "cleanSum")
  for (const pair of pairs) {
    const note = set.pairs.flawed[pair]!
    if (judged[note] !== 1) continue
    const at = base(note)
    const severity = labels.severity[set.pairs.severity[pair]!]
    if (severity !== undefined) {
      table[at + place.weight]! += severityWeights[severity]
      if (flagged(note)) table[at + place.flaggedWeight]! += severityWeights[severity]
    }
    const twin = set.pairs.clean[pair]!
    if (Number.isNaN(scores[note]!) || Number.isNaN(scores[twin]!) || judged[twin] !== 1) continue
    table[at + place.pairs]! += 1
    const verdict = flagged(note) ? (flagged(twin) ? "pred1" : "bothCorrect") : flagged(twin) ? "bothWrong" : "pred0"
    table[at + place[verdict]]! += 1
  }
  return { table, rowOf }
}

/** The notes with a score, consultation by consultation: `level` of a clean note is the complement of its level. */
const levelsOf = (
  set: NoteSet,
  { judged, scores }: JudgedNotes,
  rowOf: Int32Array,
  rows: number,
  flawed: Int32Array
) => {
  const has = (note: number) => judged[note] === 1 && !Number.isNaN(scores[note]!)
  const sides = [select(flawed, has), select(set.clean, has)] as const
  const sorted = new Float64Array(sides[0].length + sides[1].length)
  let next = 0
  for (const side of sides) for (const note of side) sorted[next++] = rounded(scores[note]!)
  sorted.sort()
  let distinct = 0
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[distinct++] = sorted[at]!
  }
  const levelOf = (score: number): number => {
    let low = 0
    let high = distinct - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]! < score) low = middle + 1
      else high = middle
    }
    return low
  }
  const starts = new Int32Array(rows + 1)
  for (const side of sides) for (const note of side) starts[rowOf[set.consultation[note]!]! + 1]!++
  for (let row = 0; row < rows; row++) starts[row + 1]! += starts[row]!
  const level = new Int32Array(sorted.length)
  const filled = starts.slice()
  sides.forEach((side, isClean) => {
    for (const note of side) {
      const found = levelOf(rounded(scores[note]!))
      level[filled[rowOf[set.consultation[note]!]!]!++] = isClean === 1 ? ~found : found
    }
  })
  return { distinct, starts, level }
}

/**
 * Resamples the consultations of one replicate of a judge and measures each resample: one pass for all figures, for draws
 * that figures and replicates share (method §4). The cost of a resample is that of the notes drawn.
 */
export const resampleFigures = (set: NoteSet, run: JudgedNotes, of: ResamplingOf): Resampled => {
  const rows = of.clusters.length
  const flawed = distinctNotes(set.pairs.flawed, of.pairs, run.scores.length)
  const { rowOf, table } = tableOf(set, run, of, flawed)
  const { distinct, level, starts } = levelsOf(set, run, rowOf, rows, flawed)
  const values = Object.fromEntries(
    resampledFigures.map((name) => [name, new Float64Array(of.resamples).fill(Number.NaN)])
  ) as Record<ResampledFigure, Float64Array>
  const times = new Int32Array(rows)
  const sums = new Float64Array(width)
  const flawedAt = new Float64Array(distinct)
  const cleanAt = new Float64Array(distinct)
  const next = mulberry32(of.seed)
  for (let resample = 0; resample < of.resamples; resample++) {
    times.fill(0)
    sums.fill(0)
    flawedAt.fill(0)
    cleanAt.fill(0)
    for (let draw = 0; draw < rows; draw++) times[(next() * rows) | 0]!++
    for (let row = 0; row < rows; row++) {
      const weight = times[row]!
      if (weight === 0) continue
      const base = row * width
      for (let at = 0; at < width; at++) sums[at]! += weight * table[base + at]!
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const found = level[at]!
        if (found >= 0) flawedAt[found]! += weight
        else cleanAt[~found]! += weight
      }
    }
    let wins = 0
    let cleanBelow = 0
    const cleanScores = sums[place.cleanScores]!
    for (let at = 0; at < distinct; at++) {
      wins += flawedAt[at]! * (cleanScores - cleanBelow - cleanAt[at]! / 2)
      cleanBelow += cleanAt[at]!
    }
    const sum = (name: Column) => sums[place[name]]!
    const put = (name: ResampledFigure, value: number | null | undefined) => {
      if (value !== null && value !== undefined) values[name][resample] = value
    }
    // 0/0 is NaN, which says what it should.
    put("auc", wins / (sum("flawedScores") * cleanScores))
    put("meanClean", sum("cleanSum") / cleanScores)
    put("meanFlawed", sum("flawedSum") / sum("flawedScores"))
    put("gap", sum("cleanSum") / cleanScores - sum("flawedSum") / sum("flawedScores"))
    put("severityWeighted", sum("flaggedWeight") / sum("weight"))
    const rates = bothCorrectRates({
      pairs: sum("pairs"),
      bothCorrect: sum("bothCorrect"),
      pred1: sum("pred1"),
      pred0: sum("pred0"),
      bothWrong: sum("bothWrong")
    })
    for (const name of ["bothCorrect", "pred1", "pred0", "bothWrong", "expected", "independenceRatio"] as const)
      put(name, rates?.[name])
    const metrics = classificationMetrics({
      tp: sum("tp"),
      fp: sum("fp"),
      fn: sum("flawed") - sum("tp"),
      tn: sum("clean") - sum("fp")
    })
    for (const name of ["f1", "balancedAccuracy", "mcc", "precision", "recall", "specificity", "flagRate"] as const)
      put(name, metrics[name])
  }
  const having = (column: Column) => {
    let count = 0
    for (let at = place[column]; at < table.length; at += width) if (table[at]! > 0) count++
    return count
  }
  const consultations = Object.fromEntries(
    resampledFigures.map((name) => [name, Math.min(...figures[name].below.map(having))])
  ) as Record<ResampledFigure, number>
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
