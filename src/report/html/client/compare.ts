import { compareScores, type PairComparison } from "../../../terminal/compare.ts"
import type { Model } from "./model.ts"
import { pValue, signed, signedBounds } from "./words.ts"

/** Two members on the pairs of the primary measure, with the same bootstrap as the command line's. */
export const compareMembers = (model: Model, a: number, b: number): PairComparison => {
  const { classes } = model.data.primary
  return compareScores(model.scores(a), model.scores(b), model.index, {
    seed: model.data.seed,
    ...(classes === null ? {} : { classes })
  })
}

export const comparisonWords = (one: PairComparison): string =>
  one.difference === null
    ? "no pair that both could rank"
    : `${signed(one.difference)} ${signedBounds(one.interval)}, n = ${one.n} pairs of ${one.consultations} consultations: ${one.better} better, ${one.worse} worse, ${one.same} alike; sign test ${pValue(one.p)}`
