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
   * Where the test finds a gain in more than half of alpha of the trials without one: the p that would keep to it, and
   * the gain that is then found. Null where the test keeps its promise.
   */
  readonly strict: { readonly alpha: number; readonly gain: number | null } | null
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

const smallest = (simulation: Simulation, alpha: number, power: number): number | null => {
  const enough = (gain: number) => simulation.detected(gain, alpha) >= power * simulation.trials
  if (!enough(simulation.ceiling)) return null
  let low = 0
  let high = simulation.ceiling
  while (high - low > precision) {
    const middle = (low + high) / 2
    if (enough(middle)) high = middle
    else low = middle
  }
  return high
}

/** The greatest p, to a twentieth of itself, at which no more than `share` of the trials without a gain show one. */
const honestAlpha = (simulation: Simulation, alpha: number, share: number): number => {
  let low = alpha / 2 ** 30
  let high = alpha
  while (high / low > 1.05) {
    const middle = Math.sqrt(low * high)
    if (simulation.detected(0, middle) <= share * simulation.trials) low = middle
    else high = middle
  }
  return low
}

const shown = [0.05, 0.1, 0.2]

/** The smallest true gain that simulated confirmations find with the wanted power, by bisection: see `Detectable`. */
export const detectable = (simulation: Simulation, { alpha, power }: PowerGoal = usualGoal): Detectable => {
  const falseGains = pointAt(simulation, 0, alpha)
  const gain = smallest(simulation, alpha, power)
  const keeps = falseGains.interval[0] <= alpha / 2
  const strictAlpha = keeps ? alpha : honestAlpha(simulation, alpha, alpha / 2)
  const gains = [...new Set([...shown, ...(gain === null ? [] : [gain])])]
    .filter((one) => one <= simulation.ceiling)
    .sort((a, b) => a - b)
  return {
    gain,
    ceiling: simulation.ceiling,
    falseGains,
    strict: keeps ? null : { alpha: strictAlpha, gain: smallest(simulation, strictAlpha, power) },
    curve: [falseGains, ...gains.map((one) => pointAt(simulation, one, alpha))],
    trials: simulation.trials
  }
}

/** The gain that is asked of a part before it counts as more than noise: by the test, or by the strict one where the test is lax. */
export const honestGain = ({ gain, strict }: Detectable): number | null => (strict === null ? gain : strict.gain)

/** Beyond this nobody looks. */
const mostConsultations = 2000

/**
 * About how many consultations a part needs for a true gain to be found with the wanted power, at the p of `goal`;
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
    const settled = Math.abs(next - guess) <= 0.03 * guess
    guess = next
    if (settled) break
  }
  if (guess > mostConsultations) return null
  return guess < 100 ? guess : Math.ceil(guess / 10) * 10
}
