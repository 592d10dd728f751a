/** An array that grows or shrinks in its place costs pages of its own, which smaller ones need not. */
const least = 1 << 18

const buffer = (bytes: number): ArrayBuffer =>
  bytes < least ? new ArrayBuffer(bytes) : new ArrayBuffer(bytes, { maxByteLength: bytes })

/**
 * Numbers, all 0, whose memory `release` gives back at once. Left to the garbage collector, the arrays of the steps of
 * one measurement of a million notes are all there together.
 */
export const floats = (length: number): Float64Array<ArrayBuffer> => new Float64Array(buffer(8 * length))
/** Whole numbers of 32 bits, as `floats`. */
export const ints = (length: number): Int32Array<ArrayBuffer> => new Int32Array(buffer(4 * length))
/** Whole numbers of 8 bits, as `floats`. */
export const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(buffer(length))
const shorts = (length: number): Uint16Array<ArrayBuffer> => new Uint16Array(buffer(2 * length))

/** Whole numbers from 0 to `most`, in as few bytes as these need: what is read at random should fit into a cache. */
export const counts = (length: number, most: number): Uint8Array | Uint16Array | Int32Array =>
  most < 2 ** 8 ? bytes(length) : most < 2 ** 16 ? shorts(length) : ints(length)

/** Gives back the memory of arrays that are read no more, with that of every other view of theirs. */
export const release = (...arrays: ReadonlyArray<ArrayBufferView>): void => {
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0)
}
