import { normalQuantile } from "../statistics/normal.ts"
import { wilson } from "../statistics/wilson.ts"
import type { Simulation } from "./power/simulation.ts"

/** How often a true gain of a size is found, with the Wilson interval (95 %) of the simulation. */
export interface PowerPoint {
  readonly gain: number
  readonly power: number
  readonly interval: readonly [number, number]
}

/** What a part can tell [method §4]. Gains are shares: 0.05 is 5 points. */
export interface Detectable {
  /**
   * The smallest true gain that the test finds with the wanted power: smaller ones look like noise. Null where even the
   * largest that this baseline leaves room for is not found so often.
   */
  readonly gain: number | null
  readonly ceiling: number
  /** Share of trials in which the test finds a gain where there is none; half of alpha, if it keeps what it promises. */
  readonly falseGains: PowerPoint
  /**
   * Where the test finds a gain in more than half of alpha of the trials without one: the difference that no more of
   * them exceed, and the smallest true gain that exceeds it with the wanted power. Null where the test keeps its promise.
   */
  readonly strict: { readonly difference: number; readonly gain: number | null } | null
  /** At no gain, 5, 10 and 20 points, and at the detectable gain; rising. */
  readonly curve: ReadonlyArray<PowerPoint>
  readonly trials: number
}

export interface PowerGoal {
  readonly alpha: number
  readonly power: number
}

export const usualGoal: PowerGoal = { alpha: 0.05, power: 0.8 }

/** Gains are found to this: a tenth of a point. */
const precision = 0.001

const pointAt = (simulation: Simulation, gain: number, alpha: number): PowerPoint => {
  const found = simulation.detected(gain, alpha)
  return { gain, power: found / simulation.trials, interval: wilson(found, simulation.trials)! }
}

/** How many trials find a true gain. */
type Finder = (gain: number) => number

const byTest =
  (simulation: Simulation, alpha: number): Finder =>
  (gain) =>
    simulation.detected(gain, alpha)

/** A difference that no more than `share` of the trials without a gain exceed. */
const exceededBy = (simulation: Simulation, share: number): number => {
  const sorted = simulation.differences(0).sort()
  return Math.max(0, sorted[sorted.length - 1 - Math.floor(share * sorted.length)]!)
}

const beyond =
  (simulation: Simulation, difference: number): Finder =>
  (gain) =>
    simulation.differences(gain).reduce((found, one) => (one > difference + 1e-9 ? found + 1 : found), 0)

const smallest = ({ ceiling, trials }: Simulation, found: Finder, power: number): number | null => {
  const enough = (gain: number) => found(gain) >= power * trials
  if (!enough(ceiling)) return null
  let low = 0
  let high = ceiling
  while (high - low > precision) {
    const middle = (low + high) / 2
    if (enough(middle)) high = middle
    else low = middle
  }
  return high
}

/** The test, or where it finds more gains in nothing than it promises, what differences do without a gain. */
const honest = (simulation: Simulation, alpha: number, falseGains: PowerPoint) => {
  if (falseGains.interval[0] <= alpha / 2) return { find: byTest(simulation, alpha), difference: null }
  const difference = exceededBy(simulation, alpha / 2)
  return { find: beyond(simulation, difference), difference }
}

const shown = [0.05, 0.1, 0.2]

/** The smallest true gain that simulated confirmations find with the wanted power, by bisection: see `Detectable`. */
export const detectable = (simulation: Simulation, { alpha, power }: PowerGoal = usualGoal): Detectable => {
  const falseGains = pointAt(simulation, 0, alpha)
  const gain = smallest(simulation, byTest(simulation, alpha), power)
  const { difference, find } = honest(simulation, alpha, falseGains)
  const gains = [...new Set([...shown, ...(gain === null ? [] : [gain])])]
    .filter((one) => one <= simulation.ceiling)
    .sort((a, b) => a - b)
  return {
    gain,
    ceiling: simulation.ceiling,
    falseGains,
    strict: difference === null ? null : { difference, gain: smallest(simulation, find, power) },
    curve: [falseGains, ...gains.map((one) => pointAt(simulation, one, alpha))],
    trials: simulation.trials
  }
}

/** The gain that is asked of a part before it counts as more than noise: by the test, or by the strict one where the test is lax. */
export const honestGain = ({ gain, strict }: Detectable): number | null => (strict === null ? gain : strict.gain)

/** Beyond this nobody looks. */
const mostConsultations = 2000

/**
 * About how many consultations a part needs for a true gain to be found with the wanted power;
 * null for more than 2,000, or a gain that the baseline leaves no room for. `simulate(n)` simulates a part of n; `from`
 * is a part and the gain that it finds, to start from. Each step takes the number at which a normal test of the power
 * seen would have the one wanted; 40 is given as 40, 412 as 420.
 */
export const consultationsFor = (
  gain: number,
  simulate: (consultations: number) => Simulation,
  from: { readonly consultations: number; readonly gain: number },
  { alpha, power }: PowerGoal = usualGoal
): number | null => {
  const limit = (value: number) => Math.max(2, Math.min(2 * mostConsultations, Math.round(value)))
  const z = normalQuantile(1 - alpha / 2)
  const wanted = z + normalQuantile(power)
  let guess = limit(from.consultations * (from.gain / gain) ** 2)
  for (let step = 0; step < 3; step++) {
    if (guess >= 2 * mostConsultations) return null
    const simulation = simulate(guess)
    if (simulation.ceiling < gain) return null
    const { find } = honest(simulation, alpha, pointAt(simulation, 0, alpha))
    const found = find(gain) / simulation.trials
    const seen = z + normalQuantile(Math.max(0.02, Math.min(0.995, found)))
    const next = limit(guess * (wanted / Math.max(0.3, seen)) ** 2)
    const settled = Math.abs(next - guess) <= 0.03 * guess
    guess = next
    if (settled) break
  }
  if (guess > mostConsultations) return null
  return guess < 100 ? guess : Math.ceil(guess / 10) * 10
}
