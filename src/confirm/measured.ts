import type { Measure } from "../domain/Campaign.ts"
import { type ClusterInterval, noInterval } from "../measure/clusterInterval.ts"
import { compareJudges } from "../measure/judgeComparison.ts"
import { type JudgeFigures, judgeFigures } from "../measure/judgeFigures.ts"
import { distinctNotes, type JudgedNotes, type NoteSet, pairsOf } from "../measure/scoredNotes.ts"
import { aucDifference, type ScoredTwice } from "./aucDifference.ts"

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

const valueOf = (figures: JudgeFigures, { measure }: Measure): number | null =>
  measure === "paired-discrimination"
    ? figures.paired.value
    : measure === "auc"
      ? figures.auc.value
      : (figures.operating?.detection.rate ?? null)

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

/** The notes of the measure's pairs that both judges have a score for. */
const scoredTwice = (set: NoteSet, a: JudgedNotes, b: JudgedNotes, measure: Measure): ReadonlyArray<ScoredTwice> => {
  const pairs = pairsOf(set, measure.classes)
  const flawed = distinctNotes(set.pairs.flawed, pairs, a.scores.length)
  const rows = (notes: Int32Array, isFlawed: boolean) =>
    Array.from(notes, (note) => ({
      cluster: set.consultation[note]!,
      flawed: isFlawed,
      a: a.scores[note]!,
      b: b.scores[note]!
    }))
  return [...rows(flawed, true), ...rows(set.clean, false)].filter((row) => !Number.isNaN(row.a + row.b))
}

/** Each side's value and the difference with the measure's own test: see `primaryTestOf`. */
export const measuredDifference = (
  set: NoteSet,
  a: ReadonlyArray<JudgedNotes>,
  b: ReadonlyArray<JudgedNotes>,
  measure: Measure,
  options: MeasureOptions
): MeasuredDifference => {
  const own = optionsOf(measure, options)
  if (measure.measure === "auc") {
    const notes = scoredTwice(set, a[0]!, b[0]!, measure)
    const test = aucDifference(notes, own)
    return {
      measure,
      a: valueOf(judgeFigures(set, a[0]!, { ...own, resamples: 0 }), measure),
      b: valueOf(judgeFigures(set, b[0]!, { ...own, resamples: 0 }), measure),
      difference: test?.difference ?? null,
      ...(test?.interval ?? noInterval("no-data")),
      p: test?.p ?? null,
      n: notes.filter(({ flawed }) => flawed).length,
      consultations: new Set(notes.map(({ cluster }) => cluster)).size
    }
  }
  const comparison = compareJudges(set, a, b, own)
  if (measure.measure === "paired-discrimination") {
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
  const { detection } = comparison
  return {
    measure,
    a: comparison.a.operating?.detection.rate ?? null,
    b: comparison.b.operating?.detection.rate ?? null,
    difference: detection?.difference ?? null,
    interval: detection?.interval ?? null,
    intervalNote: detection === null ? "no-data" : detection.intervalNote,
    p: detection?.mcnemar.p ?? null,
    n: detection?.mcnemar.notes ?? 0,
    consultations: comparison.consultations
  }
}
