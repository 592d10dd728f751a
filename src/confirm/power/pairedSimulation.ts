import { normalCdf, normalQuantile } from "../../statistics/normal.ts"
import { normalDraws } from "../../statistics/normalDraws.ts"
import { flipTail } from "../../statistics/signFlip.ts"
import {
  type Assumptions,
  rootOf,
  type Simulation,
  type SimulationOptions,
  tolerance,
  trialsFor
} from "./simulation.ts"

/** Twice an outcome's difference, candidate less baseline: -2, -1, 0, 1, 2. */
const steps = [-2, -1, 0, 1, 2] as const

type Shares = Pick<Assumptions, "wins" | "ties">

/** Loss, tie, win. */
const outcomesOf = ({ ties, wins }: Shares) => [Math.max(0, 1 - wins - ties), ties, wins] as const

/** Discordance of two judges that decide each pair independently of each other: the most that the model knows. */
export const independentDiscordance = (shares: Shares): number =>
  1 - outcomesOf(shares).reduce((sum, share) => sum + share * share, 0)

/** The share of pairs that the candidate decides afresh. */
const afreshOf = (assumptions: Assumptions): number => {
  const most = independentDiscordance(assumptions)
  return most <= 0 ? 0 : Math.min(1, assumptions.discordance / most)
}

/**
 * Chances of the steps when the candidate decides a share of the pairs afresh, with the baseline's own shares of
 * outcomes, keeps the others as the baseline has them, and then wins a share `raised` of all pairs whatever it had.
 */
const chances = (shares: Shares, afresh: number, raised: number): ReadonlyArray<number> => {
  const outcomes = outcomesOf(shares)
  const found = [0, 0, 0, 0, 0]
  outcomes.forEach((share, before) => {
    outcomes.forEach((other, after) => {
      const moved = share * (afresh * other + (before === after ? 1 - afresh : 0))
      found[after - before + 2]! += moved * (1 - raised)
      found[2 - before + 2]! += moved * raised
    })
  })
  return found
}

/** The four points between the steps on the scale of a standard normal variable. */
const cuts = (of: ReadonlyArray<number>): ReadonlyArray<number> => {
  let sum = 0
  return of.slice(0, 4).map((chance) => {
    sum += chance
    return normalQuantile(Math.max(0, Math.min(1, sum)))
  })
}

/** Correlation of the steps of two pairs whose normal variables correlate by `latent`: variance of the mean given the common part, over the variance. */
const stepCorrelation = (of: ReadonlyArray<number>, latent: number): number => {
  const mean = of.reduce((sum, chance, at) => sum + chance * steps[at]!, 0)
  const variance = of.reduce((sum, chance, at) => sum + chance * (steps[at]! - mean) ** 2, 0)
  if (variance <= 0) return latent
  const between = cuts(of)
  const own = Math.sqrt(1 - latent)
  let common = 0
  let weights = 0
  for (let z = -5; z <= 5; z += 0.25) {
    const weight = Math.exp((-z * z) / 2)
    // The step is -2 plus one for each cut that is passed.
    const given = between.reduce((sum, cut) => sum + 1 - normalCdf((cut - Math.sqrt(latent) * z) / own), -2)
    common += weight * (given - mean) ** 2
    weights += weight
  }
  return common / weights / variance
}

/** Correlations of normal variables above this leave nothing to a pair itself. */
const mostLatent = 0.98

/**
 * Two-sided p of the swap of whole consultations, whose sums of doubled differences are given. By the normal
 * distribution with the correction for whole numbers and for the sum's kurtosis where that is plainly on one side of
 * alpha, else exactly as `clusterSwap` has it: the two agree on which side of alpha p lies.
 */
export const swapRejects = (sums: ReadonlyArray<number>, alpha: number): boolean => {
  let total = 0
  let squares = 0
  let fourths = 0
  let clusters = 0
  for (const sum of sums) {
    if (sum === 0) continue
    clusters++
    total += sum
    const square = sum * sum
    squares += square
    fourths += square * square
  }
  if (total <= 0) return false
  if (clusters > 12) {
    const x = (total - 1) / Math.sqrt(squares)
    const kurtosis = (-2 * fourths) / (squares * squares)
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    const p = 2 * (1 - normalCdf(x) + (density * kurtosis * (x * x * x - 3 * x)) / 24)
    if (p < alpha / 3 || p > alpha * 2) return p < alpha
  }
  return flipTail(sums, { seed: 0 }, tolerance).p <= alpha + tolerance
}

/**
 * Simulated confirmations by paired discrimination. `sizes[c]` is the number of pairs of consultation c.
 *
 * Each pair has a normal variable Z = √r · (common to its consultation) + √(1 - r) · (its own). Z is turned into the
 * difference of the two judges' outcomes (-1, -½, 0, ½, 1) by the quantiles of its distribution. That distribution: the
 * baseline's outcome has the assumed shares; the candidate decides a share λ of the pairs afresh with the same shares
 * (λ is set so that the assumed discordance comes out) and keeps the others; a gain g makes it win a further share
 * g / (1 - paired discrimination of the baseline) of all pairs, whatever they were, so that the mean difference is g.
 * r is set so that the differences without a gain correlate by the assumed ICC within a consultation, and stays. Each
 * trial is tested by the swap of consultations that the read-out uses.
 */
export const pairedSimulation = (
  sizes: ReadonlyArray<number>,
  assumptions: Assumptions,
  options: SimulationOptions
): Simulation => {
  const used = sizes.filter((size) => size > 0)
  const pairs = used.reduce((sum, size) => sum + size, 0)
  const ceiling = 1 - assumptions.wins - assumptions.ties / 2
  const afresh = afreshOf(assumptions)
  const latent = Math.min(
    mostLatent,
    rootOf((r) => stepCorrelation(chances(assumptions, afresh, 0), Math.min(mostLatent, r)), assumptions.icc)
  )
  const trials = trialsFor(options.trials, pairs)
  const draw = normalDraws(options.seed)
  const variables = new Float32Array(trials * pairs)
  const [common, own] = [Math.sqrt(latent), Math.sqrt(1 - latent)]
  for (let at = 0; at < variables.length; ) {
    for (const size of used) {
      const shared = common * draw()
      for (let pair = 0; pair < size; pair++) variables[at++] = shared + own * draw()
    }
  }
  const detected = (gain: number, alpha: number): number => {
    if (pairs === 0 || ceiling <= 0) return 0
    const [a, b, c, d] = cuts(chances(assumptions, afresh, Math.min(1, gain / ceiling))) as [
      number,
      number,
      number,
      number
    ]
    const sums = new Array<number>(used.length)
    let at = 0
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      for (let cluster = 0; cluster < used.length; cluster++) {
        let sum = 0
        for (const end = at + used[cluster]!; at < end; at++) {
          const z = variables[at]!
          sum += z > c ? (z > d ? 2 : 1) : z > b ? 0 : z > a ? -1 : -2
        }
        sums[cluster] = sum
      }
      if (swapRejects(sums, alpha)) found++
    }
    return found
  }
  return { trials, ceiling, detected }
}
