import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import { type InputError, inputError, type Problem } from "../domain/InputError.ts"
import { fileProblem } from "./fileProblem.ts"
import { checkRegular, fileBytes } from "./regularFile.ts"

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

const encodingHint = (start: Uint8Array): string =>
  (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
    ? "The file looks like UTF-16: save it as UTF-8"
    : "Save the file as UTF-8"

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

const byteOrderMark = "\uFEFF"

export const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

/** Windows line ends as single line feeds. */
export const withUnixLines = (text: string): string => text.replaceAll("\r\n", "\n")

/** A small text file whole: UTF-8 with or without a byte order mark, line ends as line feeds. */
export const readTextFile = Effect.fn("readTextFile")(function* (
  file: string,
  what: string
): Effect.fn.Return<string, InputError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  yield* checkRegular(file, what)
  const bytes = yield* fs.readFile(file).pipe(Effect.mapError((error) => inputError(fileProblem(file, what, error))))
  const decoded = decodeUtf8(bytes)
  if ("text" in decoded) return withUnixLines(withoutMark(decoded.text))
  const line = bytes.subarray(0, decoded.badByte).reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1)
  return yield* inputError(badEncoding(file, line, decoded.badByte, bytes[decoded.badByte], bytes))
})

/** One line of a file, its line end and a byte order mark taken off; or why it cannot be read. `number` is 1-based. */
export type TextLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: Problem }

/**
 * Hands over a file's lines one after the other, blank ones left out, without ever holding the file whole.
 * Returns the SHA-256 of the file's bytes.
 */
export const readLines = Effect.fn("readLines")(function* (
  file: string,
  what: string,
  onLine: (line: TextLine) => void
): Effect.fn.Return<string, InputError, FileSystem.FileSystem> {
  const hash = createHash("sha256")
  let open: Array<Uint8Array> = []
  let number = 0
  let offset = 0
  let start: Uint8Array = new Uint8Array()

  const close = (end: Uint8Array, ended: boolean) => {
    const bytes = open.length === 0 ? end : Buffer.concat([...open, end])
    open = []
    if (bytes.length === 0 && !ended) return
    number += 1
    if (number === 1) start = bytes.slice(0, 4)
    const decoded = decodeUtf8(bytes)
    if ("text" in decoded) {
      const text = (number === 1 ? withoutMark(decoded.text) : decoded.text).replace(/\r$/, "")
      if (text.trim() !== "") onLine({ number, text })
    } else {
      const at = decoded.badByte
      onLine({ number, problem: badEncoding(file, number, offset + at, bytes[at], start) })
    }
    offset += bytes.length + (ended ? 1 : 0)
  }

  const take = (chunk: Uint8Array) => {
    hash.update(chunk)
    let from = 0
    for (let to = chunk.indexOf(0x0a); to !== -1; to = chunk.indexOf(0x0a, from)) {
      close(chunk.subarray(from, to), true)
      from = to + 1
    }
    if (from < chunk.length) open.push(chunk.slice(from))
  }

  yield* fileBytes(file, what, 1 << 18).pipe(
    Stream.runForEachArray((chunks) => Effect.sync(() => chunks.forEach(take)))
  )
  close(new Uint8Array(), false)
  return hash.digest("hex")
})
