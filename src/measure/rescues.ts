import type { Outcome } from "../domain/Judgement.ts"
import { sumsByCluster } from "../statistics/clusterOrder.ts"
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
  const looks: Array<{ readonly consultation: string; readonly tried: number; readonly refused: number }> = []
  let scored = 0
  let looked = false
  for (const { consultation, outcome } of judgements) {
    if (outcome?._tag !== "scored") continue
    scored++
    const { rescued = 0, "rescues refused": missed } = outcome.details ?? {}
    if (missed === undefined) continue
    looked = true
    if (rescued + missed > 0) looks.push({ consultation, tried: rescued + missed, refused: missed })
  }
  if (!looked) return null
  const sums = sumsByCluster(
    looks.map(({ consultation }) => consultation),
    looks.map(({ refused }) => refused),
    looks.map(({ tried }) => tried)
  )
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  const [refused, tried] = [sum(sums.numerators), sum(sums.denominators)]
  const share = tried === 0 ? null : refused / tried
  return {
    tried,
    refused,
    share,
    judgements: scored,
    consultations: sums.denominators.length,
    ...intervalOfSums(sums, { estimate: share, share: true }, options)
  }
}
