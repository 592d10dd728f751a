import { detectionStatistic } from "../../measure/detectionSwap.ts"
import { swapDesign } from "../../measure/rankedTwice.ts"
import { swapRejects } from "../../measure/swapTail.ts"
import { normalQuantile } from "../../statistics/normal.ts"
import { normalDraws } from "../../statistics/normalDraws.ts"
import { type Assumptions, type Simulation, type SimulationOptions, trialsFor } from "./simulation.ts"

/** Distinct notes of a consultation that the measure is of. */
export interface NoteCounts {
  readonly flawed: number
  readonly clean: number
}

/** The normal quantile is infinite at 0 and 1, and no count of notes tells 0.1 % from none. */
const least = 0.001
/** A trial draws arrangements, so that one of a large part takes milliseconds. */
const fewestTrials = 120

/**
 * Simulated confirmations by detection under a cap on false alarms.
 *
 * Each judge has a score of each note, lower for worse: a part that both judges share, √ρ · N(note), and a part of its
 * own, √(1 - ρ) · (√r · N(judge, consultation) + √(1 - r) · N(judge, note)), all standard normal; a flawed note's is
 * lower by a constant. That constant is, for the baseline, such that the threshold that flags the cap's share of all clean
 * notes there are flags the assumed share of flawed ones; for the candidate, that share and the gain. ρ is the assumed
 * correlation of scores, r that of their differences in a consultation. Each trial is tested by the swap of consultations
 * that the read-out uses, with both thresholds chosen anew in each arrangement (`swapRejects`: fewer draws).
 */
export const flagSimulation = (
  consultations: ReadonlyArray<NoteCounts>,
  cap: number,
  assumptions: Assumptions,
  options: SimulationOptions
): Simulation => {
  const notes = consultations.flatMap(({ clean, flawed }, cluster) =>
    Array.from({ length: flawed + clean }, (_, at) => ({ cluster, flawed: at < flawed ? 1 : 0 }))
  )
  const cluster = Int32Array.from(notes, (note) => note.cluster)
  const flawed = Uint8Array.from(notes, (note) => note.flawed)
  const trials = trialsFor(options.trials, 3 * notes.length, fewestTrials)
  const { detection, scoreCorrelation, scoreIcc } = assumptions
  const within = (share: number) => Math.max(least, Math.min(1 - least, share))
  const atCap = normalQuantile(within(cap))
  const shift = (share: number) => normalQuantile(within(share)) - atCap
  const draw = normalDraws(options.seed)
  const scores = [new Float32Array(trials * notes.length), new Float32Array(trials * notes.length)] as const
  const weights = {
    note: Math.sqrt(scoreCorrelation),
    consultation: Math.sqrt((1 - scoreCorrelation) * scoreIcc),
    own: Math.sqrt((1 - scoreCorrelation) * (1 - scoreIcc))
  }
  for (let at = 0; at < trials * notes.length; ) {
    for (const one of consultations) {
      const harsh = [weights.consultation * draw(), weights.consultation * draw()] as const
      for (let note = 0; note < one.flawed + one.clean; note++, at++) {
        const shared = weights.note * draw()
        scores[0][at] = shared + harsh[0] + weights.own * draw()
        scores[1][at] = shared + harsh[1] + weights.own * draw()
      }
    }
  }

  // Not the seed itself: the first trial's arrangements would be drawn by the numbers that made its scores.
  const firstArrangements = options.seed + 1
  const nothing = !flawed.includes(1) || !flawed.includes(0)
  const baseline = shift(detection)
  const isFound = (trial: number, gain: number, alpha: number): boolean => {
    const candidate = shift(detection + gain)
    const [a, b] = scores.map((all, side) => {
      const lower = side === 0 ? candidate : baseline
      // What is flagged lies below the thresholds.
      const own = all.subarray(trial * notes.length, (trial + 1) * notes.length)
      return own.map((score, at) => score - flawed[at]! * lower)
    }) as [Float32Array, Float32Array]
    const design = swapDesign([{ cluster, flawed, a, b }])
    const statistic = detectionStatistic(design, cap)
    return (
      statistic(new Uint8Array(design.consultations)) > 0 &&
      swapRejects(design, statistic, alpha, firstArrangements + trial)
    )
  }
  const asked = new Map<number, ReadonlyArray<{ missed: number; found: number }>>()
  const detected = (gain: number, alpha: number): number => {
    if (nothing) return 0
    // What is found of a smaller gain is found of a larger: few trials are tested again as a search closes in.
    const none = { missed: Number.NEGATIVE_INFINITY, found: Number.POSITIVE_INFINITY }
    const known = asked.get(alpha) ?? Array.from({ length: trials }, () => ({ ...none }))
    asked.set(alpha, known)
    let found = 0
    for (const [trial, limits] of known.entries()) {
      if (gain > limits.missed && gain < limits.found) {
        if (isFound(trial, gain, alpha)) limits.found = gain
        else limits.missed = gain
      }
      if (gain >= limits.found) found++
    }
    return found
  }
  return { trials, ceiling: Math.max(0, 1 - detection), detected }
}
