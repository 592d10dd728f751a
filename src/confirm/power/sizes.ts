import type { ErrorClass } from "../../domain/Dataset.ts"
import type { PartCounts } from "../../domain/Split.ts"
import type { NoteCounts } from "./flagSimulation.ts"

/** A consultation as a part's measures count it: pairs of paired discrimination, distinct notes of detection. */
export interface ConsultationSize extends NoteCounts {
  readonly pairs: number
}

/** As many of the values as asked for, spread over the order as they are: every value's share stays about what it was. */
const spread = <A>(sorted: ReadonlyArray<A>, count: number): ReadonlyArray<A> =>
  Array.from({ length: sorted.length === 0 ? 0 : count }, (_, at) => {
    return sorted[Math.floor(((at + 0.5) * sorted.length) / count)]!
  })

/** A part of `count` consultations whose sizes are spread as those of the given ones are. Empty for none given. */
export const resized = (sizes: ReadonlyArray<ConsultationSize>, count: number): ReadonlyArray<ConsultationSize> =>
  spread(
    [...sizes].sort((a, b) => a.pairs - b.pairs || a.flawed - b.flawed || a.clean - b.clean),
    count
  )

/** Sizes with the given sum: spread as the known ones are, then one more or less here and there. */
const summingTo = (known: ReadonlyArray<number>, count: number, sum: number): ReadonlyArray<number> => {
  const like = spread(
    [...known].sort((a, b) => a - b),
    count
  )
  const sizes = Array.from({ length: count }, (_, at) => like[at] ?? 0)
  let left = sum - sizes.reduce((total, size) => total + size, 0)
  for (let at = 0; count > 0 && left !== 0; at = (at + 1) % count) {
    const step = Math.sign(left)
    if (sizes[at]! + step < 0) continue
    sizes[at]! += step
    left -= step
  }
  return sizes
}

/**
 * A part of which only the numbers of consultations, pairs and flawed notes are known, as of one that is sealed. The
 * sizes of its consultations are supposed to be spread as the known ones are; each has one clean note.
 */
export const supposed = (
  known: ReadonlyArray<ConsultationSize>,
  total: { readonly consultations: number; readonly pairs: number; readonly flawed: number }
): ReadonlyArray<ConsultationSize> => {
  const sizes = (side: "pairs" | "flawed") =>
    summingTo(
      known.map((one) => one[side]),
      total.consultations,
      total[side]
    )
  const [pairs, flawed] = [sizes("pairs"), sizes("flawed")]
  return pairs.map((size, at) => ({ pairs: size, flawed: flawed[at]!, clean: 1 }))
}

/** Pairs of the classes (all, when none are named), by a manifest's counts. */
export const pairsCounted = (counts: PartCounts, classes: ReadonlyArray<ErrorClass> | undefined): number =>
  classes === undefined ? counts.pairs : classes.reduce((sum, one) => sum + (counts.class[one] ?? 0), 0)
