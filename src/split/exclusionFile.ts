import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseJson } from "../dataset/parseJson.ts"
import { readTextFile } from "../dataset/textFile.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { InputError, inputError } from "../domain/InputError.ts"
import { schemaProblems } from "../domain/schemaProblems.ts"
import { type Exclusions, pairId } from "./exclusions.ts"
import { readManifest } from "./manifestFile.ts"

const ExclusionList = Schema.Struct({
  consultations: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  pairs: Schema.optionalKey(Schema.Array(Schema.NonEmptyString))
})
const decode = Schema.decodeUnknownResult(ExclusionList, { errors: "all", onExcessProperty: "error" })

/**
 * What a file excludes: a JSON object with `consultations` and `pairs`; an earlier split manifest, of which all that
 * optimisation may have seen is excluded (train, acceptance and its own exclusions, as far as the dataset has them);
 * or plain text with one consultation id a line, `#` beginning a comment.
 */
export const readExclusions = Effect.fn("readExclusions")(function* (
  file: string,
  consultations: Iterable<Consultation>
): Effect.fn.Return<Exclusions, InputError, FileSystem.FileSystem> {
  const text = yield* readTextFile(file, "the exclusion list")
  if (!text.trimStart().startsWith("{")) {
    const ids = text.split("\n").map((line) => line.trim())
    return { consultations: ids.filter((line) => line !== "" && !line.startsWith("#")), pairs: [] }
  }
  const parsed = parseJson(text)
  if (Result.isFailure(parsed)) return yield* inputError({ ...parsed.failure, file })
  const document = parsed.success
  if (typeof document === "object" && document !== null && "format" in document) {
    const manifest = yield* readManifest(file)
    const ids = new Set<string>()
    const pairs = new Set<string>()
    for (const one of consultations) {
      ids.add(one.id)
      for (const pair of one.pairs) pairs.add(pairId(one, pair))
    }
    const seen = [...manifest.train, ...manifest.acceptance, ...manifest.exclusions.consultations].filter((id) =>
      ids.has(id)
    )
    const seenPairs = manifest.exclusions.pairs.filter((id) => pairs.has(id))
    if (seen.length + seenPairs.length === 0) {
      return yield* inputError({
        file,
        what: "the split to exclude has no consultation of this dataset",
        hint: "Ids must be those of the dataset"
      })
    }
    return { consultations: seen, pairs: seenPairs }
  }
  const decoded = decode(document)
  if (Result.isFailure(decoded)) {
    return yield* new InputError({
      problems: schemaProblems(decoded.failure.issue, document, ExclusionList.ast).map(({ problem }) => ({
        ...problem,
        file
      }))
    })
  }
  return { consultations: decoded.success.consultations ?? [], pairs: decoded.success.pairs ?? [] }
})
