import { rounded } from "../../../measure/discrimination.ts"
import { isFlagged } from "../../../measure/operatingPoint.ts"
import type { Model } from "./model.ts"

/** Scores of the distinct flawed and clean notes of the measured classes; NaN for an unreadable reply. Failed calls are left out. */
export interface Sides {
  readonly flawed: ReadonlyArray<number>
  readonly clean: ReadonlyArray<number>
}

export const sidesOf = (model: Model, member: number): Sides => {
  const { classes } = model.data.detection
  const pairs = model.index.pairs.filter(
    (_, pair) => classes === null || classes.includes(model.data.table.pairs[pair]!.class)
  )
  const scores = model.scores(member)
  const known = (items: Iterable<number>) =>
    [...new Set(items)]
      .filter((item) => !Number.isNaN(scores[item]!) || model.unreadable(member, item))
      .map((item) => scores[item]!)
  return { flawed: known(pairs.map(({ flawed }) => flawed)), clean: known(pairs.map(({ clean }) => clean)) }
}

export interface Rates {
  readonly threshold: number
  readonly detected: number
  readonly flawed: number
  readonly falseAlarms: number
  readonly clean: number
}

/** What a threshold flags: scores strictly below it. */
export const ratesAt = ({ clean, flawed }: Sides, threshold: number): Rates => ({
  threshold,
  detected: flawed.filter((score) => isFlagged(score, threshold)).length,
  flawed: flawed.length,
  falseAlarms: clean.filter((score) => isFlagged(score, threshold)).length,
  clean: clean.length
})

/** Thresholds at which something changes: the distinct scores, and one above all. */
export const thresholdsOf = (sides: ReadonlyArray<Sides>): ReadonlyArray<number> => {
  const distinct = new Set<number>()
  for (const { clean, flawed } of sides)
    for (const score of [...clean, ...flawed]) if (!Number.isNaN(score)) distinct.add(rounded(score))
  const sorted = [...distinct].sort((a, b) => a - b)
  return sorted.length === 0 ? [] : [...sorted, sorted.at(-1)! + 1e-6 * Math.max(1, Math.abs(sorted.at(-1)!))]
}
