import { requireShare } from "./arguments.ts"

/** Two independent samples: `x1` successes among `n1`, `x2` among `n2`. */
export interface TwoProportions {
  readonly x1: number
  readonly n1: number
  readonly x2: number
  readonly n2: number
}

export interface ExactPValues {
  /** Against p1 < p2. */
  readonly less: number
  /** Against p1 > p2. */
  readonly greater: number
  readonly twoSided: number
}

/** Two tables are equally extreme when their probabilities differ by rounding only. */
export const tieTolerance = 1e-9

export interface Hypergeometric {
  /** The least number of successes group 1 can have. */
  readonly from: number
  /** P(X1 = from + i). */
  readonly probabilities: Float64Array
}

/**
 * Successes of group 1, given `total` successes in both groups of sizes n1 and n2. By ratios from the mode outwards,
 * then scaled to add up to 1: every probability keeps its relative precision.
 */
export const hypergeometric = (total: number, n1: number, n2: number): Hypergeometric => {
  const from = Math.max(0, total - n2)
  const to = Math.min(n1, total)
  const weights = new Float64Array(to - from + 1)
  const mode = Math.min(to, Math.max(from, Math.floor(((total + 1) * (n1 + 1)) / (n1 + n2 + 2))))
  weights[mode - from] = 1
  for (let x = mode; x < to; x++) {
    weights[x + 1 - from] = (weights[x - from]! * ((n1 - x) * (total - x))) / ((x + 1) * (n2 - total + x + 1))
  }
  for (let x = mode; x > from; x--) {
    weights[x - 1 - from] = (weights[x - from]! * (x * (n2 - total + x))) / ((n1 - x + 1) * (total - x + 1))
  }
  const sum = weights.reduce((a, b) => a + b, 0)
  return { from, probabilities: weights.map((weight) => weight / sum) }
}

/**
 * Fisher's exact test. The two-sided p adds up all tables of the same margins that are no more probable than the
 * observed one (with a relative tolerance for ties), as scipy and R do; it is not the doubled one-sided p. 1 when a
 * group is empty. Throws a RangeError when the counts are none. Fisher, Statistical Methods for Research Workers (1934).
 */
export const fisherExact = ({ x1, n1, x2, n2 }: TwoProportions): ExactPValues => {
  requireShare("Fisher, group 1", x1, n1)
  requireShare("Fisher, group 2", x2, n2)
  const { from, probabilities } = hypergeometric(x1 + x2, n1, n2)
  const observed = probabilities[x1 - from]!
  let less = 0
  let greater = 0
  let twoSided = 0
  probabilities.forEach((probability, i) => {
    if (from + i <= x1) less += probability
    if (from + i >= x1) greater += probability
    if (probability <= observed * (1 + tieTolerance)) twoSided += probability
  })
  return { less: Math.min(1, less), greater: Math.min(1, greater), twoSided: Math.min(1, twoSided) }
}
