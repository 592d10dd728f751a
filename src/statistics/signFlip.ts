import { mulberry32 } from "../domain/Random.ts"

export interface FlipOptions {
  /** Of the Monte-Carlo draws; no part in an exact p. */
  readonly seed: number
  /** Most values that are enumerated exactly when they are not whole numbers; 40 when left out, 46 at most. */
  readonly exactUpTo?: number
  /** Monte-Carlo draws beyond that; 100,000 when left out. */
  readonly draws?: number
}

export interface FlipTail {
  /** Sign arrangements: all 2^n when exact (a rounded number above 2^53), else the draws plus the observed one. */
  readonly arrangements: number
  /** Arrangements at least as extreme as the observed one, which is one of them. */
  readonly extreme: number
  readonly p: number
  readonly exact: boolean
}

/** Above this many table cells the table of a whole-number sum costs more than drawing. */
const mostCells = 5e7
/** The two halves of the enumeration then hold 8 million sums each. */
const mostExact = 46

/** The sums of all sign choices, rising: each value merges the list lowered by it with the list raised by it. */
const signedSums = (values: Float64Array): Float64Array => {
  let sums = Float64Array.of(0)
  for (const value of values) {
    const merged = new Float64Array(2 * sums.length)
    let low = 0
    let high = 0
    for (let i = 0; i < merged.length; i++) {
      const lowered = low < sums.length ? sums[low]! - value : Number.POSITIVE_INFINITY
      const raised = sums[high]! + value
      if (lowered <= raised) {
        merged[i] = lowered
        low++
      } else {
        merged[i] = raised
        high++
      }
    }
    sums = merged
  }
  return sums
}

/** How many of the 2^n sums reach `least`: 2^(n/2) sums of each half, met in the middle by two pointers. */
const countReaching = (values: Float64Array, least: number): number => {
  const half = values.length >> 1
  const left = signedSums(values.slice(0, half))
  const right = signedSums(values.slice(half))
  let from = right.length
  let count = 0
  for (const sum of left) {
    while (from > 0 && sum + right[from - 1]! >= least) from--
    count += right.length - from
  }
  return count
}

/** P(sum >= least) for whole numbers, by the distribution of the sum: exact halvings, so the count of arrangements is too. */
const wholeTail = (values: Float64Array, range: number, least: number): number => {
  let chances = new Float64Array(2 * range + 1)
  let next = new Float64Array(2 * range + 1)
  chances[range] = 1
  let reach = 0
  for (const value of values) {
    next.fill(0, range - reach - value, range + reach + value + 1)
    for (let i = range - reach; i <= range + reach; i++) {
      const half = chances[i]! / 2
      if (half === 0) continue
      next[i - value]! += half
      next[i + value]! += half
    }
    reach += value
    const emptied = chances
    chances = next
    next = emptied
  }
  let tail = 0
  for (let i = Math.max(0, Math.ceil(least) + range); i < chances.length; i++) tail += chances[i]!
  return tail
}

/**
 * The smallest p that so many values can give: the observed arrangement and its mirror image among all 2^n are always as
 * extreme as the observed one. 1 for none. Drawn arrangements give none smaller either.
 */
export const leastFlipP = (values: number): number => (values <= 1 ? 1 : 2 ** (1 - values))

const drawnTail = (weights: Float64Array, least: number, seed: number, draws: number): number => {
  const next = mulberry32(seed)
  let hits = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    let bits = 0
    for (let i = 0; i < weights.length; i++) {
      if (i % 32 === 0) bits = (next() * 2 ** 32) >>> 0
      sum += bits & 1 ? weights[i]! : -weights[i]!
      bits >>>= 1
    }
    if (Math.abs(sum) >= least) hits++
  }
  return hits
}

/**
 * Two-sided tail of a sum of values under independent fair sign flips: how many arrangements have |sum| >= |observed|,
 * less a tolerance for rounding, the observed arrangement included. Exact for whole numbers (the distribution of their
 * sum, while number × sum of magnitudes is at most 5e7) and for up to `exactUpTo` others (meet in the middle); beyond
 * that `draws` seeded arrangements, p = (hits + 1) / (draws + 1). No value: one arrangement, p = 1. Throws a RangeError
 * for a value that is not finite.
 */
export const flipTail = (given: ArrayLike<number>, options: FlipOptions, tolerance: number): FlipTail => {
  const values = Float64Array.from(given)
  const bad = values.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) throw new RangeError(`sign flip: value ${bad} is ${values[bad]}`)
  const arrangements = 2 ** values.length
  const magnitudes = values.map(Math.abs).filter((value) => value > 0)
  const range = magnitudes.reduce((sum, value) => sum + value, 0)
  const least = Math.abs(values.reduce((sum, value) => sum + value, 0)) - Math.max(tolerance, range * 1e-14)
  if (least <= 0) return { arrangements, extreme: arrangements, p: 1, exact: true }
  if (magnitudes.every(Number.isInteger) && range * magnitudes.length <= mostCells) {
    const p = 2 * wholeTail(magnitudes, range, least)
    return { arrangements, extreme: p * arrangements, p, exact: true }
  }
  if (magnitudes.length <= Math.min(options.exactUpTo ?? 40, mostExact)) {
    const extreme = 2 * countReaching(magnitudes, least) * 2 ** (values.length - magnitudes.length)
    return { arrangements, extreme, p: extreme / arrangements, exact: true }
  }
  const draws = options.draws ?? 100_000
  const extreme = drawnTail(magnitudes, least, options.seed, draws) + 1
  return { arrangements: draws + 1, extreme, p: extreme / (draws + 1), exact: false }
}
