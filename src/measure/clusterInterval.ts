import { clopperPearson } from "../statistics/clopperPearson.ts"
import { type ClusterSums, clusterBootstrap } from "../statistics/clusterBootstrap.ts"
import { percentileInterval } from "../statistics/quantile.ts"
import { resamplesFor } from "./usualResampling.ts"

/** Why there is no interval, or which one stands in the place of the bootstrap's. */
export type IntervalNote =
  /** Nothing to measure. */
  | "no-data"
  /** Fewer than 10 consultations: too few to resample. */
  | "few-consultations"
  /** Every consultation says the same, so resampling shows no spread. */
  | "all-alike"
  /** A share of 0 or 1 in every consultation: Clopper–Pearson on the consultations, each one case. */
  | "clopper-pearson-on-consultations"
  /** The figure is 0/0 in more than 5 % of the resamples. */
  | "often-undefined"
  /** No resamples were asked for. */
  | "not-asked"

/** A 95 % interval; null with the reason. */
export interface ClusterInterval {
  readonly interval: readonly [number, number] | null
  /** Null for an interval of the consultation-cluster bootstrap. */
  readonly intervalNote: IntervalNote | null
}

/** Below either, figures are marked thin (method §3). */
export const thinBelow = { pairs: 30, consultations: 10 } as const

/** Whether a figure rests on fewer than 30 pairs or 10 consultations: too few to read much into. Method §3. */
export const isThin = (of: { readonly pairs: number; readonly consultations: number }): boolean =>
  of.pairs < thinBelow.pairs || of.consultations < thinBelow.consultations

/** That there is no interval, and why. */
export const noInterval = (intervalNote: IntervalNote): ClusterInterval => ({ interval: null, intervalNote })

/** Widths below this are sums of floats in another order. */
const noWidth = 1e-12
/** More undefined resamples than this, and the others are no fair picture of all. */
const mostUndefined = 0.05

interface Measured {
  /** The figure on the data themselves; null where it is not defined. */
  readonly estimate: number | null
  /** Consultations that add to it. */
  readonly consultations: number
  /** Whether it is a share of cases in [0, 1]. */
  readonly share: boolean
}

const refused = ({ consultations, estimate }: Measured): ClusterInterval | undefined =>
  estimate === null || consultations === 0
    ? noInterval("no-data")
    : consultations < thinBelow.consultations
      ? noInterval("few-consultations")
      : undefined

const widened = (
  { consultations, estimate, share }: Measured,
  interval: readonly [number, number]
): ClusterInterval => {
  if (interval[1] - interval[0] > noWidth) return { interval, intervalNote: null }
  if (!share || (estimate !== 0 && estimate !== 1)) return noInterval("all-alike")
  return {
    interval: clopperPearson(estimate * consultations, consultations),
    intervalNote: "clopper-pearson-on-consultations"
  }
}

/** The interval of resampled values, in any order; NaN where a resample has no value. `values` is left as it is. */
export const intervalOfResamples = (values: Float64Array, measured: Measured): ClusterInterval => {
  const none = refused(measured)
  if (none !== undefined) return none
  if (values.length === 0) return noInterval("not-asked")
  const known = values.filter((value) => !Number.isNaN(value)).sort()
  if (values.length - known.length > mostUndefined * values.length) return noInterval("often-undefined")
  return widened(measured, percentileInterval(known, 0.95)!)
}

const positives = (values: ArrayLike<number>): number => {
  let count = 0
  for (let at = 0; at < values.length; at++) if (values[at]! > 0) count++
  return count
}

/**
 * The interval of a ratio of sums by a bootstrap of the clusters that have something below the line, of fewer resamples
 * than asked for where they are very many (`resamplesFor`).
 */
export const intervalOfSums = (
  sums: ClusterSums,
  { estimate, share }: Pick<Measured, "estimate" | "share">,
  options: { readonly seed: number; readonly resamples: number }
): ClusterInterval => {
  const measured = { estimate, share, consultations: positives(sums.denominators) }
  const none = refused(measured)
  if (none !== undefined) return none
  if (options.resamples === 0) return noInterval("not-asked")
  const resamples = resamplesFor(measured.consultations, options.resamples)
  return widened(measured, clusterBootstrap(sums, { seed: options.seed, resamples })!)
}
