import type { Outcome } from "../domain/Judgement.ts"
import { type ClusterInterval, intervalOfSums } from "./clusterInterval.ts"

/**
 * How often a second look quoted words for an absent fact, and the note did not hold them. Counts are means over the
 * samples of each note, and so whole numbers only with one sample.
 */
export interface Rescues extends ClusterInterval {
  /** Facts that words were quoted for. */
  readonly tried: number
  /** Of these, refused: the note does not hold the words. */
  readonly refused: number
  /** refused / tried; null where nothing was tried. */
  readonly share: number | null
  /** Judgements with a score, whether a second look was needed or not. */
  readonly judgements: number
  /** Consultations in which something was tried: what the bootstrap resamples. */
  readonly consultations: number
}

export interface RescueInput {
  readonly consultation: string
  readonly outcome: Outcome | undefined
}

/** The rescues of some judgements in all; null where none of them had a second look. */
export const rescuesOf = (
  judgements: ReadonlyArray<RescueInput>,
  options: { readonly seed: number; readonly resamples: number }
): Rescues | null => {
  const tried = new Map<string, number>()
  const refused = new Map<string, number>()
  let scored = 0
  let looked = false
  for (const { consultation, outcome } of judgements) {
    if (outcome?._tag !== "scored") continue
    scored++
    const { rescued = 0, "rescues refused": missed } = outcome.details ?? {}
    if (missed === undefined) continue
    looked = true
    tried.set(consultation, (tried.get(consultation) ?? 0) + rescued + missed)
    refused.set(consultation, (refused.get(consultation) ?? 0) + missed)
  }
  if (!looked) return null
  const consultations = [...tried.keys()].filter((consultation) => tried.get(consultation)! > 0)
  const numerators = consultations.map((consultation) => refused.get(consultation)!)
  const denominators = consultations.map((consultation) => tried.get(consultation)!)
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const share = consultations.length === 0 ? null : sum(numerators) / sum(denominators)
  return {
    tried: sum(denominators),
    refused: sum(numerators),
    share,
    judgements: scored,
    consultations: consultations.length,
    ...intervalOfSums({ numerators, denominators }, { estimate: share, share: true }, options)
  }
}
