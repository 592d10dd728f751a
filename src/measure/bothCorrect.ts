import { requireSameLength } from "../statistics/arguments.ts"

export interface PairVerdicts {
  /** Pairs with both verdicts. */
  readonly pairs: number
  /** Flawed note flagged, clean note not. */
  readonly bothCorrect: number
  /** Both flagged. */
  readonly pred1: number
  /** Neither flagged. */
  readonly pred0: number
  /** Inverted: clean note flagged, flawed note not. */
  readonly bothWrong: number
}

/**
 * Counts over pairs whose flags stand side by side: `flawedFlagged[i]` and `cleanFlagged[i]` say whether the two notes of
 * pair i were flagged. A pair with a null (no verdict) is left out of everything. Throws a RangeError for unequal
 * lengths. [BCR §3.4.2].
 */
export const countPairVerdicts = (
  flawedFlagged: ReadonlyArray<boolean | null>,
  cleanFlagged: ReadonlyArray<boolean | null>
): PairVerdicts => {
  requireSameLength("flags of pairs", flawedFlagged, cleanFlagged)
  return tallyPairVerdicts(
    flawedFlagged.length,
    (pair) => flawedFlagged[pair]!,
    (pair) => cleanFlagged[pair]!
  )
}

/** `countPairVerdicts` of the pairs from 0 to `pairs`, whose flags are asked for one by one: a million need no list. */
export const tallyPairVerdicts = (
  pairs: number,
  flawedFlag: (pair: number) => boolean | null,
  cleanFlag: (pair: number) => boolean | null
): PairVerdicts => {
  const counts = { pairs: 0, bothCorrect: 0, pred1: 0, pred0: 0, bothWrong: 0 }
  for (let pair = 0; pair < pairs; pair++) {
    const [flawed, clean] = [flawedFlag(pair), cleanFlag(pair)]
    if (flawed === null || clean === null) continue
    counts.pairs++
    if (flawed) counts[clean ? "pred1" : "bothCorrect"]++
    else counts[clean ? "bothWrong" : "pred0"]++
  }
  return counts
}

/** Shares of the pairs in [0, 1]; the first four add up to 1. */
export interface BothCorrectRates {
  readonly bothCorrect: number
  readonly pred1: number
  readonly pred0: number
  readonly bothWrong: number
  /** On the pairs: bothCorrect + pred1. */
  readonly sensitivity: number
  /** On the pairs: bothCorrect + pred0. */
  readonly specificity: number
  /** sensitivity × specificity: what independent verdicts would give. */
  readonly expected: number
  /** bothCorrect / expected, below 1 when the verdicts of a pair move together; null when expected is 0. */
  readonly independenceRatio: number | null
}

/** The Both-Correct Rate and its family [BCR §3.4.2]. Never above the smaller of sensitivity and specificity. Null without a pair. */
export const bothCorrectRates = (counts: PairVerdicts): BothCorrectRates | null => {
  const { pairs } = counts
  if (pairs === 0) return null
  const sensitivity = (counts.bothCorrect + counts.pred1) / pairs
  const specificity = (counts.bothCorrect + counts.pred0) / pairs
  const expected = sensitivity * specificity
  const bothCorrect = counts.bothCorrect / pairs
  return {
    bothCorrect,
    pred1: counts.pred1 / pairs,
    pred0: counts.pred0 / pairs,
    bothWrong: counts.bothWrong / pairs,
    sensitivity,
    specificity,
    expected,
    independenceRatio: expected === 0 ? null : bothCorrect / expected
  }
}

/**
 * The deception zone: F1 looks moderate (>= 0.6) while fewer pairs are told apart than by tossing coins (BCR < 0.25)
 * [BCR §4.5]. Null when either is undefined.
 */
export const inDeceptionZone = (f1: number | null, bothCorrect: number | null): boolean | null =>
  f1 === null || bothCorrect === null ? null : f1 >= 0.6 && bothCorrect < 0.25
