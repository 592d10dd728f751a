import type { ItemSet } from "../domain/Item.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import { type ClusterInterval, intervalOfSums } from "./clusterInterval.ts"
import type { Cell } from "./judgeBreakdown.ts"
import { type OperatingFigure, type Rate, rateOf } from "./operatingFigure.ts"
import type { PairedFigure } from "./pairedFigure.ts"
import { type Rescues, rescuesOf } from "./rescues.ts"
import type { JudgeReport } from "./scoreReport.ts"

/** What the judgements of one consultation's notes rest on. */
export interface ConsultationSpending {
  readonly notes: number
  /** Answers, each once. */
  readonly calls: number
  /** US dollars when they were bought, of those whose price is known. */
  readonly usd: number
  /** Answers of which nobody knows the price. */
  readonly unpriced: number
}

/** A mean over notes with a consultation-cluster bootstrap. */
export interface PerNote extends ClusterInterval {
  readonly mean: number | null
  readonly notes: number
  readonly consultations: number
}

/** How often a judge's own rule flags the notes; one that could not be read is not flagged [OB §G.2.2]. */
export interface OwnFlags {
  readonly detection: Rate
  readonly falseAlarms: Rate
}

/** A design of judge against the classes of error: one row of the comparison of designs. */
export interface GridRow {
  readonly judge: string
  /** Null where there are no such pairs. */
  readonly omissions: PairedFigure | null
  /** Additions and alterations. */
  readonly commissions: PairedFigure | null
  readonly operating: OperatingFigure | null
  /** Null for a design without a rule of its own. */
  readonly own: OwnFlags | null
  readonly unparsed: number
  /** Null for a design without a second look, or where none was needed. */
  readonly rescues: Rescues | null
  readonly calls: PerNote
  /** US dollars; null where a price is not known. */
  readonly usd: PerNote | null
}

/** What the grid needs of a judge beside its report, of the first replicate. */
export interface GridInput {
  readonly spending: ReadonlyArray<ConsultationSpending>
  readonly outcomes: Outcomes
}

const commissionKinds = ["commission", "addition", "alteration"]

const cellOf = (cells: ReadonlyArray<Cell>, values: ReadonlyArray<string>): PairedFigure | null =>
  values.flatMap((value) => cells.find((cell) => cell.by === "class" && cell.value === value) ?? [])[0]?.paired ?? null

const perNote = (
  spending: ReadonlyArray<ConsultationSpending>,
  of: "calls" | "usd",
  options: { readonly seed: number; readonly resamples: number }
): PerNote => {
  const notes = spending.reduce((sum, one) => sum + one.notes, 0)
  const sum = spending.reduce((total, one) => total + one[of], 0)
  const mean = notes === 0 ? null : sum / notes
  const sums = { numerators: spending.map((one) => one[of]), denominators: spending.map((one) => one.notes) }
  return {
    mean,
    notes,
    consultations: spending.length,
    ...intervalOfSums(sums, { estimate: mean, share: false }, options)
  }
}

/**
 * The rates of a judge's own rule, of distinct notes. Null where no outcome says what the rule makes of it. Notes whose
 * calls failed are left out.
 */
export const ownFlags = (
  { instances, items, pairs }: Pick<ItemSet, "instances" | "items" | "pairs">,
  outcomes: Outcomes
): OwnFlags | null => {
  const flagOf = (item: number): boolean | undefined => {
    const outcome = outcomes[items[item]!.id]
    return outcome?._tag === "unparsed" ? false : outcome?._tag === "scored" ? outcome.flagged : undefined
  }
  const hasRule = items.some(({ id }) => outcomes[id]?._tag === "scored" && outcomes[id].flagged !== undefined)
  if (!hasRule) return null
  const rate = (notes: ReadonlyArray<number>): Rate => {
    const flags = [...new Set(notes)].map(flagOf).filter((flag) => flag !== undefined)
    return rateOf(flags.filter(Boolean).length, flags.length)
  }
  return {
    detection: rate(pairs.map(({ flawed }) => flawed)),
    falseAlarms: rate(instances.flatMap(({ item, kind }) => (kind === "clean" ? [item] : [])))
  }
}

/** The designs × classes grid [OB §4.2], one row a judge, of the first replicate of each. */
export const designGrid = (
  set: ItemSet,
  judges: ReadonlyArray<JudgeReport>,
  inputs: ReadonlyMap<string, GridInput>,
  options: { readonly seed: number; readonly resamples: number }
): ReadonlyArray<GridRow> =>
  judges.flatMap(({ breakdown, figures, judge }) => {
    const input = inputs.get(judge)
    if (input === undefined) return []
    const { outcomes, spending } = input
    return [
      {
        judge,
        omissions: cellOf(breakdown, ["omission"]),
        commissions: cellOf(breakdown, commissionKinds),
        operating: figures.operating,
        own: ownFlags(set, outcomes),
        unparsed: figures.parseFailures.flawed + figures.parseFailures.clean,
        rescues: rescuesOf(
          set.items.map(({ consultation, id }) => ({ consultation, outcome: outcomes[id] })),
          options
        ),
        calls: perNote(spending, "calls", options),
        usd: spending.some(({ unpriced }) => unpriced > 0) ? null : perNote(spending, "usd", options)
      }
    ]
  })
