import { requireSameLength } from "./arguments.ts"
import { type FlipOptions, type FlipTail, flipTail } from "./signFlip.ts"

/** Differences of means are compared up to this. */
const tolerance = 1e-12

export interface ClusterSignFlip extends FlipTail {
  /** Mean over clusters of the cluster's mean difference. */
  readonly statistic: number
  readonly clusters: number
}

/**
 * Sign-flip permutation test of paired differences, `clusters[i]` holding those of one cluster: all differences of a
 * cluster flip together, every cluster weighs the same whatever its size. Two-sided. Clusters without a difference are
 * dropped; null without a cluster. p = 1 for one cluster or all differences zero. Exact up to 40 clusters, seeded draws
 * beyond (see `flipTail`).
 */
export const clusterSignFlip = (
  clusters: ReadonlyArray<ReadonlyArray<number>>,
  options: FlipOptions
): ClusterSignFlip | null => {
  const means = clusters
    .filter((differences) => differences.length > 0)
    .map((differences) => differences.reduce((sum, value) => sum + value, 0) / differences.length)
  if (means.length === 0) return null
  const statistic = means.reduce((sum, mean) => sum + mean, 0) / means.length
  return { statistic, clusters: means.length, ...flipTail(means, options, tolerance * means.length) }
}

export interface ClusterSwap extends FlipTail {
  /** Mean outcome of each judge over the pairs that both judged. */
  readonly a: number
  readonly b: number
  /** a - b. */
  readonly statistic: number
  readonly pairs: number
  readonly clusters: number
}

/**
 * Permutation test of the difference between two judges' mean outcomes on the same pairs: under the null the two swap
 * outcomes for a whole cluster at a time. `a[i]` and `b[i]` are the outcomes of pair i (0, ½, 1; NaN where a score is
 * missing, which leaves the pair out for both), `clusters[i]` names its cluster. The statistic is a difference of means
 * over pairs, not over clusters. Two-sided. Exact for outcomes in halves up to some thousand pairs and clusters (see `flipTail`). Null without a
 * pair; p = 1 for one cluster or equal judges. Only the order within a judge matters: scales may differ.
 */
export const clusterSwap = (
  a: ReadonlyArray<number>,
  b: ReadonlyArray<number>,
  clusters: ReadonlyArray<string | number>,
  options: FlipOptions
): ClusterSwap | null => {
  requireSameLength("outcomes of the two judges", a, b)
  requireSameLength("outcomes and clusters", a, clusters)
  const differences = new Map<string | number, number>()
  let pairs = 0
  let sumA = 0
  let sumB = 0
  clusters.forEach((cluster, i) => {
    const first = a[i]!
    const second = b[i]!
    if (Number.isNaN(first) || Number.isNaN(second)) return
    pairs++
    sumA += first
    sumB += second
    // Doubled, so that half points are whole numbers and the test stays exact.
    differences.set(cluster, (differences.get(cluster) ?? 0) + 2 * (first - second))
  })
  if (pairs === 0) return null
  const tail = flipTail([...differences.values()], options, 2 * tolerance * pairs)
  return {
    a: sumA / pairs,
    b: sumB / pairs,
    statistic: (sumA - sumB) / pairs,
    pairs,
    clusters: differences.size,
    ...tail
  }
}
