import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InputError, type Problem } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { cleanTexts, halfCharacter, parseJson } from "../parseJson.ts"
import { readLines } from "../textFile.ts"

/** A row of a JSONL source with the line it stands on (1-based). */
export interface Row<A> {
  readonly row: number
  readonly value: A
}

/**
 * Hands over the rows of a JSONL source one after the other, fields that the schema does not name left aside. Fails with
 * every row that is not JSON or lacks what the schema asks for: an importer must not guess. The rows handed over before
 * it fails are no part of a source. Gives their number.
 */
export const eachJsonRow = Effect.fn("eachJsonRow")(function* <A>(
  file: string,
  what: string,
  schema: Schema.Codec<A, unknown>,
  onRow: (row: Row<A>) => void
): Effect.fn.Return<number, InputError, FileSystem.FileSystem> {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  let rows = 0
  const problems: Array<Problem> = []
  yield* readLines(file, what, (line) => {
    if ("problem" in line) {
      problems.push(line.problem)
      return
    }
    const parsed = parseJson(line.text)
    if (Result.isFailure(parsed)) {
      problems.push({ ...parsed.failure, file, line: line.number })
      return
    }
    const cleaned = cleanTexts(parsed.success)
    const half = halfCharacter(cleaned)
    if (half !== undefined) {
      problems.push({ ...half, file, line: line.number })
      return
    }
    const document = cleaned.value
    const decoded = decode(document)
    if (Result.isSuccess(decoded)) {
      rows += 1
      onRow({ row: line.number, value: decoded.success })
    } else {
      problems.push(
        ...schemaProblems(decoded.failure.issue, document, schema.ast).map(({ problem }) => ({
          ...problem,
          file,
          line: line.number
        }))
      )
    }
  })
  if (problems.length > 0) return yield* new InputError({ problems })
  return rows
})

/** The rows of `eachJsonRow`, all together. */
export const readJsonRows = Effect.fn("readJsonRows")(function* <A>(
  file: string,
  what: string,
  schema: Schema.Codec<A, unknown>
): Effect.fn.Return<ReadonlyArray<Row<A>>, InputError, FileSystem.FileSystem> {
  const rows: Array<Row<A>> = []
  yield* eachJsonRow(file, what, schema, (row) => {
    rows.push(row)
  })
  return rows
})
