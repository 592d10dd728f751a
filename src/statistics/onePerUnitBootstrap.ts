import { mulberry32 } from "../domain/Random.ts"
import { type BootstrapOptions, type BootstrapResult, summarise } from "./clusterBootstrap.ts"

/**
 * Bootstrap with equal weight for every unit: units are drawn with replacement, and of each drawn unit one of its
 * values, evenly; the statistic is their mean. `units` holds the values (pair outcomes) of one unit each; units without
 * a value are dropped. For units with many pairs, where a ratio of sums would let the largest units speak for the rest.
 *
 * The estimate is the mean of the units' means (what the resamples average to), not the mean of all values. Null
 * without a unit. Deterministic for a seed and an order of units (see `inClusterOrder`). [RUB §12.4], "one pair per resampled question".
 */
export const onePerUnitBootstrap = (
  units: ReadonlyArray<ReadonlyArray<number>>,
  options: BootstrapOptions
): BootstrapResult | null => {
  const used = units.filter((values) => values.length > 0)
  if (used.length === 0) return null
  const offsets = new Int32Array(used.length + 1)
  used.forEach((values, i) => {
    offsets[i + 1] = offsets[i]! + values.length
  })
  const flat = Float64Array.from(used.flat())
  const next = mulberry32(options.seed)
  const means = new Float64Array(options.resamples ?? 10_000)
  for (let resample = 0; resample < means.length; resample++) {
    let sum = 0
    for (let draw = 0; draw < used.length; draw++) {
      const unit = (next() * used.length) | 0
      const start = offsets[unit]!
      sum += flat[start + ((next() * (offsets[unit + 1]! - start)) | 0)]!
    }
    means[resample] = sum / used.length
  }
  const meanOf = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  return summarise(meanOf(used.map(meanOf)), used.length, means, options.confidence ?? 0.95)
}
