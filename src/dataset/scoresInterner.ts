import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import { ints, release } from "../statistics/largeArrays.ts"

type Numbers = Float64Array | Int32Array | Uint32Array | Int8Array
type Make<A extends Numbers> = { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer): A }

const pieceBits = 17
const pieceLength = 1 << pieceBits
const firstLength = 1 << 6

/**
 * Numbers that grow piece by piece, each within addresses that were set aside for it: nothing is copied for it, nothing
 * is held that is not used, and a piece that would be all `empty` is never made.
 */
export class Column<A extends Numbers> {
  #pieces: Array<A | undefined> = []
  readonly #make: Make<A>
  readonly #empty: number

  constructor(make: Make<A>, empty: number) {
    this.#make = make
    this.#empty = empty
  }

  /** `empty` where nothing was set. */
  at(index: number): number {
    return this.#pieces[index >>> pieceBits]?.[index & (pieceLength - 1)] ?? this.#empty
  }

  set(index: number, value: number): void {
    const number = index >>> pieceBits
    const at = index & (pieceLength - 1)
    let piece = this.#pieces[number]
    if (piece === undefined) {
      if (Object.is(value, this.#empty)) return
      // Without holes, which would make every look-up slow.
      while (this.#pieces.length <= number) this.#pieces.push(undefined)
      piece = new this.#make(new ArrayBuffer(0, { maxByteLength: pieceLength * this.#make.BYTES_PER_ELEMENT }))
      this.#pieces[number] = piece
    }
    if (at >= piece.length) this.#grow(piece, at + 1)
    piece[at] = value
  }

  /** Gives the memory back: of all, or of the pieces wholly before an index that nobody reads any more. */
  clear(before = Number.POSITIVE_INFINITY): void {
    const pieces = Math.min(this.#pieces.length, Math.floor(before / pieceLength))
    for (let number = 0; number < pieces; number++) {
      const piece = this.#pieces[number]
      if (piece === undefined) continue
      release(piece)
      this.#pieces[number] = undefined
    }
  }

  #grow(piece: A, least: number): void {
    const before = piece.length
    const length = Math.min(pieceLength, Math.max(least, firstLength, 2 * before))
    const { buffer } = piece
    if (buffer instanceof ArrayBuffer) buffer.resize(length * this.#make.BYTES_PER_ELEMENT)
    if (this.#empty !== 0) piece.fill(this.#empty, before)
  }
}

export const int32 = (empty: number) => new Column<Int32Array>(Int32Array, empty)
export const int8 = (empty: number) => new Column<Int8Array>(Int8Array, empty)
export const uint32 = (empty: number) => new Column<Uint32Array>(Uint32Array, empty)
export const float64 = (empty: number) => new Column<Float64Array>(Float64Array, empty)

/** Of the slots at most; probing grows long beyond. */
const fullest = 0.75

/** Bytes that grow in their place up to `most`. */
const growing = (most: number): Uint8Array<ArrayBuffer> => new Uint8Array(new ArrayBuffer(0, { maxByteLength: most }))

/**
 * Numbers for texts, from 0 in the order in which they are first seen; the same text in two groups has two. The texts
 * lie in one buffer and are found by a table of slots: a Map of a million strings would take three times the memory.
 */
export class Interner {
  #bytes = growing(1 << 16)
  #used = 0
  #scratch = Buffer.alloc(1 << 8)
  #size = 0
  readonly #ends = uint32(0)
  readonly #groups = int32(0)
  /** A number and 1; 0 for an empty slot. */
  #slots = ints(1 << 6)
  /** Not to be known beforehand: texts made to fall into one slot would take hours. */
  readonly #basis = randomBytes(4).readInt32LE()

  get size(): number {
    return this.#size
  }

  /** Bytes of all texts. */
  get bytes(): number {
    return this.#used
  }

  /** The text of a number. */
  text(number: number): string {
    return Buffer.from(this.#bytes.slice(this.#start(number), this.#ends.at(number))).toString("utf8")
  }

  group(number: number): number {
    return this.#groups.at(number)
  }

  /** Below 0 when the first text comes before the other: the shorter one, or that with the smaller byte. */
  compare(one: number, other: number): number {
    const [from, to] = [this.#start(one), this.#start(other)]
    const length = this.#ends.at(one) - from
    const difference = length - (this.#ends.at(other) - to)
    if (difference !== 0) return difference
    for (let at = 0; at < length; at++) {
      const byte = this.#bytes[from + at]! - this.#bytes[to + at]!
      if (byte !== 0) return byte
    }
    return 0
  }

  number(text: string, group = 0): number {
    const length = this.#write(text)
    const bytes = this.#scratch
    let slot = this.#slotOf(this.#hash(bytes, 0, length, group))
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.#groups.at(found - 1) === group && this.#equals(found - 1, length)) return found - 1
      slot = slot + 1 === this.#slots.length ? 0 : slot + 1
    }
    const number = this.#size++
    this.#keep(number, length)
    this.#groups.set(number, group)
    this.#slots[slot] = number + 1
    if (this.#size > this.#slots.length * fullest) this.#grow()
    return number
  }

  /** Gives the memory back; no number has a text from then on. */
  clear(): void {
    release(this.#bytes, this.#slots)
    this.#ends.clear()
    this.#groups.clear()
    this.#size = 0
    this.#used = 0
  }

  /** The text's UTF-8 in the scratch, and its length. */
  #write(text: string): number {
    // Three bytes a UTF-16 unit at most.
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 6)
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit > 0x7f) return this.#scratch.write(text, "utf8")
      this.#scratch[at] = unit
    }
    return text.length
  }

  #hash(bytes: Uint8Array, from: number, to: number, group: number): number {
    let hash = this.#basis ^ Math.imul(group, 0x9e3779b1)
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  }

  #slotOf(hash: number): number {
    return Math.floor((hash / 2 ** 32) * this.#slots.length)
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends.at(number - 1)
  }

  #equals(number: number, length: number): boolean {
    const start = this.#start(number)
    if (this.#ends.at(number) - start !== length) return false
    for (let at = 0; at < length; at++) if (this.#bytes[start + at] !== this.#scratch[at]) return false
    return true
  }

  #keep(number: number, length: number): void {
    if (this.#used + length > this.#bytes.length) this.#lengthen(this.#used + length)
    for (let at = 0; at < length; at++) this.#bytes[this.#used + at] = this.#scratch[at]!
    this.#used += length
    this.#ends.set(number, this.#used)
  }

  #lengthen(least: number): void {
    if (least > this.#bytes.buffer.maxByteLength) {
      const larger = growing(Math.max(least, 4 * this.#bytes.buffer.maxByteLength))
      larger.buffer.resize(this.#used)
      larger.set(this.#bytes.subarray(0, this.#used))
      release(this.#bytes)
      this.#bytes = larger
    }
    const { buffer } = this.#bytes
    buffer.resize(Math.min(buffer.maxByteLength, Math.max(least, Math.ceil(1.1 * this.#used), 1 << 12)))
  }

  #grow(): void {
    const length = Math.ceil(this.#slots.length * 1.5)
    release(this.#slots)
    this.#slots = ints(length)
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#slotOf(
        this.#hash(this.#bytes, this.#start(number), this.#ends.at(number), this.#groups.at(number))
      )
      while (this.#slots[slot] !== 0) slot = slot + 1 === this.#slots.length ? 0 : slot + 1
      this.#slots[slot] = number + 1
    }
  }
}
