import { type RankedTwice, type ScoredTwice, type SwapDesign, swapDesign } from "./rankedTwice.ts"
import { type SwapOptions, type SwapStatistic, type SwapTest, swapTail } from "./swapTail.ts"

/**
 * Flawed notes that the first judge flags at its operating point, less those of the second: of each, the entries before
 * the clean note that would be one false alarm too many. In the list's order that is the threshold of `operatingPoint`.
 */
const detectedMore = ({ clean, keys }: RankedTwice, cap: number): SwapStatistic => {
  const allowed = Math.floor(cap * clean + 1e-9)
  return (swapped) => {
    let [alarmsA, alarmsB, difference] = [0, 0, 0]
    // 1 until a judge's threshold is passed. Whose entry comes next is a coin's toss, so a branch on it costs more than sums.
    let [openA, openB] = [1, 1]
    for (let at = 0; at < keys.length && (openA | openB) === 1; at++) {
      const key = keys[at]!
      const judge = ((key >> 1) & 1) ^ swapped[key >> 2]!
      const isFlawed = key & 1
      const ofA = openA & (judge ^ 1)
      const ofB = openB & judge
      difference += (ofA & isFlawed) - (ofB & isFlawed)
      alarmsA += ofA & (isFlawed ^ 1)
      alarmsB += ofB & (isFlawed ^ 1)
      openA = alarmsA > allowed ? 0 : 1
      openB = alarmsB > allowed ? 0 : 1
    }
    return difference
  }
}

/** Summed over the replicates: a count of flawed notes. */
export const detectionStatistic = ({ replicates }: SwapDesign, cap: number): SwapStatistic => {
  const each = replicates.map((one) => detectedMore(one, cap))
  return (swapped) => each.reduce((sum, one) => sum + one(swapped), 0)
}

/**
 * Permutation test of the difference in detection between two judges, each at its own operating point under a cap on
 * false alarms (a share of the clean notes): under the null the two change places a whole consultation at a time, in all
 * replicates at once. Scores are replaced by ranks within each judge and replicate (`alignedRanks`), so that scales may differ, and
 * both thresholds are chosen anew in each arrangement: what is chosen on these notes counts as chance, which McNemar's
 * test at the chosen thresholds leaves out.
 *
 * One entry of `replicates` is one replicate of each judge. A note without a score is never flagged but counts in the
 * rates, as in `operatingPoint`. The statistic is the share of flawed notes that `a` flags less that of `b`, over all
 * replicates. Two-sided; exact for up to 14 consultations that differ, seeded draws beyond (see `swapTail`). Null where a
 * replicate has no flawed or no clean note.
 */
export const detectionSwap = (
  replicates: ReadonlyArray<ScoredTwice>,
  { cap, ...options }: SwapOptions & { readonly cap: number }
): SwapTest | null => {
  const design = swapDesign(replicates)
  if (design.replicates.length === 0 || design.replicates.some(({ clean, flawed }) => clean === 0 || flawed === 0)) {
    return null
  }
  const statistic = detectionStatistic(design, cap)
  const notes = design.replicates.reduce((sum, { flawed }) => sum + flawed, 0)
  return {
    statistic: statistic(new Uint8Array(design.consultations)) / notes,
    clusters: design.consultations,
    ...swapTail(design, statistic, options)
  }
}
