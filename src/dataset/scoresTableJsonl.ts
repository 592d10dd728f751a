import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { type InputError, type Problem, showValue } from "../domain/InputError.ts"
import { parseJson } from "./parseJson.ts"
import { type ScoreColumn, type ScoreRow, type ScoreTablesBuilder, scoreColumns } from "./scoresTable.ts"
import { missingColumns, unusedColumns } from "./scoresTableColumns.ts"
import { readLines } from "./textFile.ts"

/** A text, a number written as one, or nothing. */
const textField = (value: unknown): string | undefined | Problem => {
  if (value === undefined || typeof value === "string") return value
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  return { what: "is no text", found: showValue(value), expected: "a text or a number" }
}

const scoreField = (value: unknown): number | Problem => {
  if (value === null) return Number.NaN
  if (typeof value === "number" && Number.isFinite(value)) return value
  return {
    what: "the score is no number",
    found: showValue(value),
    expected: "a number, or null for a judgement that could not be read",
    ...(typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
      ? { hint: "Write it without quotes" }
      : {})
  }
}

const isProblem = (value: string | undefined | Problem): value is Problem => typeof value === "object"

/** The row of a JSON value, or everything that is wrong with it. */
const rowOf = (value: unknown): ScoreRow | ReadonlyArray<Problem> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ what: "is no row", found: showValue(value), expected: "a JSON object on the line" }]
  }
  const record = value as Readonly<Record<string, unknown>>
  const problems: Array<Problem> = [...missingColumns(Object.keys(record))]
  const fields: Partial<Record<ScoreColumn, string>> = {}
  for (const name of scoreColumns) {
    if (name === "score") continue
    const field = textField(record[name])
    if (isProblem(field)) problems.push({ field: name, ...field })
    else if (field !== undefined) fields[name] = field
  }
  const score = record["score"] === undefined ? Number.NaN : scoreField(record["score"])
  if (typeof score !== "number") problems.push({ field: "score", ...score })
  if (problems.length > 0) return problems
  return { ...fields, score } as ScoreRow
}

/** Python and others write numbers that JSON does not have. */
const noNumber = /:\s*-?(NaN|Infinity)\b/

/** Adds the rows of a JSONL table, one object a line. Gives back what is odd about it. */
export const addJsonl = Effect.fn("addJsonl")(function* (
  builder: ScoreTablesBuilder,
  file: number,
  path: string
): Effect.fn.Return<ReadonlyArray<Problem>, InputError, FileSystem.FileSystem> {
  const names = new Set<string>()
  yield* readLines(path, "the table of scores", (line) => {
    if ("problem" in line) return builder.problem(file, line.number, line.problem)
    const parsed = parseJson(line.text)
    if (Result.isFailure(parsed)) {
      const found = noNumber.exec(line.text)?.[1]
      return builder.problem(
        file,
        line.number,
        found === undefined
          ? {
              ...parsed.failure,
              line: line.number,
              expected: 'one JSON object a line, such as {"consultation": …, "note": …, "score": 7}'
            }
          : {
              what: `the row holds ${found}, which is no score`,
              expected: "a number, or null for a judgement that could not be read"
            }
      )
    }
    const row = rowOf(parsed.success)
    if (!("score" in row)) {
      for (const problem of row as ReadonlyArray<Problem>) builder.problem(file, line.number, problem)
      return
    }
    for (const name in parsed.success as object) names.add(name)
    builder.add(file, line.number, row)
  })
  return unusedColumns([...names])
})
