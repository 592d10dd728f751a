import { bytes, ints, release } from "../statistics/largeArrays.ts"
import { int32, uint32 } from "./scoresInterner.ts"

const lowBits = 2 ** 32

/** Bits of a number spread over 32 of them: the finaliser of MurmurHash3. */
const mixed = (bits: number): number => {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const most = 255

/**
 * In how many consultations a run occurs, 255 for more: never too few, but too many where runs share one of the 16
 * million slots. A run that one alone has leads to no other, and rare ones lead to few.
 */
export class RunCounts {
  readonly #slots = bytes(2 ** 24)

  add(run: number): void {
    const slot = this.#slotOf(run)
    if (this.#slots[slot]! < most) this.#slots[slot]! += 1
  }

  at(run: number): number {
    return this.#slots[this.#slotOf(run)]!
  }

  clear(): void {
    release(this.#slots)
  }

  #slotOf(run: number): number {
    return mixed(run ^ Math.imul(Math.floor(run / lowBits), 0x9e3779b1)) >>> 8
  }
}

/** Some of a document's runs in the order of their rarity; `first` of all its runs come before them. */
export interface RarestRuns {
  readonly first: number
  readonly runs: Float64Array
}

/**
 * A document's runs from the rarest on, those aside that no other consultation has, up to `length` of all its runs: the
 * order is that of counts, then of runs, and so the same in every document.
 */
export const rarest = (runs: Float64Array, counts: RunCounts, length: number): RarestRuns => {
  const times = new Uint8Array(runs.length)
  const next = new Int32Array(most + 2)
  for (let at = 0; at < runs.length; at++) {
    times[at] = counts.at(runs[at]!)
    next[times[at]! + 1]! += 1
  }
  for (let one = 1; one < next.length; one++) next[one]! += next[one - 1]!
  const first = next[2]!
  const found = new Float64Array(Math.max(0, Math.min(length, runs.length) - first))
  for (let at = 0; at < runs.length; at++) {
    const place = next[times[at]!]!++
    if (place >= first && place < length) found[place - first] = runs[at]!
  }
  return { first, runs: found }
}

const slotBits = 21

/** Which documents have a run among their rarest, and where in their order it stands. */
export class RunIndex {
  /** Of a slot its last entry and 1, of an entry the one before it in its slot and 1; 0 for none. */
  readonly #heads = ints(2 ** slotBits)
  readonly #before = int32(0)
  /** Slot and low bits together say which run it is. */
  readonly #low = uint32(0)
  readonly #documents = int32(0)
  readonly #places = int32(0)
  #size = 0

  add(document: number, run: number, place: number): void {
    const slot = this.#slotOf(run)
    const entry = this.#size++
    this.#before.set(entry, this.#heads[slot]!)
    this.#low.set(entry, run >>> 0)
    this.#documents.set(entry, document)
    this.#places.set(entry, place)
    this.#heads[slot] = entry + 1
  }

  each(run: number, visit: (document: number, place: number) => void): void {
    const low = run >>> 0
    for (let entry = this.#heads[this.#slotOf(run)]!; entry !== 0; entry = this.#before.at(entry - 1)) {
      if (this.#low.at(entry - 1) === low) visit(this.#documents.at(entry - 1), this.#places.at(entry - 1))
    }
  }

  clear(): void {
    release(this.#heads)
    for (const column of [this.#before, this.#low, this.#documents, this.#places]) column.clear()
  }

  /** One to one with the high bits for given low bits: a run is below 2^53. */
  #slotOf(run: number): number {
    return (Math.floor(run / lowBits) ^ mixed(run)) & (2 ** slotBits - 1)
  }
}
