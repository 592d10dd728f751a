import type { ErrorClass } from "../domain/Dataset.ts"
import { release } from "../statistics/largeArrays.ts"
import { auc } from "./discrimination.ts"
import { type BothCorrectFigure, type FlagFigures, flagFigures } from "./flagFigures.ts"
import { type Imputed, imputedShare } from "./imputedVerdicts.ts"
import {
  type FigureIntervals,
  figureIntervals,
  judgedClusters,
  type Resampled,
  type ResampledFigure,
  resampleFigures
} from "./judgeResampling.ts"
import { type OperatingFigure, operatingFigure } from "./operatingFigure.ts"
import { outcomesOf, type PairedFigure, pairedFigure } from "./pairedFigure.ts"
import {
  distinctNotes,
  type JudgedNotes,
  type NoteSet,
  pairsOf,
  releaseUnless,
  scoresOf,
  select
} from "./scoredNotes.ts"
import type { SeverityWeighted } from "./severityWeighted.ts"
import { unpairedRates } from "./unpairedRates.ts"
import { resamplesFor } from "./usualResampling.ts"

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
  readonly bothCorrect: BothCorrectFigure | null
  /** Of the flags at the operating point, over distinct notes; a note that could not be read is not flagged. */
  readonly pointwise: FlagFigures["pointwise"] | null
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
  /**
   * Of the other figures, by one consultation-cluster bootstrap for all: of those at the operating point with its
   * threshold held, which says nothing of what fitting it adds.
   */
  readonly intervals: FigureIntervals
}

export interface FigureOptions {
  /** The classes that the figures and the operating point are of; all when left out. */
  readonly classes?: ReadonlyArray<ErrorClass>
  /** Most false alarms, as a share of the distinct clean notes. */
  readonly cap: number
  readonly seed: number
  /** Of the bootstraps; 0 leaves their intervals out. */
  readonly resamples: number
  /** A threshold given for every judge, or for each by name, in the place of the best one under the cap. */
  readonly threshold?: number | ReadonlyMap<string, number>
}

/** The threshold given for the judge; undefined where it is to be fitted. */
export const givenThreshold = ({ threshold }: FigureOptions, judge: string): number | undefined =>
  typeof threshold === "number" ? threshold : threshold?.get(judge)

const mean = (scores: Float64Array): MeanFigure => {
  let sum = 0
  let n = 0
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!
    if (Number.isNaN(score)) continue
    sum += score
    n++
  }
  return { mean: n === 0 ? null : sum / n, n }
}

const usableCap = 0.1

const usableOf = ({ detection, falseAlarms }: OperatingFigure): Usable => {
  const { p, test } = unpairedRates(detection, falseAlarms)
  const above = detection.rate! > falseAlarms.rate!
  return { usable: above && p < 0.05 && falseAlarms.count <= usableCap * falseAlarms.n + 1e-9, test, p }
}

const noRates = {
  bothCorrect: null,
  pred1: null,
  pred0: null,
  bothWrong: null,
  expected: null,
  independenceRatio: null
}
/** Without an operating point there are no flags to have figures of. */
const noFlags = {
  ...noRates,
  f1: null,
  balancedAccuracy: null,
  mcc: null,
  precision: null,
  recall: null,
  specificity: null,
  flagRate: null
}

/** Every figure of one replicate of a judge, over the pairs of the classes and all clean notes. Method §3. */
export const judgeFigures = (set: NoteSet, run: JudgedNotes, options: FigureOptions): JudgeFigures =>
  measureRun(set, run, judgedClusters(set, [run], pairsOf(set, options.classes)), options).figures

/**
 * `judgeFigures` with the resampled values behind its intervals, from draws of the clusters given, so that those of
 * several replicates of a judge go together.
 */
export const measureRun = (
  set: NoteSet,
  run: JudgedNotes,
  clusters: Int32Array,
  options: FigureOptions
): { readonly figures: JudgeFigures; readonly resampled: Resampled } => {
  const pairs = pairsOf(set, options.classes)
  const { clean, flawed } = set.pairs
  const isJudged = (pair: number) => run.judged[flawed[pair]!] === 1 && run.judged[clean[pair]!] === 1
  const judgedPairs = select(pairs, isJudged)
  const outcomes = outcomesOf(set, run, judgedPairs)
  const paired = pairedFigure(set, outcomes, judgedPairs, options)
  release(outcomes)

  const distinct = distinctNotes(flawed, pairs, run.scores.length)
  const flawedScores = scoresOf(run, distinct)
  release(distinct)
  const cleanScores = scoresOf(run, set.clean)
  const operating = operatingFigure(flawedScores, cleanScores, options.cap, givenThreshold(options, run.judge))
  const means = { clean: mean(cleanScores), flawed: mean(flawedScores) }
  const threshold = operating?.threshold ?? Number.NEGATIVE_INFINITY
  const { bothCorrect, pointwise, severityWeighted } = flagFigures(
    set,
    run,
    pairs,
    flawedScores,
    cleanScores,
    threshold
  )

  const missing = {
    flawed: flawedScores.length - means.flawed.n,
    clean: cleanScores.length - means.clean.n,
    pairs: judgedPairs.length - paired.pairs
  }
  const accuracy = (() => {
    const known = means.flawed.n + means.clean.n
    return known === 0 ? 0 : (pointwise.tp + (means.clean.n - pointwise.fp)) / known
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
          ...(operating === null
            ? { detection: null, falseAlarms: null }
            : {
                detection: imputedShare(
                  { points: pointwise.tp, known: means.flawed.n, missing: missing.flawed, chance: accuracy },
                  options.seed + 1
                ),
                falseAlarms: imputedShare(
                  { points: pointwise.fp, known: means.clean.n, missing: missing.clean, chance: 1 - accuracy },
                  options.seed + 2
                )
              })
        }
  const gap = means.clean.mean === null || means.flawed.mean === null ? null : means.clean.mean - means.flawed.mean
  const rankedAll = auc(flawedScores, cleanScores)
  release(flawedScores, cleanScores)
  const resampled = resampleFigures(set, run, {
    pairs,
    threshold,
    clusters,
    seed: options.seed,
    resamples: options.resamples === 0 ? 0 : resamplesFor(clusters.length, options.resamples)
  })
  const estimates: Readonly<Record<ResampledFigure, number | null>> = {
    auc: rankedAll,
    meanClean: means.clean.mean,
    meanFlawed: means.flawed.mean,
    gap,
    severityWeighted: severityWeighted.value,
    ...(operating === null ? noFlags : { ...(bothCorrect.rates ?? noRates), ...pointwise })
  }
  const figures: JudgeFigures = {
    judge: run.judge,
    replicate: run.replicate,
    pairs: { all: pairs.length, judged: judgedPairs.length, ranked: paired.pairs },
    paired,
    auc: { value: rankedAll, flawed: means.flawed.n, clean: means.clean.n },
    operating,
    severityWeighted,
    means: {
      ...means,
      gap
    },
    bothCorrect: operating === null ? null : bothCorrect,
    pointwise: operating === null ? null : pointwise,
    usable: operating === null ? null : usableOf(operating),
    parseFailures: { ...missing, imputed },
    intervals: figureIntervals(resampled, estimates)
  }
  releaseUnless(judgedPairs, pairs)
  release(pairs)
  return { figures, resampled }
}
