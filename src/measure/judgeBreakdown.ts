import type { ErrorClass } from "../domain/Dataset.ts"
import { release } from "../statistics/largeArrays.ts"
import { auc, countKnown } from "./discrimination.ts"
import { type FlagFigures, flagFigures } from "./flagFigures.ts"
import type { FigureOptions } from "./judgeFigures.ts"
import { type OperatingFigure, operatingFigure, type Rate, rateOf } from "./operatingFigure.ts"
import { outcomesOf, type PairedFigure, pairedFigure } from "./pairedFigure.ts"
import {
  distinctNotes,
  type JudgedNotes,
  labels,
  type NoteSet,
  pairsOf,
  releaseUnless,
  scoresOf,
  select,
  valuesOf
} from "./scoredNotes.ts"

/** The figures of the pairs that share a label. */
export interface Cell {
  readonly by: "class" | "trace" | "severity" | "stratum"
  /** The label; `commission` is additions and alterations together, `(none)` the pairs without one. */
  readonly value: string
  readonly paired: PairedFigure
  /** Flawed notes flagged at the judge's own operating point, which is not the cell's. */
  readonly detection: Rate | null
  /** Ranking of its flawed notes against all clean ones, and of how many of each. */
  readonly auc: { readonly value: number | null; readonly flawed: number; readonly clean: number }
  /**
   * At the judge's own operating point, like `detection`, its flawed notes against all clean ones. Without intervals of
   * their own but Wilson's of the rates. Null where the judge has no operating point.
   */
  readonly flags: CellFlags | null
  /** What the cell alone would have as its operating point, against all clean notes. */
  readonly ownPoint: OperatingFigure | null
  /** Fewer than 30 pairs with two scores, or fewer than 10 consultations: too few to read much into. */
  readonly thin: boolean
  /** Whether some of its pairs are of classes that the judge's own figures leave out. */
  readonly outside: boolean
}

export interface CellFlags extends FlagFigures {
  /** Wilson's intervals, of notes and of pairs as if each were independent. */
  readonly rates: {
    readonly precision: Rate
    readonly recall: Rate
    readonly specificity: Rate
    readonly accuracy: Rate
    readonly flagRate: Rate
    readonly bothCorrect: Rate
    readonly pred1: Rate
    readonly pred0: Rate
    readonly bothWrong: Rate
  }
}

const cellFlags = (figures: FlagFigures): CellFlags => {
  const { counts } = figures.bothCorrect
  const { fn, fp, tn, tp } = figures.pointwise
  const all = tp + fp + fn + tn
  return {
    ...figures,
    rates: {
      precision: rateOf(tp, tp + fp),
      recall: rateOf(tp, tp + fn),
      specificity: rateOf(tn, tn + fp),
      accuracy: rateOf(tp + tn, all),
      flagRate: rateOf(tp + fp, all),
      bothCorrect: rateOf(counts.bothCorrect, counts.pairs),
      pred1: rateOf(counts.pred1, counts.pairs),
      pred0: rateOf(counts.pred0, counts.pairs),
      bothWrong: rateOf(counts.bothWrong, counts.pairs)
    }
  }
}

const commissions: ReadonlyArray<ErrorClass> = ["addition", "alteration"]

/**
 * A judge's figures by class (of all pairs, so that commissions can serve as control), and by trace, severity and
 * stratum (of the classes measured). `threshold` is the judge's operating point; null where it has none.
 */
export const judgeBreakdown = (
  set: NoteSet,
  run: JudgedNotes,
  threshold: number | null,
  options: FigureOptions
): ReadonlyArray<Cell> => {
  const cleanScores = scoresOf(run, set.clean)
  const wanted = options.classes?.map((one) => labels.class.indexOf(one))
  const cell = (by: Cell["by"], value: string, pairs: Int32Array): ReadonlyArray<Cell> => {
    if (pairs.length === 0) return []
    const { clean, flawed } = set.pairs
    const judged = select(pairs, (pair) => run.judged[flawed[pair]!] === 1 && run.judged[clean[pair]!] === 1)
    const outcomes = outcomesOf(set, run, judged)
    const paired = pairedFigure(set, outcomes, judged, options)
    release(outcomes)
    releaseUnless(judged, pairs)
    const distinct = distinctNotes(flawed, pairs, run.scores.length)
    const flawedScores = scoresOf(run, distinct)
    release(distinct)
    const flags =
      threshold === null ? null : cellFlags(flagFigures(set, run, pairs, flawedScores, cleanScores, threshold))
    const cells: ReadonlyArray<Cell> = [
      {
        by,
        value,
        paired,
        detection: flags?.rates.recall ?? null,
        auc: {
          value: auc(flawedScores, cleanScores),
          flawed: countKnown(flawedScores),
          clean: countKnown(cleanScores)
        },
        flags,
        ownPoint: operatingFigure(flawedScores, cleanScores, options.cap),
        thin: paired.thin,
        outside: pairs.some((pair) => wanted !== undefined && !wanted.includes(set.pairs.class[pair]!))
      }
    ]
    release(flawedScores)
    return cells
  }
  const all = pairsOf(set)
  const measured = pairsOf(set, options.classes)
  const group = (by: Cell["by"], names: ReadonlyArray<string>, column: ArrayLike<number>, pairs: Int32Array) => [
    ...names.flatMap((name, code) =>
      cell(
        by,
        name,
        select(pairs, (pair) => column[pair] === code)
      )
    ),
    ...(pairs.some((pair) => column[pair]! >= 0)
      ? cell(
          by,
          "(none)",
          select(pairs, (pair) => column[pair]! < 0)
        )
      : [])
  ]
  const classes = group("class", labels.class, set.pairs.class, all)
  const both = pairsOf(set, commissions)
  // Only where it says something that neither of its two parts says.
  const kinds = new Set(valuesOf(both, (pair) => set.pairs.class[pair]!))
  // Traces are of omissions, and of pairs whose class nobody gives.
  const omissions = select(measured, (pair) => set.pairs.class[pair]! <= 0)
  return [
    ...classes,
    ...(kinds.size === 2 ? cell("class", "commission", both) : []),
    ...group("trace", labels.trace, set.pairs.trace, omissions),
    ...group("severity", labels.severity, set.pairs.severity, measured),
    ...group("stratum", set.strata, set.pairs.stratum, measured)
  ]
}
