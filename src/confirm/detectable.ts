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

const smallest = (simulation: Simulation, { alpha, power }: PowerGoal): number | null => {
  const { ceiling, trials } = simulation
  const enough = (gain: number) => simulation.detected(gain, alpha) >= power * trials
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

const shown = [0.05, 0.1, 0.2]

/** The smallest true gain that simulated confirmations find with the wanted power, by bisection: see `Detectable`. */
export const detectable = (simulation: Simulation, goal: PowerGoal = usualGoal): Detectable => {
  const { alpha } = goal
  const falseGains = pointAt(simulation, 0, alpha)
  const gain = smallest(simulation, goal)
  const gains = [...new Set([...shown, ...(gain === null ? [] : [gain])])]
    .filter((one) => one <= simulation.ceiling)
    .sort((a, b) => a - b)
  return {
    gain,
    ceiling: simulation.ceiling,
    falseGains,
    curve: [falseGains, ...gains.map((one) => pointAt(simulation, one, alpha))],
    trials: simulation.trials
  }
}

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
    const found = simulation.detected(gain, alpha) / simulation.trials
    const seen = z + normalQuantile(Math.max(0.02, Math.min(0.995, found)))
    const next = limit(guess * (wanted / Math.max(0.3, seen)) ** 2)
    const settled = Math.abs(next - guess) <= 0.06 * guess
    guess = next
    if (settled) break
  }
  if (guess > mostConsultations) return null
  return guess < 100 ? guess : Math.ceil(guess / 10) * 10
}
