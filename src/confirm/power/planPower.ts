import { consultationsFor, type Detectable, detectable, usualGoal } from "../detectable.ts"
import { leastP } from "../leastP.ts"
import type { PowerMeasures } from "./estimate.ts"
import { flagSimulation } from "./flagSimulation.ts"
import { pairedSimulation } from "./pairedSimulation.ts"
import type { Assumptions, Simulation, SimulationOptions } from "./simulation.ts"
import { type ConsultationSize, resized } from "./sizes.ts"

export interface PowerPart {
  readonly part: "acceptance" | "holdout"
  readonly consultations: ReadonlyArray<ConsultationSize>
}

/** One measure on one part: how much of it there is, and what it can tell. */
export interface PartPower extends Detectable {
  readonly part: PowerPart["part"]
  /** Consultations with a pair (a note, for detection). */
  readonly consultations: number
  /** Pairs for paired discrimination, flawed notes for detection. */
  readonly cases: number
  readonly clean: number
  /** The smallest p that the part's test can give. */
  readonly leastP: number
}

/** About how many consultations a part needs for a gain, each with as many pairs as now; null for more than 2,000. */
export interface Needed {
  readonly gain: number
  readonly consultations: number | null
}

export interface MeasurePower {
  readonly parts: ReadonlyArray<PartPower>
  readonly needed: ReadonlyArray<Needed>
}

export interface PowerPlan {
  readonly alpha: number
  readonly power: number
  readonly assumptions: Assumptions
  readonly paired: MeasurePower
  readonly detection: MeasurePower
}

const options: SimulationOptions = { seed: 11, trials: 1000 }
/** A number of consultations is wanted to a tenth. */
const fewer: SimulationOptions = { seed: 12, trials: 300 }
/** Trials of detection draw arrangements. */
const shareForDetection = 0.5
const askedGains = [0.05, 0.1]

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

/** What each part can tell by each measure, and what it would take to tell a gain of 5 and of 10 points. Takes some seconds, most of them for detection. */
export const planPower = (
  parts: ReadonlyArray<PowerPart>,
  assumptions: Assumptions,
  { detection }: PowerMeasures
): PowerPlan => {
  const all = parts.flatMap(({ consultations }) => consultations)
  const measure = (
    simulate: (sizes: ReadonlyArray<ConsultationSize>, options: SimulationOptions) => Simulation,
    side: "pairs" | "flawed"
  ): MeasurePower => {
    const found = parts.map(({ consultations, part }): PartPower => {
      const used = consultations.filter((one) => one[side] > 0 || (side === "flawed" && one.clean > 0))
      return {
        part,
        consultations: used.length,
        cases: sum(used.map((one) => one[side])),
        clean: sum(used.map(({ clean }) => clean)),
        leastP: leastP(side === "pairs" ? "cluster-swap" : "detection-swap", used.length),
        ...detectable(simulate(used, options))
      }
    })
    const last = found.at(-1)
    const needed = askedGains.map((gain): Needed => {
      const from = { consultations: last?.consultations ?? 1, gain: last?.gain ?? 0.5 }
      return {
        gain,
        consultations: all.length === 0 ? null : consultationsFor(gain, (n) => simulate(resized(all, n), fewer), from)
      }
    })
    return { parts: found, needed }
  }
  return {
    ...usualGoal,
    assumptions,
    paired: measure((sizes, own) => {
      return pairedSimulation(
        sizes.map(({ pairs }) => pairs),
        assumptions,
        own
      )
    }, "pairs"),
    detection: measure((sizes, { seed, trials }) => {
      const own = { seed, trials: shareForDetection * trials }
      return flagSimulation(sizes, detection.cap, assumptions, own)
    }, "flawed")
  }
}
