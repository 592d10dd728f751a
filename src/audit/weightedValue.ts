import type { Measure } from "../domain/Campaign.ts"
import { rounded } from "../measure/discrimination.ts"
import type { Judged, Measured } from "./judged.ts"

/**
 * A measure of a candidate with each consultation counted `weights[place]` times, as resampling counts them; NaN
 * without a pair (or note on a side). With all weights 1 it is the measure itself.
 */
export type WeightedValue = (weights: ArrayLike<number>) => number

const pairedValue = (measured: Measured, { outcomes }: Judged): WeightedValue => {
  const sums = new Map<number, { above: number; below: number }>()
  for (const [at, pair] of measured.pairs.entries()) {
    const outcome = outcomes[at]!
    if (Number.isNaN(outcome)) continue
    const { flawed } = measured.index.pairs[pair]!
    const cluster = measured.place[flawed]!
    const own = sums.get(cluster) ?? { above: 0, below: 0 }
    sums.set(cluster, own)
    own.above += outcome
    own.below++
  }
  const clusters = Int32Array.from(sums.keys())
  const above = Float64Array.from(sums.values(), (own) => own.above)
  const below = Float64Array.from(sums.values(), (own) => own.below)
  return (weights) => {
    let [numerator, denominator] = [0, 0]
    for (let at = 0; at < clusters.length; at++) {
      const weight = weights[clusters[at]!]!
      numerator += weight * above[at]!
      denominator += weight * below[at]!
    }
    return numerator / denominator
  }
}

/** Notes in rising order of score, those without a score last; failed ones left out. */
const sortedNotes = ({ clean, flawed, place }: Measured, { failed, scores }: Judged) => {
  const notes = [...flawed.map((note) => ({ note, isFlawed: 1 })), ...clean.map((note) => ({ note, isFlawed: 0 }))]
    .filter(({ note }) => failed[note] === 0)
    .map((one) => ({ ...one, score: rounded(scores[one.note]!) }))
    .sort((a, b) => (Number.isNaN(a.score) ? 1 : Number.isNaN(b.score) ? -1 : a.score - b.score))
  return {
    known: notes.filter(({ score }) => !Number.isNaN(score)).length,
    score: Float64Array.from(notes, ({ score }) => score),
    isFlawed: Uint8Array.from(notes, (one) => one.isFlawed),
    cluster: Int32Array.from(notes, ({ note }) => place[note]!)
  }
}

const aucValue = (measured: Measured, judged: Judged): WeightedValue => {
  const { cluster, isFlawed, known, score } = sortedNotes(measured, judged)
  return (weights) => {
    let [clean, flawed, wins] = [0, 0, 0]
    for (let start = 0; start < known; ) {
      let [end, cleanHere, flawedHere] = [start, 0, 0]
      for (; end < known && score[end] === score[start]; end++) {
        const weight = weights[cluster[end]!]!
        if (isFlawed[end] === 1) flawedHere += weight
        else cleanHere += weight
      }
      // A clean note wins over the flawed ones that score lower.
      wins += cleanHere * (flawed + flawedHere / 2)
      clean += cleanHere
      flawed += flawedHere
      start = end
    }
    return wins / (clean * flawed)
  }
}

const detectionValue = (measured: Measured, judged: Judged, cap: number): WeightedValue => {
  const { cluster, isFlawed, known, score } = sortedNotes(measured, judged)
  return (weights) => {
    let [clean, flawed] = [0, 0]
    for (let at = 0; at < cluster.length; at++) {
      const weight = weights[cluster[at]!]!
      if (isFlawed[at] === 1) flawed += weight
      else clean += weight
    }
    if (clean === 0 || flawed === 0) return Number.NaN
    const allowed = cap * clean + 1e-9
    let [alarms, detected] = [0, 0]
    for (let start = 0; start < known; ) {
      let [end, cleanHere, flawedHere] = [start, 0, 0]
      for (; end < known && score[end] === score[start]; end++) {
        const weight = weights[cluster[end]!]!
        if (isFlawed[end] === 1) flawedHere += weight
        else cleanHere += weight
      }
      if (alarms + cleanHere > allowed) break
      alarms += cleanHere
      detected += flawedHere
      start = end
    }
    return detected / flawed
  }
}

/** The measure of a candidate as a function of how often each consultation counts. Method §3. */
export const weightedValue = (measured: Measured, judged: Judged, measure: Measure): WeightedValue => {
  switch (measure.measure) {
    case "paired-discrimination":
      return pairedValue(measured, judged)
    case "auc":
      return aucValue(measured, judged)
    case "detection":
      return detectionValue(measured, judged, measure.maxFalseAlarms)
  }
}
