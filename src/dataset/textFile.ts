import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import { type InputError, inputError, type Problem } from "../domain/InputError.ts"
import { fileBytes } from "./regularFile.ts"

/** Most bytes of a line, and of a file that is read whole: a text of twice as many does not fit into one string. */
const mostBytes = 256 * 1024 * 1024
const mostText = "256 MiB"

const strict = () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const isDecodable = (bytes: Uint8Array): boolean => {
  try {
    strict().decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The text of UTF-8 bytes, or the offset of the first byte that is none. A byte order mark stays in the text. */
export const decodeUtf8 = (bytes: Uint8Array): { readonly text: string } | { readonly badByte: number } => {
  try {
    return { text: strict().decode(bytes) }
  } catch {
    let good = 0
    let bad = bytes.length
    while (good < bad) {
      const middle = (good + bad + 1) >>> 1
      if (isDecodable(bytes.subarray(0, middle))) good = middle
      else bad = middle - 1
    }
    return { badByte: good }
  }
}

const isUtf16 = (start: Uint8Array): boolean =>
  (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)

const encodingHint = (start: Uint8Array): string =>
  isUtf16(start) ? "The file looks like UTF-16: save it as UTF-8" : "Save the file as UTF-8"

const badEncoding = (
  file: string,
  line: number,
  offset: number,
  byte: number | undefined,
  start: Uint8Array
): Problem => ({
  file,
  line,
  what: `not UTF-8 at byte ${offset} of the file`,
  found: byte === undefined ? "the end of the line within a character" : `byte 0x${byte.toString(16).padStart(2, "0")}`,
  expected: "UTF-8 text",
  hint: encodingHint(start)
})

/** UTF-16 of Latin letters, without a byte order mark, is valid UTF-8 with a NUL beside every letter. */
const holdsNul = (file: string, line: number): Problem => ({
  file,
  line,
  what: "holds a NUL character",
  expected: "UTF-8 text",
  hint: "The file looks like UTF-16 or is no text: save it as UTF-8"
})

const longLine = (file: string, line: number): Problem => ({
  file,
  line,
  what: `the line is longer than ${mostText}`,
  expected: "one entry a line"
})

const chunkSize = 1 << 18

const byteOrderMark = "\uFEFF"

export const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

/** Windows line ends as single line feeds. */
export const withUnixLines = (text: string): string => text.replaceAll("\r\n", "\n")

/** A text file whole, up to 256 MiB: UTF-8 with or without a byte order mark, line ends as line feeds. */
export const readTextFile = Effect.fn("readTextFile")(function* (
  file: string,
  what: string
): Effect.fn.Return<string, InputError, FileSystem.FileSystem> {
  const parts: Array<Uint8Array> = []
  let size = 0
  yield* fileBytes(file, what, chunkSize).pipe(
    Stream.runForEach((chunk) => {
      size += chunk.length
      parts.push(chunk)
      return size > mostBytes
        ? Effect.fail(inputError({ file, what: `${what} is larger than ${mostText}` }))
        : Effect.void
    })
  )
  const bytes = Buffer.concat(parts)
  const decoded = decodeUtf8(bytes)
  if ("badByte" in decoded) {
    const line = bytes.subarray(0, decoded.badByte).reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1)
    return yield* inputError(badEncoding(file, line, decoded.badByte, bytes[decoded.badByte], bytes))
  }
  const at = decoded.text.indexOf("\u0000")
  if (at !== -1) return yield* inputError(holdsNul(file, decoded.text.slice(0, at).split("\n").length))
  return withUnixLines(withoutMark(decoded.text))
})

/** One line of a file, its line end and a byte order mark taken off; or why it cannot be read. `number` is 1-based. */
export type TextLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: Problem }

/**
 * Hands over a file's lines one after the other, blank ones left out unless asked for, without ever holding the file
 * whole.
 * Returns the SHA-256 of the file's bytes.
 */
export const readLines = Effect.fn("readLines")(function* (
  file: string,
  what: string,
  onLine: (line: TextLine) => void,
  options: { readonly blanks: boolean } = { blanks: false }
): Effect.fn.Return<string, InputError, FileSystem.FileSystem> {
  const hash = createHash("sha256")
  let open: Array<Uint8Array> = []
  let openBytes = 0
  let isText = true
  let number = 0
  let offset = 0
  let start: Uint8Array = new Uint8Array()

  const close = (end: Uint8Array, ended: boolean) => {
    const bytes = open.length === 0 ? end : Buffer.concat([...open, end])
    open = []
    openBytes = 0
    if (bytes.length === 0 && !ended) return
    number += 1
    if (number === 1) start = bytes.slice(0, 4)
    const decoded = decodeUtf8(bytes)
    if ("text" in decoded && decoded.text.includes("\u0000")) {
      // Every further line would say the same.
      isText = false
      onLine({ number, problem: holdsNul(file, number) })
    } else if ("text" in decoded) {
      const text = (number === 1 ? withoutMark(decoded.text) : decoded.text).replace(/\r$/, "")
      if (options.blanks || text.trim() !== "") onLine({ number, text })
    } else {
      const at = decoded.badByte
      isText = !isUtf16(start)
      onLine({ number, problem: badEncoding(file, number, offset + at, bytes[at], start) })
    }
    offset += bytes.length + (ended ? 1 : 0)
  }

  const take = (chunk: Uint8Array): Problem | undefined => {
    hash.update(chunk)
    if (!isText) return undefined
    let from = 0
    for (let to = chunk.indexOf(0x0a); to !== -1 && isText; to = chunk.indexOf(0x0a, from)) {
      close(chunk.subarray(from, to), true)
      from = to + 1
    }
    if (from < chunk.length) open.push(chunk.slice(from))
    openBytes += chunk.length - from
    return openBytes > mostBytes ? longLine(file, number + 1) : undefined
  }

  yield* fileBytes(file, what, chunkSize).pipe(
    Stream.runForEach((chunk) => {
      const problem = take(chunk)
      return problem === undefined ? Effect.void : Effect.fail(inputError(problem))
    })
  )
  if (isText) close(new Uint8Array(), false)
  return hash.digest("hex")
})
