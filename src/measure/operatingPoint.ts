import type { Detection } from "../domain/RunEvent.ts"
import { release } from "../statistics/largeArrays.ts"
import { knownScores, rounded } from "./discrimination.ts"

/**
 * The threshold with the greatest detection subject to a cap on false alarms [OB §B.4.2]: over the distinct scores and
 * one just above the greatest, a note is flagged when its score is strictly below the threshold. Ties go to fewer false
 * alarms, then to the lower threshold. Invariant to any strictly increasing relabelling of the scores.
 *
 * `flawed` and `clean` hold one score a note, NaN for a note without one: it is never flagged but counts in the rates.
 * Null when a side is empty.
 */
export const operatingPoint = (flawed: ArrayLike<number>, clean: ArrayLike<number>, cap: number): Detection | null =>
  operatingPoints(flawed, clean, [cap])?.[0] ?? null

/** `operatingPoint` at several caps (shares of the clean notes), in their order, for one sort of the scores. */
export const operatingPoints = (
  flawed: ArrayLike<number>,
  clean: ArrayLike<number>,
  caps: ReadonlyArray<number>
): ReadonlyArray<Detection> | null => {
  if (flawed.length === 0 || clean.length === 0) return null
  const e = sortedScores(flawed)
  const c = sortedScores(clean)
  const points = caps.map((cap) =>
    sweep(e, c, { cap, threshold: 0, detected: 0, flawed: flawed.length, falseAlarms: 0, clean: clean.length })
  )
  release(e, c)
  return points
}

/**
 * Whether a note is flagged at a threshold: its rounded score is strictly below. A note without a score (NaN) is not.
 * Comparing the score as it is would flag one that lies 1e-10 below a threshold made of itself.
 */
export const isFlagged = (score: number, threshold: number): boolean => rounded(score) < threshold

/** Scores that exist, rounded, rising. */
const sortedScores = (scores: ArrayLike<number>): Float64Array => knownScores(scores).sort()

/** The best threshold for the sorted scores, starting from `none`: nothing flagged. */
const sweep = (e: Float64Array, c: Float64Array, none: Detection): Detection => {
  const greatest = Math.max(e.at(-1) ?? Number.NEGATIVE_INFINITY, c.at(-1) ?? Number.NEGATIVE_INFINITY)
  if (greatest === Number.NEGATIVE_INFINITY) return none
  // The cap is compared as a count, with room for what 0.1 · 30 looks like in floats.
  const allowed = none.cap * none.clean + 1e-9
  let best: Detection | undefined
  let detected = 0
  let falseAlarms = 0
  // Thresholds rise, so the two counts are those of the scores already passed, and never fall.
  while (falseAlarms <= allowed) {
    const next = Math.min(e[detected] ?? Number.POSITIVE_INFINITY, c[falseAlarms] ?? Number.POSITIVE_INFINITY)
    const last = detected === e.length && falseAlarms === c.length
    if (best === undefined || detected > best.detected) {
      best = { ...none, threshold: last ? justAbove(greatest) : next, detected, falseAlarms }
    }
    if (last) break
    while (e[detected] === next) detected++
    while (c[falseAlarms] === next) falseAlarms++
  }
  return best ?? none
}

/**
 * A number above the score that survives rounding to 9 decimals and being written to a file. Infinity only above the
 * greatest of all numbers.
 */
const justAbove = (score: number): number => {
  const above = rounded(score + Math.max(1e-6, Math.abs(score) * 1e-9))
  return Number.isFinite(above) || score === Number.MAX_VALUE ? above : Number.MAX_VALUE
}
