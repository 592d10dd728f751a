import { mulberry32 } from "../domain/Random.ts"
import { type ClusterInterval, intervalOfResamples } from "./clusterInterval.ts"
import type { RankedTwice, SwapDesign } from "./rankedTwice.ts"
import { resamplesFor } from "./usualResampling.ts"

/** A difference of two judges with each consultation counted `weights[c]` times, as a bootstrap of consultations draws them. */
export type WeightedDifference = (weights: Float64Array) => number

/** Difference of AUC; NaN without a flawed or a clean note. */
const aucMore =
  ({ keys, rises }: RankedTwice): WeightedDifference =>
  (weights) => {
    let [cleanA, flawedA, cleanB, flawedB, beforeA, beforeB, lostA, lostB] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (let at = 0; at < keys.length; at++) {
      if (rises[at] === 1) {
        beforeA = cleanA
        beforeB = cleanB
      }
      const key = keys[at]!
      const weight = weights[key >> 2]!
      const isFlawed = (key & 1) === 1
      if (((key >> 1) & 1) === 0) {
        if (isFlawed) {
          flawedA += weight
          lostA += weight * (cleanA + beforeA)
        } else cleanA += weight
      } else if (isFlawed) {
        flawedB += weight
        lostB += weight * (cleanB + beforeB)
      } else cleanB += weight
    }
    return lostB / (2 * flawedB * cleanB) - lostA / (2 * flawedA * cleanA)
  }

/** Of judges that scored all the notes: the AUC of the first less that of the second, mean over the replicates. */
export const weightedAucDifference = ({ replicates }: SwapDesign): WeightedDifference => {
  const each = replicates.map(aucMore)
  return (weights) => each.reduce((sum, one) => sum + one(weights), 0) / each.length
}

/** Weights of the notes of each consultation that have a flaw, or have none, times what the consultation counts. */
const weightOf = (notes: Float64Array, weights: Float64Array): number =>
  notes.reduce((sum, count, cluster) => sum + count * weights[cluster]!, 0)

/**
 * The share of flawed notes that the first judge flags less that of the second, over the replicates, each at its operating
 * point for the weighted notes under a cap on false alarms; NaN without a flawed or a clean note. What resampling does to
 * the thresholds is then part of its spread.
 */
export const weightedDetectionDifference = ({ replicates }: SwapDesign, cap: number): WeightedDifference => {
  return (weights) => {
    let [difference, flawed] = [0, 0]
    for (const { cleanOf, flawedOf, keys } of replicates) {
      const clean = weightOf(cleanOf, weights)
      flawed += clean === 0 ? Number.NaN : weightOf(flawedOf, weights)
      const allowed = cap * clean + 1e-9
      let [alarmsA, alarmsB] = [0, 0]
      for (let at = 0; at < keys.length && (alarmsA <= allowed || alarmsB <= allowed); at++) {
        const key = keys[at]!
        const weight = weights[key >> 2]!
        const isFlawed = (key & 1) === 1
        if (((key >> 1) & 1) === 0) {
          if (alarmsA > allowed) continue
          if (isFlawed) difference += weight
          else alarmsA += weight
        } else if (alarmsB <= allowed) {
          if (isFlawed) difference -= weight
          else alarmsB += weight
        }
      }
    }
    return difference / flawed
  }
}

/** A percentile interval (95 %) of the difference, whose value on the data is `estimate`, by bootstrap of consultations. */
export const weightedInterval = (
  { consultations }: SwapDesign,
  difference: WeightedDifference,
  estimate: number,
  { resamples, seed }: { readonly seed: number; readonly resamples: number }
): ClusterInterval => {
  const next = mulberry32(seed)
  const weights = new Float64Array(consultations)
  const times = resamples === 0 ? 0 : resamplesFor(consultations, resamples)
  const resampled = Float64Array.from({ length: times }, () => {
    weights.fill(0)
    for (let draw = 0; draw < consultations; draw++) weights[(next() * consultations) | 0]!++
    return difference(weights)
  })
  return intervalOfResamples(resampled, { estimate, consultations, share: false })
}
