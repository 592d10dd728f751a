import { requireSameLength } from "./arguments.ts"

/**
 * Share of items that both raters labelled alike, `a[i]` and `b[i]` being their labels of item i, in [0, 1]; chance is not
 * taken out. Null without an item. Throws a RangeError for unequal lengths. The observed agreement of Cohen, Educ.
 * Psychol. Meas. 20 (1960).
 */
export const rawAgreement = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>): number | null => {
  requireSameLength("agreement", a, b)
  return a.length === 0 ? null : a.filter((label, i) => label === b[i]).length / a.length
}

/** Where a label is among the categories; throws a RangeError for a label that is none of them. */
const positions = <A>(categories: ReadonlyArray<A>, labels: ReadonlyArray<A>): ReadonlyArray<number> => {
  const places = new Map(categories.map((category, place) => [category, place]))
  return labels.map((label) => {
    const place = places.get(label)
    if (place === undefined) throw new RangeError(`label ${String(label)} is none of ${categories.join(", ")}`)
    return place
  })
}

/**
 * Share of items whose two labels are equal or neighbours in the order of `categories`, in [0, 1]. Null without an item.
 * Throws a RangeError for unequal lengths or a label that is no category. Adjacent agreement, as of graded essays; method §3.
 */
export const withinOneGrade = <A>(
  categories: ReadonlyArray<A>,
  a: ReadonlyArray<A>,
  b: ReadonlyArray<A>
): number | null => {
  requireSameLength("agreement", a, b)
  const [first, second] = [positions(categories, a), positions(categories, b)]
  return a.length === 0 ? null : first.filter((place, i) => Math.abs(place - second[i]!) <= 1).length / a.length
}

const penalties = {
  none: (distance: number) => (distance === 0 ? 0 : 1),
  linear: (distance: number) => distance,
  quadratic: (distance: number) => distance * distance
}

/**
 * Cohen's κ of two raters, `a[i]` and `b[i]` being their labels of item i: 1 - observed / expected disagreement, where a
 * disagreement weighs 1, |i - j| or (i - j)² by places in `categories` (all of them in order, used or not). In (-∞, 1].
 * Null without an item, or when both used one and the same category throughout (0/0). Throws a RangeError for unequal
 * lengths or a label that is no category. Cohen, Educ. Psychol. Meas. 20 (1960) and Psychol. Bull. 70 (1968).
 */
export const cohenKappa = <A>(
  categories: ReadonlyArray<A>,
  a: ReadonlyArray<A>,
  b: ReadonlyArray<A>,
  weights: keyof typeof penalties = "none"
): number | null => {
  requireSameLength("Cohen's kappa", a, b)
  const [first, second] = [positions(categories, a), positions(categories, b)]
  const penalty = penalties[weights]
  const countsA = new Float64Array(categories.length)
  const countsB = new Float64Array(categories.length)
  let observed = 0
  first.forEach((place, i) => {
    countsA[place]!++
    countsB[second[i]!]!++
    observed += penalty(Math.abs(place - second[i]!))
  })
  let expected = 0
  countsA.forEach((inA, i) => {
    countsB.forEach((inB, j) => {
      expected += penalty(Math.abs(i - j)) * inA * inB
    })
  })
  return expected === 0 ? null : 1 - (a.length * observed) / expected
}

export interface FleissKappa {
  /** Null for fewer than two raters, without an item, or when every rating is in one category (0/0). */
  readonly kappa: number | null
  /** Mean over items of the share of agreeing pairs of raters (Fleiss' P-bar). Null for fewer than two raters. */
  readonly rawAgreement: number | null
}

/**
 * Fleiss' κ, marginals pooled over raters. One row an item, one column a category: how many of the raters chose it.
 * Throws a RangeError when items have unequal numbers of ratings. Fleiss, Psychol. Bull. 76 (1971).
 */
export const fleissKappa = (counts: ReadonlyArray<ReadonlyArray<number>>): FleissKappa => {
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const raters = sum(counts[0] ?? [])
  const columns = new Array<number>(counts[0]?.length ?? 0).fill(0)
  let agreeing = 0
  for (const row of counts) {
    if (sum(row) !== raters)
      throw new RangeError(`Fleiss' kappa: ${sum(row)} ratings of one item, ${raters} of another`)
    row.forEach((count, category) => {
      columns[category] = (columns[category] ?? 0) + count
      agreeing += count * (count - 1)
    })
  }
  if (raters < 2) return { kappa: null, rawAgreement: null }
  const observed = agreeing / (counts.length * raters * (raters - 1))
  const ratings = counts.length * raters
  const expected = sum(columns.map((count) => (count / ratings) ** 2))
  const single = columns.some((count) => count === ratings)
  return { kappa: single ? null : (observed - expected) / (1 - expected), rawAgreement: observed }
}
