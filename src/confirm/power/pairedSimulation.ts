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

/** Points and weights of an integral over the standard normal distribution. */
const quadrature = (() => {
  const points = Array.from({ length: 49 }, (_, at) => {
    const z = (at - 24) / 4
    return { z, weight: Math.exp((-z * z) / 2) }
  })
  const sum = points.reduce((total, { weight }) => total + weight, 0)
  return points.map(({ weight, z }) => ({ z, weight: weight / sum }))
})()

/** Correlations of normal variables above this leave nothing to a pair itself. */
const mostLatent = 0.98

/**
 * Chances of the steps when each judge's outcome of a pair is that of a normal variable, the two correlate by `likeness`,
 * the baseline's is cut so that its shares of outcomes come out, and the candidate's is cut there too but is higher by
 * `shift`.
 */
const chances = (shares: Shares, likeness: number, shift: number): ReadonlyArray<number> => {
  const [loss, tie] = outcomesOf(shares)
  const [low, high] = [normalQuantile(Math.min(1, loss)), normalQuantile(Math.min(1, loss + tie))]
  const [common, own] = [Math.sqrt(likeness), Math.sqrt(1 - likeness)]
  /** Loss, tie, win given the common part. */
  const given = (z: number, by: number) => {
    const lost = normalCdf((low - by - common * z) / own)
    const notWon = Math.max(lost, normalCdf((high - by - common * z) / own))
    return [lost, notWon - lost, 1 - notWon] as const
  }
  const found = [0, 0, 0, 0, 0]
  for (const { weight, z } of quadrature) {
    const before = given(z, 0)
    const after = given(z, shift)
    before.forEach((one, b) => {
      after.forEach((other, a) => {
        found[a - b + 2]! += weight * one * other
      })
    })
  }
  return found
}

const meanOf = (of: ReadonlyArray<number>): number => of.reduce((sum, chance, at) => sum + chance * steps[at]!, 0)
const discordanceOf = (of: ReadonlyArray<number>): number => 1 - of[2]!

/** Beyond this shift every pair is won, to a double. */
const mostShift = 12

/** The shift at which the mean difference of outcomes is the gain. */
const shiftFor = (shares: Shares, likeness: number, gain: number): number =>
  gain <= 0 ? 0 : mostShift * rootOf((x) => meanOf(chances(shares, likeness, mostShift * x)), 2 * gain)

/**
 * The correlation at which two judges, one better than the other by the gain, differ on the given share of pairs. The model
 * knows none that differ on less than about 8 %: there it is the cautious side.
 */
export const likenessFor = (shares: Shares, discordance: number, gain = 0): number =>
  mostLatent *
  rootOf((x) => {
    const likeness = mostLatent * x
    return -discordanceOf(chances(shares, likeness, shiftFor(shares, likeness, gain)))
  }, -discordance)

/** What two judges of which one is better by a gain, and that differ on some share of the pairs, would differ on without it. */
export const discordanceWithout = (gain: number, shares: Shares, discordance: number): number =>
  discordanceOf(chances(shares, likenessFor(shares, discordance, gain), 0))

/** Chances of the differences -1, -½, 0, ½, 1 of the two judges' outcomes of a pair, candidate less baseline, at a true gain. */
export const differenceChances = (assumptions: Assumptions, gain: number): ReadonlyArray<number> => {
  const likeness = likenessFor(assumptions, assumptions.discordance)
  return chances(assumptions, likeness, shiftFor(assumptions, likeness, gain))
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
  const mean = meanOf(of)
  const variance = of.reduce((sum, chance, at) => sum + chance * (steps[at]! - mean) ** 2, 0)
  if (variance <= 1e-12) return latent
  const between = cuts(of)
  const own = Math.sqrt(1 - latent)
  const common = quadrature.reduce((sum, { weight, z }) => {
    // The step is -2 plus one for each cut that is passed.
    const given = between.reduce((step, cut) => step + 1 - normalCdf((cut - Math.sqrt(latent) * z) / own), -2)
    return sum + weight * (given - mean) ** 2
  }, 0)
  return common / variance
}

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
 * One pair: the outcome of each judge (loss, tie, win) is that of a normal variable. The baseline's is cut so that its
 * shares come out; the candidate's correlates with it, by as much as gives the assumed discordance, and a gain raises it by
 * a constant, such that the mean difference of outcomes is the gain. That makes a distribution of the difference -1, -½, 0,
 * ½, 1. Pairs of one consultation: each has a normal variable √r · (common to its consultation) + √(1 - r) · (its own),
 * which the quantiles of that distribution turn into its difference. r is set so that the differences without a gain
 * correlate by the assumed ICC, and stays. So every pair's difference rises with the gain, the random numbers being the
 * same. Each trial is tested by the swap of consultations that the read-out uses.
 */
export const pairedSimulation = (
  sizes: ReadonlyArray<number>,
  assumptions: Assumptions,
  options: SimulationOptions
): Simulation => {
  const used = sizes.filter((size) => size > 0)
  const pairs = used.reduce((sum, size) => sum + size, 0)
  const ceiling = 1 - assumptions.wins - assumptions.ties / 2
  const none = differenceChances(assumptions, 0)
  const latent = Math.min(
    mostLatent,
    rootOf((r) => stepCorrelation(none, Math.min(mostLatent, r)), assumptions.icc)
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
  /** Hands over the doubled differences of each trial, summed by consultation. */
  const each = (gain: number, take: (sums: ReadonlyArray<number>, trial: number) => void): void => {
    const [a, b, c, d] = cuts(differenceChances(assumptions, gain)) as [number, number, number, number]
    const sums = new Array<number>(used.length)
    let at = 0
    for (let trial = 0; trial < trials; trial++) {
      for (let cluster = 0; cluster < used.length; cluster++) {
        let sum = 0
        for (const end = at + used[cluster]!; at < end; at++) {
          const z = variables[at]!
          sum += z > c ? (z > d ? 2 : 1) : z > b ? 0 : z > a ? -1 : -2
        }
        sums[cluster] = sum
      }
      take(sums, trial)
    }
  }
  const detected = (gain: number, alpha: number): number => {
    let found = 0
    each(gain, (sums) => {
      if (swapRejects(sums, alpha)) found++
    })
    return found
  }
  return { trials, ceiling, detected }
}
