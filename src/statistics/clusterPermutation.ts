import { requireSameLength } from "./arguments.ts"
import { inClusterOrder } from "./clusterOrder.ts"
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
 * beyond (see `flipTail`), which take the clusters in the order given (see `inClusterOrder`). Throws a RangeError for a
 * difference that is not finite. Method §4; Fisher, The Design of Experiments (1935), §21, by clusters.
 */
export const clusterSignFlip = (
  clusters: ReadonlyArray<ReadonlyArray<number>>,
  options: FlipOptions
): ClusterSignFlip | null => {
  const means = clusters
    .filter((differences) => differences.length > 0)
    .map((differences) => differences.reduce((sum, value) => sum + value, 0) / differences.length)
  return clusterMeanSignFlip(Float64Array.from(means), options)
}

/** `clusterSignFlip` of the clusters' mean differences themselves, one a cluster. */
export const clusterMeanSignFlip = (means: Float64Array, options: FlipOptions): ClusterSignFlip | null => {
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

/** Numbers need no table of names, which would weigh more than all outcomes of a large set. */
const numbersOf = (clusters: ArrayLike<string | number>): Int32Array => {
  if (clusters instanceof Int32Array) return clusters
  const numbers = new Map(inClusterOrder(Array.from(clusters)).map((cluster, number) => [cluster, number]))
  return Int32Array.from(clusters, (cluster) => numbers.get(cluster)!)
}

const greatest = (numbers: Int32Array): number => {
  let most = -1
  for (const number of numbers) if (number > most) most = number
  return most
}

/**
 * Permutation test of the difference between two judges' mean outcomes on the same pairs: under the null the two swap
 * outcomes for a whole cluster at a time. `a[i]` and `b[i]` are the outcomes of pair i (0, ½, 1; NaN where a score is
 * missing, which leaves the pair out for both), `clusters[i]` names its cluster. The statistic is a difference of means
 * over pairs, not over clusters. Two-sided. Exact for outcomes in halves up to some thousand pairs and clusters (see `flipTail`). Null without a
 * pair; p = 1 for one cluster or equal judges. Only the order within a judge matters: scales may differ. Throws a RangeError
 * for unequal lengths and for infinite outcomes. Names in an Int32Array are numbers from 0. Method §4; Good,
 * Permutation, Parametric and Bootstrap Tests of Hypotheses (2005), §3.
 */
export const clusterSwap = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
  options: FlipOptions
): ClusterSwap | null => {
  requireSameLength("outcomes of the two judges", a, b)
  requireSameLength("outcomes and clusters", a, clusters)
  const numbers = numbersOf(clusters)
  const most = greatest(numbers) + 1
  const differences = new Float64Array(most)
  const seen = new Uint8Array(most)
  let pairs = 0
  let sumA = 0
  let sumB = 0
  for (let i = 0; i < clusters.length; i++) {
    const first = a[i]!
    const second = b[i]!
    if (Number.isNaN(first) || Number.isNaN(second)) continue
    pairs++
    sumA += first
    sumB += second
    // Doubled, so that half points are whole numbers and the test stays exact.
    differences[numbers[i]!]! += 2 * (first - second)
    seen[numbers[i]!] = 1
  }
  if (pairs === 0) return null
  const ofSeen = differences.filter((_, number) => seen[number] === 1)
  const tail = flipTail(ofSeen, options, 2 * tolerance * pairs)
  return {
    a: sumA / pairs,
    b: sumB / pairs,
    statistic: (sumA - sumB) / pairs,
    pairs,
    clusters: ofSeen.length,
    ...tail
  }
}
