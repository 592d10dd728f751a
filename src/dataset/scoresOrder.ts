import { ints, release } from "../statistics/largeArrays.ts"

/** What an order is of: a number below 0 when the first one comes before the other. */
type Compare = (one: number, other: number) => number

/**
 * The numbers from 0 to `count` in the order of `compare`, equal ones as they are; undefined where they are in order
 * already, as most tables are. Merges in two arrays: `sort` with a comparison would make objects of a million numbers.
 */
export const orderOf = (count: number, compare: Compare): Int32Array | undefined => {
  let sorted = true
  for (let at = 1; at < count && sorted; at++) sorted = compare(at - 1, at) <= 0
  if (sorted) return undefined
  let from = ints(count)
  for (let at = 0; at < count; at++) from[at] = at
  let to = ints(count)
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count)
      const end = Math.min(start + 2 * width, count)
      if (middle === end || compare(from[middle - 1]!, from[middle]!) <= 0) {
        to.set(from.subarray(start, end), start)
        continue
      }
      let left = start
      let right = middle
      for (let at = start; at < end; at++) {
        const takeLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0)
        to[at] = takeLeft ? from[left++]! : from[right++]!
      }
    }
    ;[from, to] = [to, from]
  }
  release(to)
  return from
}

/** Where each number stands in an order. */
export const placesIn = (order: Int32Array): Int32Array => {
  const places = ints(order.length)
  for (let at = 0; at < order.length; at++) places[order[at]!] = at
  return places
}

const numeral = /^[+-]?\d+(?:\.\d+)?$/

/** Orders names: numerals by their value and before words, words by their letters' codes. */
export const byName = (one: string, other: string): number => {
  const [first, second] = [numeral.test(one), numeral.test(other)]
  if (first !== second) return first ? -1 : 1
  const difference = first ? Number(one) - Number(other) : 0
  return difference !== 0 ? difference : one < other ? -1 : one > other ? 1 : 0
}
