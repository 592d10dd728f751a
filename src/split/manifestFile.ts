import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseJson } from "../dataset/parseJson.ts"
import { readTextFile } from "../dataset/textFile.ts"
import { InputError, inputError } from "../domain/InputError.ts"
import { SplitManifest } from "../domain/Split.ts"
import { schemaProblems } from "../domain/schemaProblems.ts"

const decode = Schema.decodeUnknownResult(SplitManifest, { errors: "all", onExcessProperty: "error" })

/** Reads a split manifest. That it is well-formed does not mean that it holds: see `verifySplit`. */
export const readManifest = Effect.fn("readManifest")(function* (
  file: string
): Effect.fn.Return<SplitManifest, InputError, FileSystem.FileSystem> {
  const text = yield* readTextFile(file, "the split manifest")
  const parsed = parseJson(text)
  if (Result.isFailure(parsed)) return yield* inputError({ ...parsed.failure, file, expected: "a split manifest" })
  const document = parsed.success
  const decoded = decode(document)
  if (Result.isSuccess(decoded)) return decoded.success
  return yield* new InputError({
    problems: schemaProblems(decoded.failure.issue, document, SplitManifest.ast).map(({ problem }) => ({
      ...problem,
      file
    }))
  })
})

export const manifestText = (manifest: SplitManifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`

/** Where the manifest's dataset is, absolute. */
export const datasetOf = Effect.fn("datasetOf")(function* (
  file: string,
  manifest: SplitManifest
): Effect.fn.Return<string, never, Path.Path> {
  const path = yield* Path.Path
  return path.resolve(path.dirname(file), manifest.dataset.path)
})
