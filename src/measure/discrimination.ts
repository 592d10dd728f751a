import { requireSameLength } from "../statistics/arguments.ts"
import { floats, release } from "../statistics/largeArrays.ts"

/** From here on a double has no nine decimals to round to, and multiplying could overflow. */
const withoutDecimals = 2 ** 53 / 1e9

/** Scores are compared after rounding to 9 decimals, so that the noise of sums of floats makes no order. */
export const rounded = (score: number): number =>
  Math.abs(score) < withoutDecimals ? Math.round(score * 1e9) / 1e9 : score

export interface PairCounts {
  readonly pairs: number
  readonly wins: number
  readonly ties: number
  readonly losses: number
}

/** What one pair adds: 1 when the flawed note scores below its clean twin, ½ for a tie, 0 otherwise; NaN without both scores. */
export const pairOutcome = (flawed: number, clean: number): number => {
  if (Number.isNaN(flawed) || Number.isNaN(clean)) return Number.NaN
  const e = rounded(flawed)
  const c = rounded(clean)
  return e < c ? 1 : e === c ? 0.5 : 0
}

/**
 * Outcomes of pairs whose scores stand side by side, one each (`pairOutcome`): NaN where either score is missing (NaN).
 * Throws a RangeError for unequal lengths. [RUB Eq. 1].
 */
export const pairOutcomes = (flawed: ReadonlyArray<number>, clean: ReadonlyArray<number>): ReadonlyArray<number> => {
  requireSameLength("scores of pairs", flawed, clean)
  return flawed.map((score, i) => pairOutcome(score, clean[i]!))
}

/** Counts of pair outcomes; pairs without both scores (NaN) are left out [OB §G.2.2]. */
export const countPairs = (outcomes: ArrayLike<number>): PairCounts => {
  let wins = 0
  let ties = 0
  let losses = 0
  for (let at = 0; at < outcomes.length; at++) {
    const outcome = outcomes[at]
    if (outcome === 1) wins++
    else if (outcome === 0.5) ties++
    else if (outcome === 0) losses++
  }
  return { pairs: wins + ties + losses, wins, ties, losses }
}

/** Paired discrimination in [0, 1], chance 0.5: mean of 1[s_e < s_c] + ½·1[s_e = s_c] [RUB Eq. 1]. Null without a pair. */
export const pairedDiscrimination = (counts: PairCounts): number | null =>
  counts.pairs === 0 ? null : (counts.wins + counts.ties / 2) / counts.pairs

/** How many scores exist. */
export const countKnown = (scores: ArrayLike<number>): number => {
  let count = 0
  for (let at = 0; at < scores.length; at++) if (!Number.isNaN(scores[at]!)) count++
  return count
}

/** Scores that exist, rounded, in their order. */
export const knownScores = (scores: ArrayLike<number>): Float64Array => {
  const known = floats(scores.length)
  let count = 0
  for (let at = 0; at < scores.length; at++) if (!Number.isNaN(scores[at]!)) known[count++] = rounded(scores[at]!)
  return known.subarray(0, count)
}

/**
 * Area under the ROC curve: the share of all flawed × clean combinations in which the flawed note scores lower, ties ½
 * (Mann–Whitney). NaN scores are left out; null when a side is empty. O(n log n).
 */
export const auc = (flawed: ArrayLike<number>, clean: ArrayLike<number>): number | null => {
  const e = knownScores(flawed)
  const c = knownScores(clean).sort()
  if (e.length === 0 || c.length === 0) return null
  const countBelow = (value: number, orEqual: boolean) => {
    let low = 0
    let high = c.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (orEqual ? c[middle]! <= value : c[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }
  let wins = 0
  for (const score of e) {
    const notAbove = countBelow(score, true)
    wins += c.length - notAbove + (notAbove - countBelow(score, false)) / 2
  }
  const share = wins / (e.length * c.length)
  release(e, c)
  return share
}
