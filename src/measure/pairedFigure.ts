import { ints, release } from "../statistics/largeArrays.ts"
import { type ClusterInterval, intervalOfSums, isThin } from "./clusterInterval.ts"
import { countPairs, type PairCounts, pairedDiscrimination, pairOutcome } from "./discrimination.ts"
import { clusterSums, type JudgedNotes, type NoteSet, valuesOf } from "./scoredNotes.ts"

/** Paired discrimination over the pairs with both scores; the interval is a 95 % consultation-cluster bootstrap. */
export interface PairedFigure extends PairCounts, ClusterInterval {
  readonly value: number | null
  readonly consultations: number
  /** Fewer than 30 pairs or 10 consultations: too few to read much into. */
  readonly thin: boolean
}

/** Outcome of each of the pairs: 1, ½, 0, or NaN without two scores. */
export const outcomesOf = (set: NoteSet, { scores }: JudgedNotes, pairs: Int32Array): Float64Array =>
  valuesOf(pairs, (pair) => pairOutcome(scores[set.pairs.flawed[pair]!]!, scores[set.pairs.clean[pair]!]!))

/** Paired discrimination of the pairs. */
export const pairedFigure = (
  set: NoteSet,
  outcomes: ArrayLike<number>,
  pairs: Int32Array,
  options: { readonly seed: number; readonly resamples: number }
): PairedFigure => {
  const counts = countPairs(outcomes)
  const notes = ints(pairs.length)
  for (let at = 0; at < notes.length; at++) notes[at] = set.pairs.flawed[pairs[at]!]!
  const sums = clusterSums(set, notes, outcomes)
  release(notes)
  const consultations = sums.denominators.length
  const value = pairedDiscrimination(counts)
  const interval = intervalOfSums(sums, { estimate: value, share: true }, options)
  release(sums.numerators, sums.denominators)
  return { ...counts, value, consultations, thin: isThin({ pairs: counts.pairs, consultations }), ...interval }
}
