import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import { type InputError, inputError } from "../../domain/InputError.ts"
import { fileProblem } from "../fileProblem.ts"
import { parseJson } from "../parseJson.ts"
import { readTextFile } from "../textFile.ts"

/** A data release: its folder, the file of pairs, and the names of all files, relative to the folder with `/`. */
export interface Release {
  readonly folder: string
  readonly pairs: string
  readonly names: ReadonlyArray<string>
}

/** The value of a JSON file as it stands there, texts not cleaned. */
export const readJsonFile = Effect.fn("readJsonFile")(function* (
  file: string,
  what: string
): Effect.fn.Return<unknown, InputError, FileSystem.FileSystem> {
  const parsed = parseJson(yield* readTextFile(file, what))
  return Result.isSuccess(parsed) ? parsed.success : yield* inputError({ ...parsed.failure, file })
})

/** The release of its folder, or of its file of pairs (the file alone is one without transcripts and judgements). */
export const findRelease = Effect.fn("findRelease")(function* (
  source: string
): Effect.fn.Return<Release, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = Effect.mapError((error: Parameters<typeof fileProblem>[2]) =>
    inputError(fileProblem(source, "the OmissionBench release", error))
  )
  const isFolder = (yield* fs.stat(source).pipe(failed)).type === "Directory"
  const parent = path.dirname(path.resolve(source))
  const folder = isFolder ? source : path.basename(parent) === "pairs" ? path.dirname(parent) : parent
  const list = (yield* fs.readDirectory(folder, { recursive: true }).pipe(failed)).map((name) =>
    name.split(path.sep).join("/")
  )
  const names = list.sort()
  if (!isFolder) return { folder, pairs: path.relative(folder, path.resolve(source)).split(path.sep).join("/"), names }
  const pairs = names.filter((name) => /^pairs\/[^/]+\.json$/.test(name))
  const chosen = pairs.find((name) => name === "pairs/dataset_v2.json") ?? (pairs.length === 1 ? pairs[0] : undefined)
  if (chosen !== undefined) return { folder, pairs: chosen, names }
  return yield* inputError({
    file: path.join(source, "pairs", "dataset_v2.json"),
    what: "the file of pairs is not there",
    hint: pairs.length > 1 ? `Name one of ${pairs.join(", ")} as the source` : "Name the release's folder"
  })
})
