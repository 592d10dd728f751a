import { wilson } from "../statistics/wilson.ts"
import { isFlagged, operatingPoint } from "./operatingPoint.ts"

/** A count of a number of cases, with its Wilson interval (95 %). Rate and interval are null for no case. */
export interface Rate {
  readonly count: number
  readonly n: number
  readonly rate: number | null
  readonly interval: readonly [number, number] | null
}

/**
 * The share `count` of `n` cases in [0, 1] with Wilson's interval; null for no case. `count` is a whole number from 0 to
 * `n`, which is not checked. Wilson, J. Am. Stat. Assoc. 22 (1927).
 */
export const rateOf = (count: number, n: number): Rate => ({
  count,
  n,
  rate: n === 0 ? null : count / n,
  interval: wilson(count, n)
})

/** Detection at an operating point. A note is flagged when its score is strictly below the threshold. */
export interface OperatingFigure {
  readonly cap: number
  readonly threshold: number
  /** Whether the threshold is the best one for these very notes; else it was given. */
  readonly fitted: boolean
  readonly detection: Rate
  readonly falseAlarms: Rate
}

/** Scores below the threshold; NaN is not. */
export const countFlagged = (scores: ArrayLike<number>, threshold: number): number => {
  let count = 0
  for (let at = 0; at < scores.length; at++) if (isFlagged(scores[at]!, threshold)) count++
  return count
}

/** The operating point of the notes' scores under the cap, or the rates at the threshold given. */
export const operatingFigure = (
  flawed: ArrayLike<number>,
  clean: ArrayLike<number>,
  cap: number,
  given?: number
): OperatingFigure | null => {
  if (given !== undefined) {
    if (flawed.length === 0 || clean.length === 0) return null
    return {
      cap,
      threshold: given,
      fitted: false,
      detection: rateOf(countFlagged(flawed, given), flawed.length),
      falseAlarms: rateOf(countFlagged(clean, given), clean.length)
    }
  }
  const point = operatingPoint(flawed, clean, cap)
  return point === null
    ? null
    : {
        cap,
        threshold: point.threshold,
        fitted: true,
        detection: rateOf(point.detected, point.flawed),
        falseAlarms: rateOf(point.falseAlarms, point.clean)
      }
}
