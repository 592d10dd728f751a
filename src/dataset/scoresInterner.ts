import { Buffer } from "node:buffer"

/** A typed array that grows by doubling. */
export class Column<A extends Float64Array | Int32Array | Int8Array | Uint16Array> {
  #values: A
  readonly #make: (length: number) => A
  readonly #empty: number
  #length = 0

  constructor(make: (length: number) => A, empty: number) {
    this.#make = make
    this.#empty = empty
    this.#values = make(16).fill(empty) as A
  }

  get length(): number {
    return this.#length
  }

  /** `empty` beyond the end. */
  at(index: number): number {
    return index < this.#length ? this.#values[index]! : this.#empty
  }

  set(index: number, value: number): void {
    if (index >= this.#values.length) {
      const grown = this.#make(Math.max(index + 1, this.#values.length * 2)).fill(this.#empty) as A
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[index] = value
    if (index >= this.#length) this.#length = index + 1
  }

  /** The values, `empty` up to the length asked for. */
  toArray(length: number): A {
    const whole = this.#make(length).fill(this.#empty) as A
    whole.set(this.#values.subarray(0, Math.min(length, this.#length)))
    return whole
  }
}

export const int32 = (empty: number) => new Column<Int32Array>((length) => new Int32Array(length), empty)
export const int8 = (empty: number) => new Column<Int8Array>((length) => new Int8Array(length), empty)
export const uint16 = (empty: number) => new Column<Uint16Array>((length) => new Uint16Array(length), empty)
export const float64 = (empty: number) => new Column<Float64Array>((length) => new Float64Array(length), empty)

/**
 * Numbers for texts, from 0 in the order in which they are first seen. The texts lie in one buffer: a Map of a million
 * strings would take three times the memory.
 */
export class Interner {
  #bytes = Buffer.alloc(1 << 12)
  #used = 0
  #scratch = Buffer.alloc(1 << 8)
  readonly #ends = int32(0)
  #slots = new Int32Array(1 << 6).fill(-1)
  readonly #hashes = int32(0)

  get size(): number {
    return this.#ends.length
  }

  /** The text of a number. */
  text(number: number): string {
    return this.#bytes.toString("utf8", this.#start(number), this.#ends.at(number))
  }

  number(text: string): number {
    // Three bytes a UTF-16 unit at most.
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 6)
    const length = this.#scratch.write(text, "utf8")
    let hash = 0x811c9dc5
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ this.#scratch[at]!, 0x01000193)
    hash ^= hash >>> 15
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (let found = this.#slots[slot]!; found !== -1; found = this.#slots[slot]!) {
      if (this.#hashes.at(found) === (hash | 0) && this.#equals(found, length)) return found
      slot = (slot + 1) & mask
    }
    const number = this.size
    this.#keep(length)
    this.#hashes.set(number, hash)
    this.#slots[slot] = number
    if (this.size * 2 > this.#slots.length) this.#rehash()
    return number
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends.at(number - 1)
  }

  #equals(number: number, length: number): boolean {
    const start = this.#start(number)
    const end = this.#ends.at(number)
    return end - start === length && this.#bytes.compare(this.#scratch, 0, length, start, end) === 0
  }

  #keep(length: number): void {
    if (this.#used + length > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(this.#used + length, this.#bytes.length * 2))
      this.#bytes.copy(grown, 0, 0, this.#used)
      this.#bytes = grown
    }
    this.#scratch.copy(this.#bytes, this.#used, 0, length)
    this.#used += length
    this.#ends.set(this.size, this.#used)
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes.at(number) & mask
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask
      this.#slots[slot] = number
    }
  }
}
