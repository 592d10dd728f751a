import { Buffer } from "node:buffer"
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type InputError, inputError } from "../domain/InputError.ts"
import { float64 } from "./scoresInterner.ts"

/** What is more than this lies in a file. */
const mostInMemory = 8 * 2 ** 20
/** What is read at once: much of pieces that are wanted in their order, little of pieces that lie apart. */
const ahead = 2 ** 20
const apart = 2 ** 13

class SpoolFailure extends Error {}

const orFailure = <A>(work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    throw new SpoolFailure(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** A new file that has no name any more; the process's end closes it. */
const namelessFile = (): number =>
  orFailure(() => {
    const folder = mkdtempSync(join(tmpdir(), "assize-"))
    try {
      return openSync(join(folder, "rows"), "wx+", 0o600)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

/** What was read of the file last, into one buffer: new ones would be garbage of a megabyte each. */
class Window {
  bytes = Buffer.alloc(0)
  /** Of all bytes, where it begins, and how many there are. */
  from = 0
  length = 0
  lastEnd = 0
}

/**
 * Pieces of bytes in the order in which they were added, each to be read again by its number. Few lie in memory; many
 * go to a temporary file, which is gone from its folder as soon as it is open, so that nothing is left of it however the
 * process ends.
 */
export class ByteSpool {
  #size = 0
  readonly #ends = float64(0)
  /** What was added last and is not in the file: so much of it is in use. */
  #tail = Buffer.alloc(0)
  #used = 0
  #written = 0
  #file: number | undefined
  readonly #window = new Window()

  get size(): number {
    return this.#size
  }

  /** Gives the piece's number. */
  add(bytes: Uint8Array): number {
    this.#makeRoom(bytes.length)
    this.#tail.set(bytes, this.#used)
    return this.#close(bytes.length)
  }

  /** The text as UTF-8. */
  addText(text: string): number {
    this.#makeRoom(Buffer.byteLength(text))
    return this.#close(this.#tail.write(text, this.#used))
  }

  /** The piece, to be read before another is asked for or added. */
  at(number: number): Buffer {
    return this.#read(number, this.#window)
  }

  /** All pieces in their order, each to be read before the next; `at` may be asked for others meanwhile, and none added. */
  *[Symbol.iterator](): Generator<Buffer> {
    const window = new Window()
    for (let number = 0; number < this.#size; number++) yield this.#read(number, window)
  }

  #read(number: number, window: Window): Buffer {
    const start = number === 0 ? 0 : this.#ends.at(number - 1)
    const length = this.#ends.at(number) - start
    if (start >= this.#written) return this.#tail.subarray(start - this.#written, start - this.#written + length)
    if (start < window.from || start + length > window.from + window.length) this.#fill(window, start, length)
    window.lastEnd = start + length
    return window.bytes.subarray(start - window.from, start - window.from + length)
  }

  #close(length: number): number {
    this.#used += length
    this.#ends.set(this.#size, this.#written + this.#used)
    return this.#size++
  }

  /** A piece lies in the file or in the tail, never in both. */
  #makeRoom(bytes: number): void {
    if (this.#used > 0 && this.#used + bytes > mostInMemory) this.#flush()
    if (this.#used + bytes <= this.#tail.length) return
    const larger = Buffer.alloc(Math.max(this.#used + bytes, Math.min(mostInMemory, 2 * this.#tail.length)))
    this.#tail.copy(larger, 0, 0, this.#used)
    this.#tail = larger
  }

  #flush(): void {
    const file = this.#file ?? namelessFile()
    this.#file = file
    for (let from = 0; from < this.#used; ) {
      from += orFailure(() => writeSync(file, this.#tail, from, this.#used - from, this.#written + from))
    }
    this.#written += this.#used
    this.#used = 0
  }

  #fill(window: Window, start: number, length: number): void {
    const file = this.#file!
    const inOrder = start <= window.lastEnd + apart && start >= window.lastEnd - apart
    const wanted = Math.min(Math.max(length, inOrder ? ahead : apart), this.#written - start)
    if (window.bytes.length < wanted) window.bytes = Buffer.alloc(wanted)
    let read = 0
    while (read < wanted) {
      const more = orFailure(() => readSync(file, window.bytes, read, wanted - read, start + read))
      if (more === 0) throw new SpoolFailure("it was cut short")
      read += more
    }
    window.from = start
    window.length = wanted
  }
}

const reasonOf = (message: string): string =>
  message.startsWith("ENOSPC") ? "no room is left on the disk" : message.replace(/, \w+( '.*')?$/, "")

/** Fails as the user's problem where a spool's temporary file could not be used. */
export const catchSpoolFailure = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | InputError, R> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof SpoolFailure
      ? Effect.fail(
          inputError({
            file: tmpdir(),
            what: `a temporary file cannot be used here: ${reasonOf(defect.message)}`,
            hint: "Large tables are laid down in the folder for temporary files: make room in it, or name another one by the variable TMPDIR"
          })
        )
      : Effect.die(defect)
  )
