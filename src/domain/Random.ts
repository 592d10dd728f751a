import { sha256 } from "./hash.ts"

/**
 * Randomness by name of use: a draw is a pure function of the run's seed and the names, so that adding a draw
 * somewhere changes nothing elsewhere, and a resumed run draws what the unbroken one would have drawn.
 */
export type Name = string | number

const digest = (seed: number, names: ReadonlyArray<Name>) => sha256(JSON.stringify([seed, ...names]))

/** A number in [0, 1) with 52 random bits. */
export const uniform = (seed: number, ...names: ReadonlyArray<Name>): number =>
  Number.parseInt(digest(seed, names).slice(0, 13), 16) / 2 ** 52

/** The items in a random order that depends on each item's key, never on its position. */
export const shuffled = <A>(
  items: ReadonlyArray<A>,
  key: (item: A) => string,
  seed: number,
  ...names: ReadonlyArray<Name>
): ReadonlyArray<A> =>
  items
    .map((item) => ({ item, rank: digest(seed, [...names, key(item)]) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ item }) => item)

/** An index drawn in proportion to the weights, which are non-negative and not all zero. */
export const weightedIndex = (weights: ReadonlyArray<number>, draw: number): number => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = draw * total
  for (let index = 0; index < weights.length; index++) {
    left -= weights[index]!
    if (left < 0) return index
  }
  return weights.findLastIndex((weight) => weight > 0)
}

/** Samples of one item have seeds of their own by construction: the last six bits are the sample's number. */
const samplesPerItem = 64

/**
 * The seed that a call carries, from (run seed, item, sample): a non-negative integer below 2^53. Two samples of one
 * item never collide (up to 64 samples); two of 100,000 items collide with a probability below 1e-4.
 */
export const callSeed = (runSeed: number, item: string, sample: number): number =>
  (Number.parseInt(digest(runSeed, ["call", item]).slice(0, 12), 16) % 2 ** 47) * samplesPerItem +
  (sample % samplesPerItem)

/** mulberry32, for bulk draws (resampling): floats in [0, 1) with 32 bits, the same sequence everywhere. */
export const mulberry32 = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
