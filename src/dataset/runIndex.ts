import { bytes, ints, release } from "../statistics/largeArrays.ts"
import { float64, int32 } from "./scoresInterner.ts"

/** Slots for so many entries: a power of two, `most` bits at the most. */
const slotsFor = (entries: number, most: number): number =>
  2 ** Math.min(most, Math.ceil(Math.log2(Math.max(2, entries))) + 1)

/** A number below 2^53 as one of 2^32: the finaliser of MurmurHash3. */
export const hash = (run: number): number => {
  let bits = run ^ Math.imul(Math.floor(run / 2 ** 32), 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

const most = 255

/**
 * In how many consultations a run occurs, 255 for more: never too few, but too many where runs share a slot. A run that
 * one alone has leads to no other, and rare ones lead to few.
 */
export class RunCounts {
  readonly #slots: Uint8Array

  /** For so many runs, of which up to 16 million have a slot of their own. */
  constructor(runs: number) {
    this.#slots = bytes(slotsFor(runs, 24))
  }

  add(run: number): void {
    const slot = hash(run) & (this.#slots.length - 1)
    if (this.#slots[slot]! < most) this.#slots[slot]! += 1
  }

  at(run: number): number {
    return this.#slots[hash(run) & (this.#slots.length - 1)]!
  }

  /** Gives the memory back. */
  clear(): void {
    release(this.#slots)
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

/** Which documents have a run among their rarest, and where in their order it stands. */
export class RunIndex {
  /** Of a slot its last entry and 1, of an entry the one before it in its slot and 1; 0 for none. */
  readonly #heads: Int32Array
  readonly #before = int32(0)
  readonly #runs = float64(0)
  readonly #documents = int32(0)
  readonly #places = int32(0)
  #size = 0

  /** For so many entries. */
  constructor(entries: number) {
    this.#heads = ints(slotsFor(entries, 22))
  }

  add(document: number, run: number, place: number): void {
    const slot = hash(run) & (this.#heads.length - 1)
    const entry = this.#size++
    this.#before.set(entry, this.#heads[slot]!)
    this.#runs.set(entry, run)
    this.#documents.set(entry, document)
    this.#places.set(entry, place)
    this.#heads[slot] = entry + 1
  }

  /** Gives the number of entries that it came by. */
  each(run: number, visit: (document: number, place: number) => void): number {
    const slot = hash(run) & (this.#heads.length - 1)
    let passed = 0
    for (let entry = this.#heads[slot]!; entry !== 0; entry = this.#before.at(entry - 1)) {
      passed += 1
      if (this.#runs.at(entry - 1) === run) visit(this.#documents.at(entry - 1), this.#places.at(entry - 1))
    }
    return passed
  }

  /** Gives the memory back. */
  clear(): void {
    release(this.#heads)
    for (const column of [this.#before, this.#runs, this.#documents, this.#places]) column.clear()
  }
}
