import { chiSquareTail } from "./gamma.ts"
import { midRanks } from "./ranks.ts"
import { flipTail } from "./signFlip.ts"

export interface Wilcoxon {
  /** min(W+, W-). */
  readonly statistic: number
  /** Rank sum of the positive differences. */
  readonly wPlus: number
  /** Differences used: those that are not zero. */
  readonly n: number
  /** Two-sided; null without a difference that is not zero. */
  readonly p: number | null
  readonly method: "exact" | "normal"
}

/** Beyond this the table of the exact distribution is too large, and nobody needs it. */
const largestExact = 300
/** Beyond this the normal distribution is used unless the exact one is asked for. */
const mostExact = 50

/**
 * Wilcoxon signed-rank test of paired differences. Zeros are dropped before ranking (Wilcoxon's treatment, not Pratt's),
 * ties get mid-ranks. Left to choose, the exact distribution is used for at most 50 differences without a zero or a tie;
 * otherwise the normal one, with the variance corrected for ties and no continuity correction. Asked for "exact" with
 * ties, the p is exact given the mid-ranks. Throws a RangeError for NaN or infinite differences, and for "exact" with more
 * than 300 that are not zero.
 * Wilcoxon, Biometrics Bulletin 1 (1945).
 */
export const wilcoxon = (differences: ReadonlyArray<number>, method?: "exact" | "normal"): Wilcoxon => {
  const used = differences.filter((difference) => difference !== 0)
  const n = used.length
  const { ranks, ties } = midRanks(used.map(Math.abs))
  const wPlus = ranks.reduce((sum, rank, i) => (used[i]! > 0 ? sum + rank : sum), 0)
  const total = (n * (n + 1)) / 2
  const clean = n === differences.length && ties.length === 0
  const chosen = method ?? (clean && n <= mostExact ? "exact" : "normal")
  const result = { statistic: Math.min(wPlus, total - wPlus), wPlus, n, method: chosen }
  if (n === 0) return { ...result, p: null }
  if (chosen === "exact") {
    if (n > largestExact) throw new RangeError(`exact signed-rank test of ${n} differences, at most ${largestExact}`)
    // W+ - W- is the sum of the signed ranks; doubled, mid-ranks are whole numbers and the tail is exact.
    const signed = ranks.map((rank, i) => (used[i]! > 0 ? 2 * rank : -2 * rank))
    return { ...result, p: flipTail(signed, { seed: 0 }, 0).p }
  }
  const tieTerm = ties.reduce((sum, size) => sum + (size ** 3 - size), 0)
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - tieTerm / 48
  const z = (wPlus - total / 2) / Math.sqrt(variance)
  return { ...result, p: chiSquareTail(z * z, 1) }
}
