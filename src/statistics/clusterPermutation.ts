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
 * beyond (see `flipTail`). Throws a RangeError for a difference that is not finite. Method §4; Fisher, The Design of
 * Experiments (1935), §21, by clusters.
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
  const places = new Map<string | number, number>()
  const differences = new Float64Array(clusters.length)
  // Numbers need no table of names, which would weigh more than all outcomes of a large set.
  const numbered = clusters instanceof Int32Array ? new Int32Array(greatest(clusters) + 1) : undefined
  const placeOf = (cluster: string | number): number => {
    if (numbered !== undefined) {
      if (numbered[cluster as number] === 0) numbered[cluster as number] = ++seen
      return numbered[cluster as number]! - 1
    }
    const known = places.get(cluster)
    if (known !== undefined) return known
    places.set(cluster, seen)
    return seen++
  }
  let seen = 0
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
    differences[placeOf(clusters[i]!)]! += 2 * (first - second)
  }
  if (pairs === 0) return null
  const tail = flipTail(differences.subarray(0, seen), options, 2 * tolerance * pairs)
  return {
    a: sumA / pairs,
    b: sumB / pairs,
    statistic: (sumA - sumB) / pairs,
    pairs,
    clusters: seen,
    ...tail
  }
}
