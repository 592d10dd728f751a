import type { Measure } from "../domain/Campaign.ts"
import type { ClusterInterval } from "../measure/clusterInterval.ts"
import { compareJudges } from "../measure/judgeComparison.ts"
import type { ScoredTwice } from "../measure/rankedTwice.ts"
import { distinctNotes, type JudgedNotes, type NoteSet, pairsOf, select } from "../measure/scoredNotes.ts"
import { aucDifference, detectionDifference } from "./scoreDifference.ts"

export interface MeasureOptions {
  readonly cap: number
  readonly seed: number
  readonly resamples: number
}

const optionsOf = (measure: Measure, options: MeasureOptions) => ({
  ...options,
  ...(measure.classes === undefined ? {} : { classes: measure.classes }),
  cap: measure.measure === "detection" ? measure.maxFalseAlarms : options.cap
})

/** A measure of two judges on the same notes. Differences are the first judge's less the second's. */
export interface MeasuredDifference extends ClusterInterval {
  readonly measure: Measure
  readonly a: number | null
  readonly b: number | null
  readonly difference: number | null
  /** Two-sided, by the measure's own test; null with nothing to test. */
  readonly p: number | null
  /** Pairs for paired discrimination, flawed notes for detection and AUC. */
  readonly n: number
  readonly consultations: number
}

/** One replicate of each judge; `note` holds the notes' numbers in the set. */
interface TwoReplicates extends ScoredTwice {
  readonly note: ReadonlyArray<number>
}

/** The notes of the measure's pairs that both judged, replicate by replicate; for AUC those that both have a score for. */
const replicatesOf = (
  set: NoteSet,
  a: ReadonlyArray<JudgedNotes>,
  b: ReadonlyArray<JudgedNotes>,
  measure: Measure
): ReadonlyArray<TwoReplicates> =>
  a.slice(0, b.length).flatMap((one, at) => {
    const other = b[at]!
    const has = (note: number) =>
      one.judged[note] === 1 &&
      other.judged[note] === 1 &&
      (measure.measure === "detection" || !Number.isNaN(one.scores[note]! + other.scores[note]!))
    const flawed = select(distinctNotes(set.pairs.flawed, pairsOf(set, measure.classes), one.scores.length), has)
    const clean = select(set.clean, has)
    if (flawed.length === 0 || clean.length === 0) return []
    const note = [...flawed, ...clean]
    return [
      {
        note,
        cluster: note.map((number) => set.consultation[number]!),
        flawed: note.map((_, place) => (place < flawed.length ? 1 : 0)),
        a: note.map((number) => one.scores[number]!),
        b: note.map((number) => other.scores[number]!)
      }
    ]
  })

/** Each side's value and the difference with the measure's own test, over all replicates: see `primaryTestOf`. */
export const measuredDifference = (
  set: NoteSet,
  a: ReadonlyArray<JudgedNotes>,
  b: ReadonlyArray<JudgedNotes>,
  measure: Measure,
  options: MeasureOptions
): MeasuredDifference => {
  const own = optionsOf(measure, options)
  if (measure.measure === "paired-discrimination") {
    const comparison = compareJudges(set, a, b, { ...own, detectionTests: false })
    return {
      measure,
      a: comparison.a.paired.value,
      b: comparison.b.paired.value,
      difference: comparison.paired.difference,
      interval: comparison.paired.interval,
      intervalNote: comparison.paired.intervalNote,
      p: comparison.paired.swap?.p ?? null,
      n: comparison.pairs,
      consultations: comparison.consultations
    }
  }
  const replicates = replicatesOf(set, a, b, measure)
  const flawed = replicates.flatMap((one) => one.note.filter((_, at) => one.flawed[at] === 1))
  return {
    measure,
    ...(measure.measure === "auc" ? aucDifference(replicates, own) : detectionDifference(replicates, own)),
    n: new Set(flawed).size,
    consultations: new Set(flawed.map((note) => set.consultation[note]!)).size
  }
}
