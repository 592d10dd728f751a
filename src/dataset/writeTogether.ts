import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { PlatformError } from "effect/PlatformError"
import { type InputError, inputError } from "../domain/InputError.ts"
import { writeProblem } from "./fileProblem.ts"

/** Refuses a folder that has files in it. One that is not there is new. */
export const checkNewFolder = Effect.fn("checkNewFolder")(function* (
  folder: string
): Effect.fn.Return<void, InputError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const problem = (error: PlatformError) => inputError(writeProblem(folder, "the folder", error))
  if (!(yield* fs.exists(folder).pipe(Effect.mapError(problem)))) return
  const { type } = yield* fs.stat(folder).pipe(Effect.mapError(problem))
  if (type !== "Directory") {
    return yield* inputError({ file: folder, what: "is no folder", hint: "Give a new or empty folder with --out" })
  }
  const present = yield* fs.readDirectory(folder).pipe(Effect.mapError(problem))
  if (present.length > 0) {
    return yield* inputError({
      file: folder,
      what: "the folder has files already",
      hint: "Give a new or empty folder with --out"
    })
  }
})

/** Has a file written, whose name is relative to the folder. */
export type PutFile = <E>(
  name: string,
  write: (file: string) => Effect.Effect<void, E | PlatformError, FileSystem.FileSystem>
) => Effect.Effect<void, InputError | Exclude<E, PlatformError>, FileSystem.FileSystem>

/** A file of this text. */
export const ofText =
  (text: string) =>
  (file: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem> =>
    FileSystem.FileSystem.use((fs) => fs.writeFileString(file, text))

/**
 * Writes files into a folder, all of them or none, making it where it does not exist: they get their names when the
 * last of them is whole, so that a full disk leaves nothing behind that looks like the whole, or keeps the same command
 * from being run again. Files that are there already are replaced. `last` is done with the files in their places, and
 * given their names; where it fails, new files are taken away again.
 */
export const writeTogether = Effect.fn("writeTogether")(function* <A, E, R, F, S>(
  folder: string,
  write: (put: PutFile) => Effect.Effect<void, E, R>,
  last: (names: ReadonlyArray<string>) => Effect.Effect<A, F, S>
): Effect.fn.Return<A, E | F | InputError, R | S | FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const problem = (name: string) => (error: PlatformError) =>
    inputError(writeProblem(path.join(folder, name), "the file", error))
  const isThere = (file: string) => Effect.orElseSucceed(fs.exists(file), () => true)
  const remove = (file: string) => Effect.ignore(fs.remove(file, { recursive: true, force: true }))
  const removeEmpty = (place: string) =>
    Effect.ignore(
      Effect.flatMap(fs.readDirectory(place), (names) => (names.length === 0 ? remove(place) : Effect.void))
    )
  // Inside, since another file system may begin at the folder.
  const stage = path.join(folder, `.${process.pid}.part`)
  const names: Array<string> = []
  /** Files and folders that were not there, in the order in which they came to be. */
  const made: Array<{ readonly place: string; readonly isFolder: boolean }> = []
  const makeFolder = Effect.fnUntraced(function* (place: string) {
    if (!(yield* isThere(place))) made.push({ place, isFolder: true })
    yield* fs.makeDirectory(place, { recursive: true })
  })
  const put: PutFile = (name, writeFile) => {
    const file = path.join(stage, name)
    names.push(name)
    return fs.makeDirectory(path.dirname(file), { recursive: true }).pipe(
      Effect.andThen(writeFile(file)),
      Effect.mapError((error) =>
        error instanceof PlatformError ? problem(name)(error) : (error as Exclude<typeof error, PlatformError>)
      )
    )
  }
  const move = Effect.fnUntraced(function* (name: string) {
    const file = path.join(folder, name)
    yield* makeFolder(path.dirname(file))
    if (!(yield* isThere(file))) made.push({ place: file, isFolder: false })
    yield* fs.rename(path.join(stage, name), file)
  })
  return yield* Effect.gen(function* () {
    yield* makeFolder(folder).pipe(Effect.mapError(problem("")))
    yield* write(put)
    for (const name of names) yield* move(name).pipe(Effect.mapError(problem(name)))
    yield* remove(stage)
    return yield* last(names)
  }).pipe(
    Effect.onError(() =>
      Effect.andThen(
        remove(stage),
        Effect.forEach(made.toReversed(), ({ isFolder, place }) => (isFolder ? removeEmpty(place) : remove(place)), {
          discard: true
        })
      )
    )
  )
})
