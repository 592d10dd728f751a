import { normalQuantile } from "../../statistics/normal.ts"
import { normalDraws } from "../../statistics/normalDraws.ts"
import { signTest } from "../../statistics/signTest.ts"
import { type Assumptions, type Simulation, type SimulationOptions, tolerance, trialsFor } from "./simulation.ts"

/** Distinct notes of a consultation that the measure is of. */
export interface NoteCounts {
  readonly flawed: number
  readonly clean: number
}

/** The normal quantile is infinite at 0 and 1, and no count of notes tells 0.1 % from none. */
const least = 0.001

/**
 * The threshold below which the most notes are flagged under the cap on false alarms: the lowest clean score that would be
 * one too many. Without ties it flags the same flawed notes as the operating point. Sorts the scores.
 */
export const highestThreshold = (clean: Float32Array, cap: number): number => {
  const allowed = Math.floor(cap * clean.length + tolerance)
  return allowed < clean.length ? clean.sort()[allowed]! : Number.POSITIVE_INFINITY
}

/** By the number of notes that one judge alone flags: the fewest of them that must be the candidate's for p to be at most alpha. */
const neededTable = (alpha: number) => {
  const known: Array<number> = []
  return (discordant: number): number => {
    let needed = known[discordant]
    if (needed === undefined) {
      needed = Math.floor(discordant / 2) + 1
      while (needed <= discordant && signTest(needed, discordant - needed) > alpha + tolerance) needed++
      known[discordant] = needed
    }
    return needed
  }
}

/**
 * Simulated confirmations by detection under a cap on false alarms.
 *
 * Each judge has a score of each note, lower for worse: a part that both judges share, √ρ · N(note), and a part of its
 * own, √(1 - ρ) · (√r · N(judge, consultation) + √(1 - r) · N(judge, note)), all standard normal; a flawed note's is
 * lower by a constant. That constant is, for the baseline, such that the threshold that flags the cap's share of all clean
 * notes there are flags the assumed share of flawed ones; for the candidate, that share and the gain. ρ is the assumed
 * correlation of scores, r that of their differences in a consultation. In each trial each judge's threshold is chosen on
 * the trial's own notes (the operating point of scores without ties), and the flags of the flawed notes are compared by
 * McNemar's exact test, as the read-out does.
 */
export const flagSimulation = (
  consultations: ReadonlyArray<NoteCounts>,
  cap: number,
  assumptions: Assumptions,
  options: SimulationOptions
): Simulation => {
  const count = (side: keyof NoteCounts) => consultations.reduce((sum, one) => sum + one[side], 0)
  const [flawed, clean] = [count("flawed"), count("clean")]
  const trials = trialsFor(options.trials, 3 * (flawed + clean))
  const { detection, scoreCorrelation, scoreIcc } = assumptions
  const within = (share: number) => Math.max(least, Math.min(1 - least, share))
  const atCap = normalQuantile(within(cap))
  const shift = (share: number) => normalQuantile(within(share)) - atCap
  const draw = normalDraws(options.seed)
  const margins = [new Float32Array(trials * flawed), new Float32Array(trials * flawed)] as const
  const cleanScores = [new Float32Array(clean), new Float32Array(clean)] as const
  const weights = {
    note: Math.sqrt(scoreCorrelation),
    consultation: Math.sqrt((1 - scoreCorrelation) * scoreIcc),
    own: Math.sqrt((1 - scoreCorrelation) * (1 - scoreIcc))
  }
  const sides = [0, 1] as const
  for (let trial = 0; trial < trials; trial++) {
    const from = trial * flawed
    let [f, c] = [from, 0]
    for (const one of consultations) {
      const harsh = [weights.consultation * draw(), weights.consultation * draw()] as const
      for (let note = 0; note < one.flawed + one.clean; note++) {
        const shared = weights.note * draw()
        for (const side of sides) {
          const score = shared + harsh[side] + weights.own * draw()
          if (note < one.flawed) margins[side][f] = score
          else cleanScores[side][c] = score
        }
        if (note < one.flawed) f++
        else c++
      }
    }
    for (const side of sides) {
      const threshold = highestThreshold(cleanScores[side], cap)
      for (let at = from; at < f; at++) margins[side][at]! -= threshold
    }
  }

  const baseline = shift(detection)
  /** Hands over how many flawed notes the candidate alone, and the baseline alone, flags in each trial. */
  const each = (gain: number, take: (onlyCandidate: number, onlyBaseline: number, trial: number) => void): void => {
    const candidate = shift(detection + gain)
    for (let trial = 0; trial < trials; trial++) {
      let [onlyCandidate, onlyBaseline] = [0, 0]
      for (let at = trial * flawed; at < (trial + 1) * flawed; at++) {
        const byCandidate = margins[0][at]! < candidate
        if (byCandidate === margins[1][at]! < baseline) continue
        if (byCandidate) onlyCandidate++
        else onlyBaseline++
      }
      take(onlyCandidate, onlyBaseline, trial)
    }
  }
  const nothing = flawed === 0 || clean === 0
  const detected = (gain: number, alpha: number): number => {
    if (nothing) return 0
    const needed = neededTable(alpha)
    let found = 0
    each(gain, (onlyCandidate, onlyBaseline) => {
      if (onlyCandidate > onlyBaseline && onlyCandidate >= needed(onlyCandidate + onlyBaseline)) found++
    })
    return found
  }
  const differences = (gain: number): Float64Array => {
    const found = new Float64Array(trials)
    if (nothing) return found
    each(gain, (onlyCandidate, onlyBaseline, trial) => {
      found[trial] = (onlyCandidate - onlyBaseline) / flawed
    })
    return found
  }
  return { trials, ceiling: Math.max(0, 1 - detection), detected, differences }
}
