import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { InputError, inputError, type Problem } from "../domain/InputError.ts"
import { type ScoreTables, ScoreTablesBuilder } from "./scoresTable.ts"
import { addCsv } from "./scoresTableCsv.ts"
import { addJsonl } from "./scoresTableJsonl.ts"
import { addOmissionBench } from "./scoresTableOmissionBench.ts"

/**
 * Reads tables of scores together: CSV (`.csv`, `.tsv`), JSONL, or the JSON of omission-bench's published campaign
 * (`.json`), each streamed, so that memory grows with the notes and not with the files. Fails with everything that is
 * wrong with them, each with its row.
 */
export const readScoreTables = Effect.fn("readScoreTables")(function* (
  files: ReadonlyArray<string>,
  options: { readonly pairs: "needed" | "optional" } = { pairs: "needed" }
): Effect.fn.Return<ScoreTables, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  // A file that is not there is the reader's to report.
  const places = yield* Effect.forEach(files, (file) =>
    Effect.orElseSucceed(fs.realPath(file), () => path.resolve(file))
  )
  const twice = places.findIndex((place, at) => places.indexOf(place) < at)
  if (twice !== -1) {
    return yield* inputError({
      file: files[twice]!,
      what: "the same file twice",
      hint: "Name each table once"
    })
  }
  const builder = new ScoreTablesBuilder()
  const warnings: Array<Problem> = []
  const stems = files.map((file) => path.parse(file).name)
  for (const [at, file] of files.entries()) {
    const stem = stems[at]!
    // Two tables of one name are told apart by their paths.
    const number = builder.file(file, stems.filter((other) => other === stem).length > 1 ? file : stem)
    const extension = path.extname(file).toLowerCase()
    const add =
      extension === ".csv" || extension === ".tsv" ? addCsv : extension === ".json" ? addOmissionBench : addJsonl
    warnings.push(...(yield* add(builder, number, file)).map((warning) => ({ file, ...warning })))
  }
  const tables = builder.finish(options.pairs)
  if (tables === undefined) return yield* new InputError({ problems: builder.problems })
  return { ...tables, warnings: [...warnings, ...tables.warnings] }
})
