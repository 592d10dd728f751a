import { compareScores, type PairComparison } from "../../../terminal/compare.ts"
import { visible } from "../escape.ts"
import { h } from "./dom.ts"
import { later } from "./later.ts"
import type { Model } from "./model.ts"
import { pValue, signed, signedBounds } from "./words.ts"

/** Two members on the pairs of the primary measure, with the same bootstrap as the command line's. */
const compareMembers = (model: Model, a: number, b: number): PairComparison => {
  const { classes } = model.data.primary
  return compareScores(model.scores(a), model.scores(b), model.index, {
    ...(classes === null ? {} : { classes })
  })
}

/** Words that hold a comparison, which is computed after they have been shown. */
export const comparisonText = (
  model: Model,
  a: number,
  b: number,
  words: (comparison: string) => string = (comparison) => comparison
): HTMLElement =>
  later(h("span", {}, "…"), (element) => {
    element.textContent = visible(words(comparisonWords(compareMembers(model, a, b))))
  })

const comparisonWords = (one: PairComparison): string =>
  one.difference === null
    ? "no pair that both could rank"
    : `${signed(one.difference)} ${signedBounds(one.interval)}, n = ${one.n} pairs of ${one.consultations} consultations: ${one.better} better, ${one.worse} worse, ${one.same} alike; sign test ${pValue(one.p)}`
