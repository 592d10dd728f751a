import { requireShare } from "./arguments.ts"
import { type ExactPValues, fisherExact, hypergeometric, type TwoProportions, tieTolerance } from "./fisher.ts"

/**
 * For each total of successes t, the probability given t that a table is in the region: that its one-sided Fisher p
 * (against p1 < p2) is at most the observed one. Given t the Fisher p rises with x1, so the region is a lower tail.
 */
const conditionalRegion = (n1: number, n2: number, observed: number): Float64Array => {
  const limit = observed * (1 + tieTolerance)
  const region = new Float64Array(n1 + n2 + 1)
  for (let total = 0; total <= n1 + n2; total++) {
    let tail = 0
    for (const probability of hypergeometric(total, n1, n2).probabilities) {
      if (tail + probability > limit) break
      tail += probability
    }
    region[total] = tail
  }
  return region
}

/** Σ_t P(T = t) region[t] for T ~ Binomial(N, π): a polynomial in Bernstein form, by ratios from the mode outwards. */
const regionProbability = (region: Float64Array, nuisance: number): number => {
  const n = region.length - 1
  if (nuisance <= 0) return region[0]!
  if (nuisance >= 1) return region[n]!
  const odds = nuisance / (1 - nuisance)
  const mode = Math.min(n, Math.floor((n + 1) * nuisance))
  let weights = 1
  let sum = region[mode]!
  for (let t = mode, weight = 1; t < n && weight > 1e-20; t++) {
    weight *= (odds * (n - t)) / (t + 1)
    weights += weight
    sum += weight * region[t + 1]!
  }
  for (let t = mode, weight = 1; t > 0 && weight > 1e-20; t--) {
    weight *= t / (odds * (n - t + 1))
    weights += weight
    sum += weight * region[t - 1]!
  }
  return sum / weights
}

const goldenRatio = (Math.sqrt(5) - 1) / 2

/** The greatest value of a unimodal f between the two angles, by golden section. */
const refine = (f: (angle: number) => number, from: number, to: number): number => {
  let low = from
  let high = to
  let left = high - goldenRatio * (high - low)
  let right = low + goldenRatio * (high - low)
  let atLeft = f(left)
  let atRight = f(right)
  while (high - low > 1e-9) {
    if (atLeft > atRight) {
      high = right
      right = left
      atRight = atLeft
      left = high - goldenRatio * (high - low)
      atLeft = f(left)
    } else {
      low = left
      left = right
      atLeft = atRight
      right = low + goldenRatio * (high - low)
      atRight = f(right)
    }
  }
  return Math.max(atLeft, atRight)
}

/** Greatest region probability over the nuisance parameter. */
const supremum = (region: Float64Array): number => {
  // With π = sin² θ the binomial's standard deviation in θ is 1 / (2 √N) everywhere: 15 or more points to each.
  const points = Math.max(128, 24 * Math.ceil(Math.sqrt(region.length)))
  const at = (angle: number) => regionProbability(region, Math.sin(angle) ** 2)
  const step = Math.PI / 2 / points
  const values = Float64Array.from({ length: points + 1 }, (_, i) => (i === points ? region.at(-1)! : at(i * step)))
  let best = values.reduce((a, b) => Math.max(a, b), 0)
  const worthRefining = best * 0.98
  for (let i = 1; i < points; i++) {
    const value = values[i]!
    if (value >= worthRefining && value >= values[i - 1]! && value >= values[i + 1]!) {
      best = Math.max(best, refine(at, (i - 1) * step, (i + 1) * step))
    }
  }
  return Math.min(1, best)
}

const less = (table: TwoProportions): number => supremum(conditionalRegion(table.n1, table.n2, fisherExact(table).less))

/**
 * Boschloo's unconditional exact test of two independent proportions, the group sizes fixed: the greatest probability,
 * over the common success rate, of a table whose one-sided Fisher p is at most the observed one (ties with a relative
 * tolerance). Not mid-p. `twoSided` is the doubled smaller one-sided p, at most 1, as scipy has it; it can be below 1
 * for equal proportions. 1 for no successes at all or successes only. Throws a RangeError when the counts are none.
 * Boschloo, Statistica Neerlandica 24 (1970).
 */
export const boschloo = (table: TwoProportions): ExactPValues => {
  const { x1, n1, x2, n2 } = table
  requireShare("Boschloo, group 1", x1, n1)
  requireShare("Boschloo, group 2", x2, n2)
  const below = less(table)
  const above = less({ x1: x2, n1: n2, x2: x1, n2: n1 })
  return { less: below, greater: above, twoSided: Math.min(1, 2 * Math.min(below, above)) }
}
