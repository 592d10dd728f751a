import type { Problem } from "../domain/InputError.ts"

const utf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

/** Decodes a file's chunks as UTF-8; says the line on which it is none. */
export class Utf8Chunks {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  #lines = 1
  #first = true
  #utf16 = false

  decode(chunk: Uint8Array | undefined): string | Problem {
    if (this.#first && chunk !== undefined) this.#utf16 = utf16(chunk)
    this.#first = false
    try {
      const text = chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true })
      if (chunk !== undefined) for (const byte of chunk) if (byte === 0x0a) this.#lines++
      return text
    } catch {
      return {
        line: this.#lines + this.#goodLines(chunk ?? new Uint8Array()),
        what: "the row is not UTF-8 text",
        hint: this.#utf16 ? "The file looks like UTF-16: save it as UTF-8" : "Save the file as UTF-8"
      }
    }
  }

  /** Line feeds before the first bad byte of a chunk, as near as its own decoding tells. */
  #goodLines(chunk: Uint8Array): number {
    let good = 0
    let bad = chunk.length
    while (good < bad) {
      const middle = (good + bad + 1) >>> 1
      try {
        // A chunk may begin within a character, whose rest is no text of its own.
        const from = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80)
        new TextDecoder("utf-8", { fatal: true }).decode(chunk.subarray(Math.max(from, 0), middle), { stream: true })
        good = middle
      } catch {
        bad = middle - 1
      }
    }
    return chunk.subarray(0, good).reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 0)
  }
}
