import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import type { Consultation } from "../domain/Dataset.ts"
import { type InputError, inputError } from "../domain/InputError.ts"
import { writeProblem } from "./fileProblem.ts"
import { checkRegular } from "./regularFile.ts"

/** A dataset file's text: one consultation a line, fields in the order of the values, line feeds. */
export const datasetText = (consultations: ReadonlyArray<Consultation>): string =>
  consultations.map((consultation) => `${JSON.stringify(consultation)}\n`).join("")

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
      Effect.tapError(() => Effect.ignore(fs.remove(half)))
    )
    return true
  })
  const written = yield* write.pipe(Effect.mapError((error) => inputError(writeProblem(file, what, error))))
  if (!written) {
    return yield* inputError({
      file,
      what: `${what} exists already and is not overwritten`,
      hint: "Give another name, or --force to replace it"
    })
  }
})

/** Refuses a file that could not be written later: its folder, or the nearest that there is, is none or may not be written. Makes nothing. */
export const checkPlace = Effect.fn("checkPlace")(function* (
  file: string
): Effect.fn.Return<void, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
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
