import { mulberry32 } from "../domain/Random.ts"
import { intervalOfResamples, intervalOfSums, noInterval } from "../measure/clusterInterval.ts"
import { auc } from "../measure/discrimination.ts"
import { swapDesign } from "../measure/rankedTwice.ts"
import { weightedAucDifference } from "../measure/weightedDifferences.ts"
import type { AuditSettings, Change } from "./Audit.ts"

export type Resampling = Pick<AuditSettings, "seed" | "resamples">

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
  /** The consultation of each case: any number that is its own. */
  readonly cluster: ArrayLike<number>
}

/**
 * Change of a mean over the cases that have both values, with a 95 % interval by bootstrap of consultations. Ratio of
 * sums over drawn clusters, method §4.
 */
export const changeOfMean = ({ after, before, cluster }: TwoColumns, options: Resampling): Change => {
  let [n, sumBefore, sumAfter] = [0, 0, 0]
  const sums = new Map<number, { above: number; below: number }>()
  for (let at = 0; at < before.length; at++) {
    const [one, other] = [before[at]!, after[at]!]
    if (Number.isNaN(one) || Number.isNaN(other)) continue
    n++
    sumBefore += one
    sumAfter += other
    const own = sums.get(cluster[at]!) ?? { above: 0, below: 0 }
    sums.set(cluster[at]!, own)
    own.above += other - one
    own.below++
  }
  if (n === 0) return nothing
  const difference = (sumAfter - sumBefore) / n
  const clusters = [...sums.values()]
  return {
    before: sumBefore / n,
    after: sumAfter / n,
    difference,
    ...intervalOfSums(
      {
        numerators: Float64Array.from(clusters, ({ above }) => above),
        denominators: Float64Array.from(clusters, ({ below }) => below)
      },
      { estimate: difference, share: false },
      options
    ),
    n,
    consultations: clusters.length
  }
}

/** Change of AUC over the notes that have both scores, with a 95 % interval by bootstrap of consultations. `n` counts notes. */
export const changeOfAuc = (
  { after, before, cluster, flawed }: TwoColumns & { readonly flawed: ArrayLike<number> },
  { resamples, seed }: Resampling
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
  const next = mulberry32(seed)
  const weights = new Float64Array(consultations)
  const differences = new Float64Array(resamples)
  for (let resample = 0; resample < resamples; resample++) {
    weights.fill(0)
    for (let draw = 0; draw < consultations; draw++) weights[(next() * consultations) | 0]!++
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
