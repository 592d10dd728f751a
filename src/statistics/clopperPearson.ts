import { requireConfidence, requireShare } from "./arguments.ts"
import { betaQuantile } from "./beta.ts"

/**
 * Clopper–Pearson (exact) interval for `k` successes in `n` trials, as fractions in [0, 1]: central, each tail gets half
 * of 1 - confidence, by beta quantiles. 0 at k = 0, 1 at k = n. Null for n = 0. Throws a RangeError
 * unless 0 <= k <= n are whole numbers and the confidence is strictly between 0 and 1. Clopper & Pearson, Biometrika 26 (1934).
 */
export const clopperPearson = (k: number, n: number, confidence = 0.95): readonly [number, number] | null => {
  requireShare("Clopper–Pearson", k, n)
  requireConfidence(confidence)
  if (n === 0) return null
  const tail = (1 - confidence) / 2
  return [k === 0 ? 0 : betaQuantile(tail, k, n - k + 1), k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k)]
}
