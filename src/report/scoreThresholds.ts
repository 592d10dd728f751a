import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseJson } from "../dataset/parseJson.ts"
import { readTextFile } from "../dataset/textFile.ts"
import { type InputError, inputError } from "../domain/InputError.ts"

const Report = Schema.Struct({
  format: Schema.Literal("assize-score/1"),
  judges: Schema.Array(
    Schema.Struct({
      judge: Schema.String,
      figures: Schema.Struct({ operating: Schema.NullOr(Schema.Struct({ threshold: Schema.Finite })) })
    })
  )
})

const decode = Schema.decodeUnknownResult(Report)

/** The judges' thresholds out of an earlier `score --json`: of the first replicate of each; judges without one are left out. */
export const readThresholds = Effect.fn("readThresholds")(function* (
  file: string
): Effect.fn.Return<ReadonlyMap<string, number>, InputError, FileSystem.FileSystem> {
  const parsed = parseJson(yield* readTextFile(file, "the file of thresholds"))
  const decoded = decode(Result.isFailure(parsed) ? undefined : parsed.success)
  if (Result.isFailure(decoded)) {
    return yield* inputError({
      file,
      what: "is no result of assize score --json",
      hint: "Write one with: assize score … --json > thresholds.json, on other notes than those to be scored"
    })
  }
  return new Map(
    decoded.success.judges.flatMap(({ figures: { operating }, judge }) =>
      operating === null ? [] : [[judge, operating.threshold] as const]
    )
  )
})
