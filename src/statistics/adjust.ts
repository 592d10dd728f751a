/** Indices of the p-values, smallest first. */
const rising = (p: ReadonlyArray<number>): ReadonlyArray<number> => {
  const bad = p.findIndex((value) => !(value >= 0 && value <= 1))
  if (bad >= 0) throw new RangeError(`p-value ${bad} is ${p[bad]}`)
  return p.map((_, index) => index).sort((a, b) => p[a]! - p[b]!)
}

/**
 * Holm's adjusted p-values in the order of the input, controlling the family-wise error: running maximum of
 * (m - i + 1) p(i) over the sorted ones, at most 1. An empty family gives an empty array. Throws a RangeError for a
 * value outside [0, 1]: leave a comparison that has no p-value out of the family. Holm, Scand. J. Statist. 6 (1979).
 */
export const holm = (p: ReadonlyArray<number>): ReadonlyArray<number> => {
  const adjusted = new Array<number>(p.length)
  let greatest = 0
  rising(p).forEach((index, i) => {
    greatest = Math.max(greatest, Math.min(1, (p.length - i) * p[index]!))
    adjusted[index] = greatest
  })
  return adjusted
}

/**
 * Benjamini–Hochberg adjusted p-values in the order of the input, controlling the false discovery rate: running minimum
 * of m p(i) / i from the greatest down, at most 1. Errors as `holm`. Benjamini & Hochberg, J. R. Stat. Soc. B 57 (1995).
 */
export const benjaminiHochberg = (p: ReadonlyArray<number>): ReadonlyArray<number> => {
  const adjusted = new Array<number>(p.length)
  const order = rising(p)
  let least = 1
  for (let i = order.length - 1; i >= 0; i--) {
    const index = order[i]!
    // The factor first: (m p) / m can round to less than p.
    least = Math.min(least, p[index]! * (p.length / (i + 1)))
    adjusted[index] = least
  }
  return adjusted
}
