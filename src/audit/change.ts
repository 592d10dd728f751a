import { mulberry32 } from "../domain/Random.ts"
import { intervalOfResamples, noInterval } from "../measure/clusterInterval.ts"
import { auc } from "../measure/discrimination.ts"
import { swapDesign } from "../measure/rankedTwice.ts"
import { weightedAucDifference } from "../measure/weightedDifferences.ts"
import { sumsByCluster } from "../statistics/clusterOrder.ts"
import type { AuditSettings, Change } from "./Audit.ts"

export type Resampling = Pick<AuditSettings, "seed" | "resamples">

/** How often each cluster is drawn in each resample, resample after resample; made once for a number of clusters. */
const drawsOf = (options: Resampling, clusters: number): Uint16Array => {
  const known = draws.get(options) ?? new Map<number, Uint16Array>()
  draws.set(options, known)
  const made = known.get(clusters) ?? new Uint16Array(options.resamples * clusters)
  if (known.has(clusters)) return made
  known.set(clusters, made)
  const next = mulberry32(options.seed)
  for (let from = 0; from < made.length; from += clusters)
    for (let draw = 0; draw < clusters; draw++) made[from + ((next() * clusters) | 0)]!++
  return made
}

/** An audit makes thousands of bootstraps over the same consultations with the same options, and drawing costs most of one. */
const draws = new WeakMap<Resampling, Map<number, Uint16Array>>()

const nothing: Change = {
  before: null,
  after: null,
  difference: null,
  ...noInterval("no-data"),
  n: 0,
  consultations: 0
}

/** Values of the same cases before and after, in columns; NaN where there is none. */
export interface TwoColumns {
  readonly before: ArrayLike<number>
  readonly after: ArrayLike<number>
  /** The consultation of each case, by `clusterNumbers`. */
  readonly cluster: ArrayLike<number>
}

/**
 * Change of a mean over the cases that have both values, with a 95 % interval by bootstrap of consultations. Ratio of
 * sums over drawn clusters, method §4.
 */
export const changeOfMean = ({ after, before, cluster }: TwoColumns, options: Resampling): Change => {
  let [n, sumBefore, sumAfter] = [0, 0, 0]
  const changes = new Float64Array(before.length)
  for (let at = 0; at < before.length; at++) {
    const [one, other] = [before[at]!, after[at]!]
    changes[at] = other - one
    if (Number.isNaN(changes[at]!)) continue
    n++
    sumBefore += one
    sumAfter += other
  }
  if (n === 0) return nothing
  const difference = (sumAfter - sumBefore) / n
  const { denominators: below, numerators: above } = sumsByCluster(cluster, changes)
  const clusters = above.length
  const drawn = drawsOf(options, clusters)
  const resampled = new Float64Array(options.resamples)
  for (let resample = 0; resample < options.resamples; resample++) {
    let [numerator, denominator] = [0, 0]
    const from = resample * clusters
    for (let at = 0; at < clusters; at++) {
      const weight = drawn[from + at]!
      numerator += weight * above[at]!
      denominator += weight * below[at]!
    }
    resampled[resample] = numerator / denominator
  }
  return {
    before: sumBefore / n,
    after: sumAfter / n,
    difference,
    ...intervalOfResamples(resampled, { estimate: difference, consultations: clusters, share: false }),
    n,
    consultations: clusters
  }
}

/** Change of AUC over the notes that have both scores, with a 95 % interval by bootstrap of consultations. `n` counts notes. */
export const changeOfAuc = (
  { after, before, cluster, flawed }: TwoColumns & { readonly flawed: ArrayLike<number> },
  options: Resampling
): Change => {
  const known: Array<number> = []
  for (let at = 0; at < before.length; at++) if (!Number.isNaN(before[at]! + after[at]!)) known.push(at)
  const column = (values: ArrayLike<number>) => Float64Array.from(known, (at) => values[at]!)
  const twice = { cluster: column(cluster), flawed: column(flawed), a: column(after), b: column(before) }
  const side = (scores: Float64Array, wanted: 0 | 1) => scores.filter((_, at) => twice.flawed[at] === wanted)
  const aucOf = (scores: Float64Array) => auc(side(scores, 1), side(scores, 0))
  const [first, second] = [aucOf(twice.b), aucOf(twice.a)]
  if (first === null || second === null) return nothing
  const design = swapDesign([twice])
  const { consultations } = design
  const measured = { estimate: second - first, consultations, share: false }
  const value = weightedAucDifference(design)
  const drawn = drawsOf(options, consultations)
  const weights = new Float64Array(consultations)
  const differences = new Float64Array(options.resamples)
  for (let resample = 0; resample < options.resamples; resample++) {
    weights.set(drawn.subarray(resample * consultations, (resample + 1) * consultations))
    differences[resample] = value(weights)
  }
  return {
    before: first,
    after: second,
    difference: second - first,
    ...intervalOfResamples(differences, measured),
    n: known.length,
    consultations
  }
}

/** The end of an interval that shows a rise (1), a fall (-1), or neither (0); undefined where there is no interval to show anything. */
export const shown = ({ difference, interval, intervalNote }: Change): -1 | 0 | 1 | undefined => {
  // Every consultation changes by the same: no spread, and the difference is what it is.
  if (intervalNote === "all-alike") return Math.sign(difference ?? 0) as -1 | 0 | 1
  if (interval === null) return undefined
  return interval[0] > 0 ? 1 : interval[1] < 0 ? -1 : 0
}
