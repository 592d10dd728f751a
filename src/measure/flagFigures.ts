import {
  type BothCorrectRates,
  bothCorrectRates,
  inDeceptionZone,
  type PairVerdicts,
  tallyPairVerdicts
} from "./bothCorrect.ts"
import { type ClassificationMetrics, type Confusion, classificationMetrics } from "./classification.ts"
import { countFlagged } from "./operatingFigure.ts"
import { isFlagged } from "./operatingPoint.ts"
import { type JudgedNotes, labels, type NoteSet, pairOfEachFlawed, releaseUnless, select } from "./scoredNotes.ts"
import { type SeverityWeighted, tallySeverities } from "./severityWeighted.ts"

export interface BothCorrectFigure {
  readonly counts: PairVerdicts
  readonly rates: BothCorrectRates | null
  readonly deceptionZone: boolean | null
}

/** What the flags at one threshold come to, over some pairs and all clean notes. */
export interface FlagFigures {
  /** Over pairs with two verdicts. */
  readonly bothCorrect: BothCorrectFigure
  /** Over distinct notes; a note that could not be read is not flagged. */
  readonly pointwise: Confusion & ClassificationMetrics
  /** Over the distinct flawed notes that were judged and have a severity. */
  readonly severityWeighted: SeverityWeighted
}

/**
 * The figures of flags below `threshold`: BCR family and severity-weighted detection of the pairs, by number, and
 * pointwise metrics of the judged flawed notes of these against the judged clean ones, whose scores are given (NaN for
 * one that could not be read). Method §3.
 */
export const flagFigures = (
  set: NoteSet,
  { judged, scores }: JudgedNotes,
  pairs: Int32Array,
  flawedScores: Float64Array,
  cleanScores: Float64Array,
  threshold: number
): FlagFigures => {
  const { clean, flawed, severity } = set.pairs
  const verdict = (note: number) => (Number.isNaN(scores[note]!) ? null : isFlagged(scores[note]!, threshold))
  const flawedPairs = select(pairs, (pair) => judged[flawed[pair]!] === 1)
  const judgedPairs = select(flawedPairs, (pair) => judged[clean[pair]!] === 1)
  const counts = tallyPairVerdicts(
    judgedPairs.length,
    (at) => verdict(flawed[judgedPairs[at]!]!),
    (at) => verdict(clean[judgedPairs[at]!]!)
  )
  const rates = bothCorrectRates(counts)
  const graded = pairOfEachFlawed(set, flawedPairs)
  const severityWeighted = tallySeverities(
    graded.length,
    (at) => isFlagged(scores[flawed[graded[at]!]!]!, threshold),
    (at) => labels.severity[severity[graded[at]!]!]
  )
  releaseUnless(graded, flawedPairs)
  releaseUnless(judgedPairs, flawedPairs)
  releaseUnless(flawedPairs, pairs)
  const [tp, fp] = [countFlagged(flawedScores, threshold), countFlagged(cleanScores, threshold)]
  const tally = { tp, fp, fn: flawedScores.length - tp, tn: cleanScores.length - fp }
  const pointwise = { ...tally, ...classificationMetrics(tally) }
  return {
    bothCorrect: { counts, rates, deceptionZone: inDeceptionZone(pointwise.f1, rates?.bothCorrect ?? null) },
    pointwise,
    severityWeighted
  }
}
