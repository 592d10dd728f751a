import { requireFinite, requireSameLength } from "./arguments.ts"
import { midRanks } from "./ranks.ts"

const check = (x: ReadonlyArray<number>, y: ReadonlyArray<number>): boolean => {
  requireSameLength("correlation", x, y)
  requireFinite("correlation, x", x)
  requireFinite("correlation, y", y)
  const varies = (values: ReadonlyArray<number>) => values.some((value) => value !== values[0])
  return varies(x) && varies(y)
}

/**
 * Pearson's r of two variables in the same order, in [-1, 1]. Null for fewer than two points or a constant variable.
 * Throws a RangeError for unequal lengths or values that are not finite. Pearson, Proc. R. Soc. Lond. 58 (1895).
 */
export const pearson = (x: ReadonlyArray<number>, y: ReadonlyArray<number>): number | null => {
  if (!check(x, y)) return null
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(x), mean(y)]
  let xx = 0
  let yy = 0
  let xy = 0
  for (let i = 0; i < x.length; i++) {
    const dx = x[i]! - meanX
    const dy = y[i]! - meanY
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return Math.max(-1, Math.min(1, xy / (Math.sqrt(xx) * Math.sqrt(yy))))
}

/**
 * Spearman's ρ, in [-1, 1]: Pearson's r of the mid-ranks, which takes ties into account. Null and errors as `pearson`.
 * Spearman, Am. J. Psychol. 15 (1904).
 */
export const spearman = (x: ReadonlyArray<number>, y: ReadonlyArray<number>): number | null =>
  check(x, y) ? pearson(midRanks(x).ranks, midRanks(y).ranks) : null

/** Pairs among equal neighbours of an order. */
const tiedPairs = (order: ArrayLike<number>, same: (a: number, b: number) => boolean): number => {
  let pairs = 0
  let run = 1
  for (let i = 1; i < order.length; i++) {
    run = same(order[i - 1]!, order[i]!) ? run + 1 : 1
    pairs += run - 1
  }
  return pairs
}

/** Merge sort of the values in place; returns the number of pairs that were in falling order. */
const sortCountingSwaps = (values: Float64Array): number => {
  let from = values
  let to: Float64Array = new Float64Array(values.length)
  let swaps = 0
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length)
      const end = Math.min(start + 2 * width, values.length)
      let left = start
      let right = middle
      for (let i = start; i < end; i++) {
        if (left < middle && (right >= end || from[left]! <= from[right]!)) to[i] = from[left++]!
        else {
          to[i] = from[right++]!
          swaps += middle - left
        }
      }
    }
    ;[from, to] = [to, from]
  }
  if (from !== values) values.set(from)
  return swaps
}

/**
 * Kendall's τ-b, corrected for ties in both variables, in [-1, 1]. Null and errors as `pearson`. O(n log n) by Knight's
 * algorithm, J. Am. Stat. Assoc. 61 (1966): discordant pairs are the exchanges that sorting by y takes after x.
 */
export const kendallTauB = (x: ReadonlyArray<number>, y: ReadonlyArray<number>): number | null => {
  if (!check(x, y)) return null
  const order = Int32Array.from(x.keys()).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!)
  const all = (x.length * (x.length - 1)) / 2
  const tiedX = tiedPairs(order, (a, b) => x[a] === x[b])
  const tiedBoth = tiedPairs(order, (a, b) => x[a] === x[b] && y[a] === y[b])
  const ys = Float64Array.from(order, (i) => y[i]!)
  const discordant = sortCountingSwaps(ys)
  const tiedY = tiedPairs(
    ys.map((_, i) => i),
    (a, b) => ys[a] === ys[b]
  )
  const difference = all - tiedX - tiedY + tiedBoth - 2 * discordant
  return Math.max(-1, Math.min(1, difference / (Math.sqrt(all - tiedX) * Math.sqrt(all - tiedY))))
}
