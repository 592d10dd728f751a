import { type RankedTwice, type ScoredTwice, type SwapDesign, swapDesign } from "./rankedTwice.ts"
import { type SwapOptions, type SwapStatistic, type SwapTest, swapTail } from "./swapTail.ts"

/** AUC of the first judge less that of the second. */
const aucMore = ({ clean, flawed, keys, rises }: RankedTwice): SwapStatistic => {
  const combinations = 2 * clean * flawed
  return (swapped) => {
    // Clean entries passed, and those before the ranks that are the same as the present one's.
    let [passedA, passedB, beforeA, beforeB, difference] = [0, 0, 0, 0, 0]
    for (let at = 0; at < keys.length; at++) {
      if (rises[at] === 1) {
        beforeA = passedA
        beforeB = passedB
      }
      const key = keys[at]!
      const isFlawed = (key & 1) === 1
      if ((((key >> 1) & 1) ^ swapped[key >> 2]!) === 0) {
        if (isFlawed) difference -= passedA + beforeA
        else passedA++
      } else if (isFlawed) difference += passedB + beforeB
      else passedB++
    }
    return difference / combinations
  }
}

/** Mean over the replicates. */
export const aucStatistic = ({ replicates }: SwapDesign): SwapStatistic => {
  const each = replicates.map(aucMore)
  return (swapped) => each.reduce((sum, one) => sum + one(swapped), 0) / each.length
}

const scoredByBoth = ({ a, b, cluster, flawed }: ScoredTwice): ScoredTwice => {
  const kept = Array.from({ length: flawed.length }, (_, note) => note).filter(
    (note) => !Number.isNaN(a[note]! + b[note]!)
  )
  const of = (column: ArrayLike<number>) => kept.map((note) => column[note]!)
  return { cluster: of(cluster), flawed: of(flawed), a: of(a), b: of(b) }
}

/**
 * Permutation test of the difference in AUC between two judges on the same notes: under the null the two change places a
 * whole consultation at a time, in all replicates at once. Scores are replaced by ranks within each judge and replicate
 * (`alignedRanks`), so that scales may differ. A bootstrap of consultations, in its place, finds too many differences in nothing
 * where there are fewer than some 30.
 *
 * One entry of `replicates` is one replicate of each judge; notes without a score by either are left out. The statistic is
 * the AUC of `a` less that of `b`, mean over replicates. Two-sided; exact for up to 14 consultations that differ, seeded
 * draws beyond (see `swapTail`). Null where a replicate has no flawed or no clean note.
 */
export const aucSwap = (replicates: ReadonlyArray<ScoredTwice>, options: SwapOptions): SwapTest | null => {
  const design = swapDesign(replicates.map(scoredByBoth))
  if (design.replicates.length === 0 || design.replicates.some(({ clean, flawed }) => clean === 0 || flawed === 0)) {
    return null
  }
  const statistic = aucStatistic(design)
  return {
    statistic: statistic(new Uint8Array(design.consultations)),
    clusters: design.consultations,
    ...swapTail(design, statistic, options)
  }
}
