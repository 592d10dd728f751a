import { Buffer } from "node:buffer"
import { words } from "./words.ts"

/** Words that are told apart: of so many, the number of a run of three is exact. */
const vocabulary = 200_000

/** Sorted numbers, each once, within their own memory. */
export const distinct = (numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
  numbers.sort()
  let length = 0
  for (let at = 0; at < numbers.length; at++) {
    if (length === 0 || numbers[at] !== numbers[length - 1]) numbers[length++] = numbers[at]!
  }
  return numbers.subarray(0, length)
}

/**
 * Turns texts into the distinct runs of three neighbouring words that they have, as whole numbers below 2^53, rising; of
 * a shorter text, the one run that it is. Words are numbered by first occurrence; past the limit numbers are used again,
 * for words far apart in a vast source.
 */
export class TextRuns {
  readonly #words = new Map<string, number>()

  of(text: string): Float64Array<ArrayBuffer> {
    const numbers = words(text).map((word) => this.#number(word))
    if (numbers.length === 0) return new Float64Array()
    const runs = new Float64Array(Math.max(1, numbers.length - 2))
    for (let at = 0; at < runs.length; at++) {
      runs[at] = (numbers[at]! * vocabulary + (numbers[at + 1] ?? 0)) * vocabulary + (numbers[at + 2] ?? 0)
    }
    return distinct(runs)
  }

  #number(word: string): number {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    const number = (this.#words.size % (vocabulary - 1)) + 1
    // A copy: the word is a part of its text, and would keep all of it.
    this.#words.set(Buffer.from(word).toString(), number)
    return number
  }
}
