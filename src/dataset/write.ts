import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Consultation } from "../domain/Dataset.ts"
import { type InputError, inputError } from "../domain/InputError.ts"
import { writeProblem } from "./fileProblem.ts"
import { checkRegular } from "./regularFile.ts"

/** The lines of a dataset file: one consultation each, fields in the order of the values, line feeds. */
export function* jsonLines(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`
}

/** A dataset file's text. */
export const datasetText = (consultations: Iterable<Consultation>): string => [...jsonLines(consultations)].join("")

const batchBytes = 1 << 20

/** The texts one after the other as UTF-8, in pieces of a megabyte or so. */
function* batches(texts: Iterable<string>): Generator<Uint8Array> {
  let open: Array<Buffer> = []
  let size = 0
  for (const text of texts) {
    const bytes = Buffer.from(text)
    open.push(bytes)
    size += bytes.length
    if (size < batchBytes) continue
    yield Buffer.concat(open)
    open = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(open)
}

/** Whether a file holds these very bytes; a file that cannot be read does not. */
const hasHash = (file: string, sha256: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const hash = createHash("sha256")
    const read = fs.stream(file).pipe(Stream.runForEach((bytes) => Effect.sync(() => hash.update(bytes))))
    return Result.isSuccess(yield* Effect.result(read)) && hash.digest("hex") === sha256
  })

const notOverwritten = (file: string, what: string): InputError =>
  inputError({
    file,
    what: `${what} exists already and is not overwritten`,
    hint: "Give another name, or --force to replace it"
  })

/**
 * `writeNewFile` of texts that are made as they are written, beside the file under another name, which it gets when it
 * is whole.
 */
export const writeNewLines = Effect.fn("writeNewLines")(function* (
  file: string,
  what: string,
  texts: Iterable<string>,
  options: { readonly force: boolean }
): Effect.fn.Return<void, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* checkRegular(file, what)
  const half = `${file}.${process.pid}.part`
  const hash = createHash("sha256")
  const write = Effect.gen(function* () {
    yield* fs.makeDirectory(path.dirname(path.resolve(file)), { recursive: true })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* fs.open(half, { flag: "w" })
        for (const bytes of batches(texts)) {
          hash.update(bytes)
          yield* handle.writeAll(bytes)
        }
      })
    )
    const isThere = !options.force && (yield* fs.exists(file))
    if (!isThere) return yield* Effect.as(fs.rename(half, file), true)
    yield* fs.remove(half)
    return yield* hasHash(file, hash.digest("hex"))
  })
  const written = yield* write.pipe(
    Effect.mapError((error) => inputError(writeProblem(file, what, error))),
    Effect.onError(() => Effect.ignore(fs.remove(half)))
  )
  if (!written) return yield* notOverwritten(file, what)
})

/**
 * Writes a file whole or not at all, making its folder. A file that is there already is left alone unless `force` is
 * given or it has this very text.
 */
export const writeNewFile = Effect.fn("writeNewFile")(function* (
  file: string,
  what: string,
  text: string,
  options: { readonly force: boolean }
): Effect.fn.Return<void, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* checkRegular(file, what)
  const write = Effect.gen(function* () {
    if (!options.force && (yield* fs.exists(file))) {
      const present = yield* Effect.result(fs.readFileString(file))
      if (Result.isSuccess(present) && present.success === text) return true
      return false
    }
    yield* fs.makeDirectory(path.dirname(path.resolve(file)), { recursive: true })
    const half = `${file}.${process.pid}.part`
    yield* Effect.andThen(fs.writeFileString(half, text), fs.rename(half, file)).pipe(
      Effect.onError(() => Effect.ignore(fs.remove(half)))
    )
    return true
  })
  const written = yield* write.pipe(Effect.mapError((error) => inputError(writeProblem(file, what, error))))
  if (!written) return yield* notOverwritten(file, what)
})

/** Refuses a file that could not be written later: it is a folder or a device, or its folder, or the nearest that there is, is none or may not be written. Makes nothing. */
export const checkPlace = Effect.fn("checkPlace")(function* (
  file: string
): Effect.fn.Return<void, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* checkRegular(file, "the file")
  const there = yield* Effect.option(fs.stat(file))
  if (Option.isSome(there) && there.value.type === "Directory") {
    return yield* inputError({ file, what: "the file cannot be written here", found: "a folder of this name" })
  }
  let folder = path.dirname(path.resolve(file))
  while (path.dirname(folder) !== folder && !(yield* Effect.orElseSucceed(fs.exists(folder), () => true))) {
    folder = path.dirname(folder)
  }
  const { type } = yield* fs
    .stat(folder)
    .pipe(Effect.mapError((error) => inputError(writeProblem(file, "the file", error))))
  if (type !== "Directory") {
    return yield* inputError({ file, what: "the file cannot be written here", found: `${folder} is no folder` })
  }
  yield* fs
    .access(folder, { writable: true })
    .pipe(Effect.mapError((error) => inputError(writeProblem(file, "the file", error))))
})
