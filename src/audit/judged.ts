import type { Measure } from "../domain/Campaign.ts"
import type { ErrorClass } from "../domain/Dataset.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import type { ItemTable } from "../domain/RunEvent.ts"
import { pairOutcome } from "../measure/discrimination.ts"
import { indexTable, type TableIndex } from "../optimise/itemTable.ts"
import { type Standing, standing } from "../optimise/rewards.ts"
import { clusterNumbers, inClusterOrder } from "../statistics/clusterOrder.ts"
import type { AuditCandidate } from "./AuditInput.ts"

/** The notes and pairs that an audit measures on: of the classes of the primary measure. Positions are those of the table. */
export interface Measured {
  readonly index: TableIndex
  /** Places in the table's list of pairs. */
  readonly pairs: ReadonlyArray<number>
  /** Distinct notes of those pairs. */
  readonly flawed: ReadonlyArray<number>
  readonly clean: ReadonlyArray<number>
  /** The consultation of each note of the table, by `clusterNumbers`. */
  readonly cluster: Int32Array
  /** The same by the places of `WeightedValue`: those with a pair of the primary measure come first, 0 … drawn − 1. */
  readonly place: Int32Array
  readonly drawn: number
}

const pairsOf = ({ table }: TableIndex, classes: ReadonlyArray<ErrorClass> | undefined): ReadonlyArray<number> =>
  table.pairs.flatMap((pair, at) => (classes === undefined || classes.includes(pair.class) ? [at] : []))

const notesOf = (index: TableIndex, pairs: ReadonlyArray<number>) => ({
  pairs,
  flawed: [...new Set(pairs.map((pair) => index.pairs[pair]!.flawed))],
  clean: [...new Set(pairs.map((pair) => index.pairs[pair]!.clean))]
})

export const measuredOf = (table: ItemTable, classes: ReadonlyArray<ErrorClass> | undefined): Measured => {
  const index = indexTable(table)
  const pairs = pairsOf(index, classes)
  const consultations = table.items.map(({ consultation }) => consultation)
  const numbers = clusterNumbers(consultations)
  const ofPairs = new Set(pairs.map((pair) => consultations[index.pairs[pair]!.flawed]!))
  const drawn = inClusterOrder(ofPairs)
  const places = new Map([...new Set([...drawn, ...numbers.keys()])].map((name, place) => [name, place]))
  return {
    index,
    ...notesOf(index, pairs),
    cluster: Int32Array.from(consultations, (name) => numbers.get(name)!),
    place: Int32Array.from(consultations, (name) => places.get(name)!),
    drawn: drawn.length
  }
}

/** The same consultations by the same numbers, with the pairs of other classes. */
export const ofClasses = (measured: Measured, classes: ReadonlyArray<ErrorClass> | undefined): Measured => ({
  ...measured,
  ...notesOf(measured.index, pairsOf(measured.index, classes))
})

/** What a candidate's outcomes say of the notes measured. */
export interface Judged extends Standing {
  readonly candidate: AuditCandidate
  /** One for each pair measured: 1, ½ or 0; NaN without both scores. */
  readonly outcomes: Float64Array
}

export const judgedOf = (measured: Measured, candidate: AuditCandidate, outcomes: Outcomes): Judged => {
  const stands = standing(measured.index, outcomes)
  return {
    ...stands,
    candidate,
    outcomes: Float64Array.from(measured.pairs, (pair) => {
      const { clean, flawed } = measured.index.pairs[pair]!
      return pairOutcome(stands.scores[flawed]!, stands.scores[clean]!)
    })
  }
}

/** Scores of the notes that were judged; NaN for a reply that could not be read. */
export const scoresOf = ({ failed, scores }: Standing, notes: ReadonlyArray<number>): ReadonlyArray<number> =>
  notes.filter((note) => failed[note] === 0).map((note) => scores[note]!)

export const defaultCap = 0.1

/** The cap on false alarms that the objective has, secondary before primary; 10 % where it has none. */
export const capOf = (measures: ReadonlyArray<Measure | undefined>): number => {
  const capped = measures.find((measure) => measure?.measure === "detection")
  return capped?.measure === "detection" ? capped.maxFalseAlarms : defaultCap
}
