import type { ErrorClass } from "../../domain/Dataset.ts"
import { countPairs, pairedDiscrimination } from "../../measure/discrimination.ts"
import { operatingFigure } from "../../measure/operatingFigure.ts"
import { outcomesOf } from "../../measure/pairedFigure.ts"
import { distinctNotes, type JudgedNotes, type NoteSet, pairsOf, valuesOf } from "../../measure/scoredNotes.ts"
import { spearman } from "../../statistics/correlation.ts"
import { intraclass } from "../../statistics/intraclass.ts"
import { normalQuantile } from "../../statistics/normal.ts"
import { midRanks } from "../../statistics/ranks.ts"
import { discordanceWithout } from "./pairedSimulation.ts"
import type { Assumptions } from "./simulation.ts"

/** What the two measures are of. Classes left out: all. */
export interface PowerMeasures {
  readonly paired: { readonly classes?: ReadonlyArray<ErrorClass> }
  readonly detection: { readonly classes?: ReadonlyArray<ErrorClass>; readonly cap: number }
}

/**
 * [OB §B.4.4]: seed and winner of the published whole-note campaign on its acceptance part, 48 omissions of 20
 * consultations with one judgement a note, as `estimate` finds them, rounded. A test holds the numbers to the scores.
 */
export const published: Assumptions = {
  wins: 0.375,
  ties: 0.479,
  discordance: 0.483,
  icc: 0.388,
  detection: 0.021,
  scoreCorrelation: 0.652,
  scoreIcc: 0
}

export const publishedSource = "the published OmissionBench campaign"

/** The assumptions of a power analysis, and where each comes from. */
export interface Assumed {
  readonly values: Assumptions
  readonly from: Readonly<Record<keyof Assumptions, string>>
}

/** Correlations that are estimated from few consultations are not believed beyond this. */
const mostCorrelation = 0.95
const believed = (value: number): number => Math.max(0, Math.min(mostCorrelation, value))

const grouped = (
  set: NoteSet,
  notes: ReadonlyArray<number>,
  values: ReadonlyArray<number>
): ReadonlyArray<ReadonlyArray<number>> =>
  Map.groupBy(notes.keys(), (at) => set.consultation[notes[at]!]!)
    .values()
    .map((members) => members.map((at) => values[at]!))
    .toArray()

/** What two judges' outcomes on the same pairs differ by, with the gain of one over the other taken out. */
const pairedDifferences = (set: NoteSet, a: JudgedNotes, b: JudgedNotes, classes?: ReadonlyArray<ErrorClass>) => {
  const pairs = pairsOf(set, classes)
  const outcomes = [outcomesOf(set, a, pairs), outcomesOf(set, b, pairs)] as const
  const kept = Array.from(pairs.keys()).filter((at) => !Number.isNaN(outcomes[0][at]! + outcomes[1][at]!))
  if (kept.length === 0) return null
  const [first, second] = outcomes.map((side) => kept.map((at) => side[at]!)) as [Array<number>, Array<number>]
  const values = [first, second].map((side) => pairedDiscrimination(countPairs(side))!)
  const [better, worse] = values[0]! >= values[1]! ? [first, second] : [second, first]
  const [high, low] = [Math.max(...values), Math.min(...values)]
  const differences = better.map((outcome, at) => outcome - worse[at]!)
  const observed = differences.filter((difference) => difference !== 0).length / kept.length
  const counts = countPairs(worse)
  const shares = { wins: counts.wins / kept.length, ties: counts.ties / kept.length }
  return {
    pairs: kept.length,
    discordance: discordanceWithout(high - low, shares, observed),
    icc: intraclass(
      grouped(
        set,
        kept.map((at) => set.pairs.flawed[pairs[at]!]!),
        differences
      )
    )
  }
}

/** Scores as the normal quantiles of their ranks: the same for every strictly rising relabelling. */
const normalScores = (scores: ReadonlyArray<number>): ReadonlyArray<number> =>
  midRanks(scores).ranks.map((rank) => normalQuantile((rank - 0.5) / scores.length))

const scoreLikeness = (set: NoteSet, a: JudgedNotes, b: JudgedNotes, classes?: ReadonlyArray<ErrorClass>) => {
  const all = Array.from(distinctNotes(set.pairs.flawed, pairsOf(set, classes), a.scores.length))
  const notes = all.filter((note) => !Number.isNaN(a.scores[note]! + b.scores[note]!))
  if (notes.length < 2) return null
  const [first, second] = [a, b].map(({ scores }) => notes.map((note) => scores[note]!)) as [
    Array<number>,
    Array<number>
  ]
  const ranks = spearman(first, second)
  if (ranks === null) return null
  const others = normalScores(second)
  const differences = normalScores(first).map((score, at) => score - others[at]!)
  return {
    notes: notes.length,
    // Pearson's correlation of normal variables that have this correlation of ranks.
    correlation: 2 * Math.sin((Math.PI * ranks) / 6),
    icc: intraclass(grouped(set, notes, differences))
  }
}

const weighted = (values: ReadonlyArray<{ readonly value: number | null; readonly n: number }>): number | undefined => {
  const known = values.filter((one): one is { value: number; n: number } => one.value !== null)
  const n = known.reduce((sum, one) => sum + one.n, 0)
  return n === 0 ? undefined : believed(known.reduce((sum, one) => sum + one.value * one.n, 0) / n)
}

/**
 * What a baseline's scores say of the assumptions, and what pairs of judges on the same notes say of how two judges
 * differ: means over the pairs of judges, by the number of their pairs or notes. What the scores do not say is left out.
 */
export const estimate = (
  set: NoteSet,
  baseline: JudgedNotes,
  twos: ReadonlyArray<readonly [JudgedNotes, JudgedNotes]>,
  measures: PowerMeasures
): Partial<Assumptions> => {
  const counts = countPairs(outcomesOf(set, baseline, pairsOf(set, measures.paired.classes)))
  const flawed = distinctNotes(set.pairs.flawed, pairsOf(set, measures.detection.classes), baseline.scores.length)
  const scores = (notes: Int32Array) => valuesOf(notes, (note) => baseline.scores[note]!)
  const point = operatingFigure(scores(flawed), scores(set.clean), measures.detection.cap)
  const outcomes = twos.flatMap(([a, b]) => pairedDifferences(set, a, b, measures.paired.classes) ?? [])
  const likeness = twos.flatMap(([a, b]) => scoreLikeness(set, a, b, measures.detection.classes) ?? [])
  const found = {
    wins: counts.pairs === 0 ? undefined : counts.wins / counts.pairs,
    ties: counts.pairs === 0 ? undefined : counts.ties / counts.pairs,
    detection: point?.detection.rate ?? undefined,
    discordance: weighted(outcomes.map(({ discordance, pairs }) => ({ value: discordance, n: pairs }))),
    icc: weighted(outcomes.map(({ icc, pairs }) => ({ value: icc, n: pairs }))),
    scoreCorrelation: weighted(likeness.map(({ correlation, notes }) => ({ value: correlation, n: notes }))),
    scoreIcc: weighted(likeness.map(({ icc, notes }) => ({ value: icc, n: notes })))
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
