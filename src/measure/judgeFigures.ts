import type { ErrorClass } from "../domain/Dataset.ts"
import { boschloo } from "../statistics/boschloo.ts"
import { clusterBootstrap } from "../statistics/clusterBootstrap.ts"
import { fisherExact } from "../statistics/fisher.ts"
import { wilson } from "../statistics/wilson.ts"
import {
  type BothCorrectRates,
  bothCorrectRates,
  countPairVerdicts,
  inDeceptionZone,
  type PairVerdicts
} from "./bothCorrect.ts"
import { type ClassificationMetrics, type Confusion, classificationMetrics, confusion } from "./classification.ts"
import { auc, countPairs, type PairCounts, pairedDiscrimination, pairOutcome } from "./discrimination.ts"
import { type Imputed, imputedShare } from "./imputedVerdicts.ts"
import { isFlagged, operatingPoint } from "./operatingPoint.ts"
import {
  clusterSums,
  distinctNotes,
  type JudgedNotes,
  labels,
  type NoteSet,
  pairsOf,
  resamplesFor,
  scoresOf,
  select,
  valuesOf
} from "./scoredNotes.ts"
import { type SeverityWeighted, severityWeightedDetection } from "./severityWeighted.ts"

type Interval = readonly [number, number]

/** A count of a number of cases, with its Wilson interval (95 %). Rate and interval are null for no case. */
export interface Rate {
  readonly count: number
  readonly n: number
  readonly rate: number | null
  readonly interval: Interval | null
}

export const rateOf = (count: number, n: number): Rate => ({
  count,
  n,
  rate: n === 0 ? null : count / n,
  interval: wilson(count, n)
})

/** Paired discrimination over the pairs with both scores; the interval is a 95 % consultation-cluster bootstrap. */
export interface PairedFigure extends PairCounts {
  readonly value: number | null
  readonly consultations: number
  /** Null without a pair, and where none was asked for. */
  readonly interval: Interval | null
}

/** Detection at an operating point. A note is flagged when its score is strictly below the threshold. */
export interface OperatingFigure {
  readonly cap: number
  readonly threshold: number
  readonly detection: Rate
  readonly falseAlarms: Rate
}

/** Whether detection is above chance, which is the judge's own false alarms [OB §4.1]. */
export interface Usable {
  /** Detection above false alarms at p < 0.05, and false alarms at most 10 %. */
  readonly usable: boolean
  /** Fisher's test where the notes are too many for Boschloo's. Two-sided. */
  readonly test: "boschloo" | "fisher"
  readonly p: number
}

export interface MeanFigure {
  readonly mean: number | null
  readonly n: number
}

export interface JudgeFigures {
  readonly judge: string
  readonly replicate: string
  /** Pairs of the classes measured; those whose two notes were judged; those with two scores. */
  readonly pairs: { readonly all: number; readonly judged: number; readonly ranked: number }
  readonly paired: PairedFigure
  readonly auc: { readonly value: number | null; readonly flawed: number; readonly clean: number }
  /** Null without a flawed or a clean note. */
  readonly operating: OperatingFigure | null
  readonly severityWeighted: SeverityWeighted
  /** Over the notes with a score. */
  readonly means: { readonly clean: MeanFigure; readonly flawed: MeanFigure; readonly gap: number | null }
  /** Of the flags at the operating point, over pairs with two verdicts. */
  readonly bothCorrect: {
    readonly counts: PairVerdicts
    readonly rates: BothCorrectRates | null
    readonly deceptionZone: boolean | null
  } | null
  /** Of the flags at the operating point, over distinct notes; a note that could not be read is not flagged. */
  readonly pointwise: (Confusion & ClassificationMetrics) | null
  readonly usable: Usable | null
  readonly parseFailures: {
    readonly flawed: number
    readonly clean: number
    /** Pairs that leave the paired figures for it. */
    readonly pairs: number
    /** The same figures with the missing verdicts drawn; null where nothing is missing. */
    readonly imputed: {
      readonly paired: Imputed | null
      readonly detection: Imputed | null
      readonly falseAlarms: Imputed | null
    } | null
  }
}

export interface FigureOptions {
  /** The classes that the figures and the operating point are of; all when left out. */
  readonly classes?: ReadonlyArray<ErrorClass>
  /** Most false alarms, as a share of the distinct clean notes. */
  readonly cap: number
  readonly seed: number
  /** Of the bootstrap; 0 leaves intervals of paired discrimination out. */
  readonly resamples: number
}

const mean = (scores: ReadonlyArray<number>): MeanFigure => {
  let sum = 0
  let n = 0
  for (const score of scores) {
    if (Number.isNaN(score)) continue
    sum += score
    n++
  }
  return { mean: n === 0 ? null : sum / n, n }
}

/** Outcome of each of the pairs: 1, ½, 0, or NaN without two scores. */
export const outcomesOf = (set: NoteSet, { scores }: JudgedNotes, pairs: Int32Array): ReadonlyArray<number> =>
  valuesOf(pairs, (pair) => pairOutcome(scores[set.pairs.flawed[pair]!]!, scores[set.pairs.clean[pair]!]!))

/** Paired discrimination of the pairs. */
export const pairedFigure = (
  set: NoteSet,
  outcomes: ReadonlyArray<number>,
  pairs: Int32Array,
  options: { readonly seed: number; readonly resamples: number }
): PairedFigure => {
  const counts = countPairs(outcomes)
  const sums = clusterSums(
    set,
    valuesOf(pairs, (pair) => set.pairs.flawed[pair]!),
    outcomes
  )
  const consultations = sums.denominators.length
  const resamples = options.resamples === 0 ? 0 : resamplesFor(consultations, options.resamples)
  return {
    ...counts,
    value: pairedDiscrimination(counts),
    consultations,
    interval: resamples === 0 ? null : clusterBootstrap(sums, { seed: options.seed, resamples })
  }
}

/** The operating point of the notes' scores under the cap. */
export const operatingFigure = (
  flawed: ReadonlyArray<number>,
  clean: ReadonlyArray<number>,
  cap: number
): OperatingFigure | null => {
  const point = operatingPoint(flawed, clean, cap)
  return point === null
    ? null
    : {
        cap,
        threshold: point.threshold,
        detection: rateOf(point.detected, point.flawed),
        falseAlarms: rateOf(point.falseAlarms, point.clean)
      }
}

/** Above this many tables Boschloo's test takes too long. */
const mostTables = 4e6
const usableCap = 0.1

const usableOf = ({ detection, falseAlarms }: OperatingFigure): Usable => {
  const table = { x1: detection.count, n1: detection.n, x2: falseAlarms.count, n2: falseAlarms.n }
  const test = detection.n * falseAlarms.n > mostTables ? "fisher" : "boschloo"
  const p = (test === "boschloo" ? boschloo(table) : fisherExact(table)).twoSided
  const above = detection.rate! > falseAlarms.rate!
  return { usable: above && p < 0.05 && falseAlarms.count <= usableCap * falseAlarms.n + 1e-9, test, p }
}

/** Every figure of one replicate of a judge, over the pairs of the classes and all clean notes. Method §3. */
export const judgeFigures = (set: NoteSet, run: JudgedNotes, options: FigureOptions): JudgeFigures => {
  const pairs = pairsOf(set, options.classes)
  const { clean, flawed, severity } = set.pairs
  const isJudged = (pair: number) => run.judged[flawed[pair]!] === 1 && run.judged[clean[pair]!] === 1
  const judgedPairs = select(pairs, isJudged)
  const outcomes = outcomesOf(set, run, judgedPairs)
  const paired = pairedFigure(set, outcomes, judgedPairs, options)

  const flawedScores = scoresOf(run, distinctNotes(flawed, pairs, run.scores.length))
  const cleanScores = scoresOf(run, set.clean)
  const operating = operatingFigure(flawedScores, cleanScores, options.cap)
  const means = { clean: mean(cleanScores), flawed: mean(flawedScores) }
  const threshold = operating?.threshold ?? Number.NEGATIVE_INFINITY
  const flags = (scores: ReadonlyArray<number>) => scores.map((score) => isFlagged(score, threshold))
  const verdict = (note: number) => (Number.isNaN(run.scores[note]!) ? null : isFlagged(run.scores[note]!, threshold))

  const counts = countPairVerdicts(
    valuesOf(judgedPairs, (pair) => verdict(flawed[pair]!)),
    valuesOf(judgedPairs, (pair) => verdict(clean[pair]!))
  )
  const rates = bothCorrectRates(counts)
  const tally = confusion(flags(flawedScores), flags(cleanScores))
  const pointwise = { ...tally, ...classificationMetrics(tally) }

  const flawedPairs = select(pairs, (pair) => run.judged[flawed[pair]!] === 1)
  const severityWeighted = severityWeightedDetection(
    valuesOf(flawedPairs, (pair) => isFlagged(run.scores[flawed[pair]!]!, threshold)),
    valuesOf(flawedPairs, (pair) => labels.severity[severity[pair]!])
  )

  const missing = {
    flawed: flawedScores.length - means.flawed.n,
    clean: cleanScores.length - means.clean.n,
    pairs: judgedPairs.length - paired.pairs
  }
  const accuracy = (() => {
    const known = means.flawed.n + means.clean.n
    return known === 0 ? 0 : (tally.tp + (means.clean.n - tally.fp)) / known
  })()
  const imputed =
    missing.flawed + missing.clean === 0
      ? null
      : {
          paired: imputedShare(
            {
              points: paired.wins + paired.ties / 2,
              known: paired.pairs,
              missing: missing.pairs,
              chance: paired.value ?? 0
            },
            options.seed
          ),
          detection: imputedShare(
            { points: tally.tp, known: means.flawed.n, missing: missing.flawed, chance: accuracy },
            options.seed + 1
          ),
          falseAlarms: imputedShare(
            { points: tally.fp, known: means.clean.n, missing: missing.clean, chance: 1 - accuracy },
            options.seed + 2
          )
        }
  return {
    judge: run.judge,
    replicate: run.replicate,
    pairs: { all: pairs.length, judged: judgedPairs.length, ranked: paired.pairs },
    paired,
    auc: { value: auc(flawedScores, cleanScores), flawed: means.flawed.n, clean: means.clean.n },
    operating,
    severityWeighted,
    means: {
      ...means,
      gap: means.clean.mean === null || means.flawed.mean === null ? null : means.clean.mean - means.flawed.mean
    },
    bothCorrect:
      operating === null
        ? null
        : { counts, rates, deceptionZone: inDeceptionZone(pointwise.f1, rates?.bothCorrect ?? null) },
    pointwise: operating === null ? null : pointwise,
    usable: operating === null ? null : usableOf(operating),
    parseFailures: { ...missing, imputed }
  }
}
