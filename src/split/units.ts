import { isPartialOmission } from "../domain/Dataset.ts"
import { hashOf } from "../domain/hash.ts"
import type { Outline } from "./outline.ts"

/**
 * Consultations that must stay together: they share a transcript, or the two texts of a pair, or (without a
 * transcript) all their notes. What a split is made of.
 */
export interface Unit {
  /** Of the contents; nothing of ids or of the file's order. */
  readonly key: string
  /** What the unit is stratified by. */
  readonly cell: string
  readonly consultations: ReadonlyArray<Outline>
}

/** Consultations that are tied to each other, directly or through others, in the order of the first of each group. */
export const tiedGroups = (consultations: ReadonlyArray<Outline>): ReadonlyArray<ReadonlyArray<Outline>> => {
  const leader = consultations.map((_, index) => index)
  const find = (index: number): number => {
    let at = index
    while (leader[at] !== at) {
      leader[at] = leader[leader[at]!]!
      at = leader[at]!
    }
    return at
  }
  const holder = new Map<string, number>()
  consultations.forEach((consultation, index) => {
    for (const tie of consultation.ties) {
      const other = holder.get(tie)
      if (other === undefined) holder.set(tie, index)
      else leader[Math.max(find(index), find(other))] = Math.min(find(index), find(other))
    }
  })
  return [...Map.groupBy(consultations, (_, index) => find(index)).values()]
}

const sorted = (values: Iterable<string>): ReadonlyArray<string> => [...new Set(values)].sort()

const cellOf = (group: ReadonlyArray<Outline>): string => {
  const strata = sorted(
    group.flatMap((one) => (one.stratum === undefined ? one.pairs.map((pair) => pair.stratum ?? "") : [one.stratum]))
  )
  const pairs = group.flatMap((one) => one.pairs)
  const kind = pairs.length === 0 ? "no pairs" : pairs.some(isPartialOmission) ? "partial" : "no partial"
  return JSON.stringify([strata, kind])
}

/** The units of a dataset, in an order that follows from their contents. */
export const unitsOf = (consultations: ReadonlyArray<Outline>): ReadonlyArray<Unit> =>
  tiedGroups(consultations)
    .map((group) => ({
      key: hashOf(sorted(group.map((one) => one.ties[0]))),
      cell: cellOf(group),
      consultations: group
    }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
