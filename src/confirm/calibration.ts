import { type ClusterInterval, intervalOfSums } from "../measure/clusterInterval.ts"
import { rounded } from "../measure/discrimination.ts"
import { type Rate, rateOf } from "../measure/operatingFigure.ts"
import { unpairedRates } from "../measure/unpairedRates.ts"
import { usualResampling } from "../measure/usualResampling.ts"
import { sumsByCluster } from "../statistics/clusterOrder.ts"
import { wilson } from "../statistics/wilson.ts"

/** A clean note as a judge saw it. */
export interface CleanScore {
  /** The consultation, by `clusterNumbers`. */
  readonly cluster: number
  /** NaN where the reply could not be read: such a note is not flagged. */
  readonly score: number
}

/** A threshold on clean notes. A note is flagged when its score is strictly below. */
export interface CalibratedThreshold {
  readonly threshold: number
  /** Wilson's interval, which takes notes as independent. */
  readonly falseAlarms: Rate
  /** Consultation-cluster bootstrap of the same share, where consultations have several notes. */
  readonly clustered: ClusterInterval
}

export interface Calibration {
  readonly target: number
  readonly notes: number
  readonly consultations: number
  readonly unparsed: number
  /** The greatest threshold whose false alarms are at most the target: what catches most at that price. */
  readonly chosen: CalibratedThreshold
  /**
   * The greatest threshold whose intervals lie below the target: one that keeps the promise. Wilson's, and where
   * consultations have several notes, which are then not independent, the one that draws consultations too. Null where no
   * threshold does.
   */
  readonly safe: CalibratedThreshold | null
  /** The thresholds beside the chosen one, rising, so that one sees what a small step costs. */
  readonly around: ReadonlyArray<CalibratedThreshold>
  /** Clean notes for an interval that reaches no farther than `precision` to either side of the target. */
  readonly needed: { readonly precision: number; readonly notes: number }
}

const shownBeside = 3

const flaggedAt = (notes: ReadonlyArray<CleanScore>, threshold: number): ReadonlyArray<boolean> =>
  notes.map(({ score }) => rounded(score) < threshold)

const thresholdOf = (notes: ReadonlyArray<CleanScore>, threshold: number): CalibratedThreshold => {
  const flags = flaggedAt(notes, threshold)
  const count = flags.filter(Boolean).length
  const sums = sumsByCluster(
    notes.map(({ cluster }) => cluster),
    flags.map(Number)
  )
  return {
    threshold,
    falseAlarms: rateOf(count, notes.length),
    clustered: intervalOfSums(sums, { estimate: count / notes.length, share: true }, usualResampling)
  }
}

/** Above the greatest score, where every note that could be read is flagged. */
const justAbove = (score: number): number => rounded(score + Math.max(1e-6, Math.abs(score) * 1e-6))

/**
 * How many clean notes it takes for Wilson's interval (95 %) around a share to reach at most `precision` to its farther
 * side. `share` in (0, 1), `precision` in (0, 1).
 */
export const notesNeeded = (share: number, precision: number): number => {
  const reaches = (n: number): boolean => {
    const [low, high] = wilson(share * n, n)!
    return Math.max(high - share, share - low) <= precision
  }
  let high = 1
  while (!reaches(high)) high *= 2
  let low = high >> 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (reaches(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * A threshold for a false-alarm target from scores of clean notes: no errors are needed for it [method §6, OB §K].
 * `target` and `precision` in (0, 1). Null without a note that could be read.
 */
export const calibrate = (
  notes: ReadonlyArray<CleanScore>,
  options: { readonly target: number; readonly precision: number }
): Calibration | null => {
  const scores = [...new Set(notes.map(({ score }) => rounded(score)).filter((score) => !Number.isNaN(score)))].sort(
    (a, b) => a - b
  )
  if (scores.length === 0) return null
  const { precision, target } = options
  const thresholds = [...scores, justAbove(scores.at(-1)!)]
  const rates = thresholds.map((threshold) => {
    const count = flaggedAt(notes, threshold).filter(Boolean).length
    return { threshold, share: count / notes.length, upper: wilson(count, notes.length)![1] }
  })
  const consultations = new Set(notes.map(({ cluster }) => cluster)).size
  const byConsultation = ({ clustered: { interval } }: CalibratedThreshold) =>
    consultations === notes.length || (interval !== null && interval[1] <= target)
  // The lowest threshold flags nothing, so there is always one.
  const chosen = rates.findLastIndex(({ share }) => share <= target + 1e-12)
  let safe: CalibratedThreshold | null = null
  for (let at = rates.findLastIndex(({ upper }) => upper <= target); at >= 0 && safe === null; at--) {
    const found = thresholdOf(notes, thresholds[at]!)
    if (byConsultation(found)) safe = found
  }
  const around = rates.slice(Math.max(0, chosen - shownBeside), chosen + shownBeside + 1)
  return {
    target,
    notes: notes.length,
    consultations,
    unparsed: notes.filter(({ score }) => Number.isNaN(score)).length,
    chosen: thresholdOf(notes, thresholds[chosen]!),
    safe,
    around: around.map(({ threshold }) => thresholdOf(notes, threshold)),
    needed: { precision, notes: notesNeeded(target, precision) }
  }
}

/** A threshold that was promised elsewhere, held against one's own clean notes. */
export interface DriftCheck {
  readonly threshold: number
  /** What it gave where it was calibrated. */
  readonly promised: Rate
  /** What it gives here. */
  readonly here: Rate
  /** Boschloo's exact test (Fisher's for very many notes), two-sided; null where the promise names no counts. */
  readonly p: number | null
}

/** The false alarms of a benchmark's threshold on these notes against those that it had there. */
export const driftCheck = (
  notes: ReadonlyArray<CleanScore>,
  threshold: number,
  promised: { readonly count: number; readonly n: number } | null
): DriftCheck => {
  const count = flaggedAt(notes, rounded(threshold)).filter(Boolean).length
  const here = rateOf(count, notes.length)
  return {
    threshold,
    promised: promised === null ? rateOf(0, 0) : rateOf(promised.count, promised.n),
    here,
    p: promised === null || promised.n === 0 || notes.length === 0 ? null : unpairedRates(promised, here).p
  }
}
