import { hash } from "./runIndex.ts"

/** Words of 32 bits of one signature, and of all of them together, at most. */
const mostEach = 64
const mostTogether = 2 ** 22

const bitsIn = (word: number): number => {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * Some bits for each of several sets of runs: of each bit, whether an even or an odd number of the runs falls on it. Two
 * sets differ in at least as many runs as their signatures do in bits (Sandes 2020).
 */
export class Signatures {
  readonly #words: Int32Array
  readonly #each: number

  /** For so many sets. */
  constructor(sets: number) {
    this.#each = 2 ** Math.floor(Math.log2(Math.min(mostEach, Math.max(1, mostTogether / Math.max(1, sets)))))
    this.#words = new Int32Array(sets * this.#each)
  }

  set(number: number, runs: Float64Array): void {
    const from = number * this.#each
    for (let at = 0; at < runs.length; at++) {
      const bit = hash(runs[at]!)
      this.#words[from + ((bit >>> 5) & (this.#each - 1))]! ^= 1 << (bit & 31)
    }
  }

  /** Whether two sets may differ in no more than `most` runs; never false where they do. */
  mayBeNear(one: number, other: number, most: number): boolean {
    const [a, b] = [one * this.#each, other * this.#each]
    let bits = 0
    for (let at = 0; at < this.#each; at++) {
      bits += bitsIn(this.#words[a + at]! ^ this.#words[b + at]!)
      if (bits > most) return false
    }
    return true
  }
}
