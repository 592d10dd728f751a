import { Buffer } from "node:buffer"
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type InputError, inputError } from "../../domain/InputError.ts"
import { float64 } from "../scoresInterner.ts"

/** Rows that are more than this, as bytes of JSON, lie in a file. */
const mostInMemory = 8 * 2 ** 20
/** What is read at once: much of rows that are wanted in their order, little of rows that lie apart. */
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

/**
 * JSON values in the order in which they were added, each to be read again by its number. Few lie in memory; many go to
 * a temporary file, which is gone from its folder as soon as it is open, so that nothing is left of it however the
 * process ends.
 */
export class RowSpool<A> {
  #size = 0
  #bytes = 0
  readonly #ends = float64(0)
  /** What was added last and is not in the file. */
  #open: Array<Buffer> = []
  #openBytes = 0
  #written = 0
  #file: number | undefined
  #window = Buffer.alloc(0)
  #windowAt = 0
  #lastEnd = 0

  get size(): number {
    return this.#size
  }

  /** Gives the value's number. */
  add(value: A): number {
    const bytes = Buffer.from(JSON.stringify(value))
    this.#bytes += bytes.length
    this.#ends.set(this.#size, this.#bytes)
    this.#open.push(bytes)
    this.#openBytes += bytes.length
    if (this.#openBytes > mostInMemory) this.#flush()
    return this.#size++
  }

  at(number: number): A {
    const start = number === 0 ? 0 : this.#ends.at(number - 1)
    const length = this.#ends.at(number) - start
    if (start < this.#windowAt || start + length > this.#windowAt + this.#window.length) this.#fill(start, length)
    this.#lastEnd = start + length
    const from = start - this.#windowAt
    return JSON.parse(this.#window.toString("utf8", from, from + length)) as A
  }

  #flush(): void {
    const file = this.#file ?? namelessFile()
    this.#file = file
    const bytes = Buffer.concat(this.#open)
    for (let from = 0; from < bytes.length; ) {
      from += orFailure(() => writeSync(file, bytes, from, bytes.length - from, this.#written + from))
    }
    this.#written += bytes.length
    this.#open = []
    this.#openBytes = 0
  }

  #fill(start: number, length: number): void {
    const file = this.#file
    if (file === undefined) {
      this.#window = Buffer.concat(this.#open)
      this.#open = [this.#window]
      this.#windowAt = 0
      return
    }
    if (this.#openBytes > 0) this.#flush()
    const inOrder = start <= this.#lastEnd + apart && start >= this.#lastEnd - apart
    const wanted = Math.min(Math.max(length, inOrder ? ahead : apart), this.#written - start)
    const window = Buffer.alloc(wanted)
    let read = 0
    while (read < wanted) {
      const more = orFailure(() => readSync(file, window, read, wanted - read, start + read))
      if (more === 0) throw new SpoolFailure("it was cut short")
      read += more
    }
    this.#window = window
    this.#windowAt = start
  }
}

/** Fails as the user's problem where a spool's temporary file could not be used. */
export const catchSpoolFailure = <A, R>(effect: Effect.Effect<A, InputError, R>): Effect.Effect<A, InputError, R> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof SpoolFailure
      ? Effect.fail(
          inputError({
            what: `a temporary file cannot be used: ${defect.message}`,
            hint: "Large tables are laid down in the folder for temporary files, which TMPDIR names"
          })
        )
      : Effect.die(defect)
  )
