import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { type InputError, type Problem, showValue } from "../domain/InputError.ts"
import { numberText, parseJson } from "./parseJson.ts"
import { fileBytes } from "./regularFile.ts"
import { type ScoreColumn, type ScoreRow, type ScoreTablesBuilder, scoreColumns } from "./scoresTable.ts"
import { isAbsent, missingColumns, tooLargeScore, unusedColumns, verdictHint } from "./scoresTableColumns.ts"
import { Utf8Chunks } from "./scoresTableText.ts"

/** A text, a number written as one, or nothing. */
const textField = (value: unknown): string | undefined | Problem => {
  if (value === undefined || typeof value === "string") return value
  if (value === null) return ""
  if (typeof value === "number") return numberText(value)
  return { what: "is no text", found: showValue(value), expected: "a text or a number" }
}

const scoreField = (value: unknown): number | Problem => {
  if (value === null || (typeof value === "string" && isAbsent(value))) return Number.NaN
  if (typeof value === "number" && Number.isFinite(value)) return tooLargeScore(value) ?? value
  const verdict = verdictHint(value)
  return {
    what: "the score is no number",
    found: showValue(value),
    expected: "a number, or null for a judgement that could not be read",
    ...(typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
      ? { hint: "Write it without quotes" }
      : verdict === undefined
        ? {}
        : { hint: verdict })
  }
}

/** As long as a text can be made of a line without trouble. */
const mostCharacters = 256 * 1024 * 1024

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
  const takeLine = (text: string, line: number) => {
    const parsed = parseJson(text)
    if (Result.isFailure(parsed)) {
      const found = noNumber.exec(text)?.[1]
      builder.problem(
        file,
        line,
        found === undefined
          ? {
              ...parsed.failure,
              line,
              expected: 'one JSON object a line, such as {"consultation": …, "note": …, "score": 7}'
            }
          : {
              what: `the row holds ${found}, which is no score`,
              expected: "a number, or null for a judgement that could not be read"
            }
      )
      return
    }
    const row = rowOf(parsed.success)
    if (!("score" in row)) {
      for (const problem of row as ReadonlyArray<Problem>) builder.problem(file, line, problem)
      return
    }
    for (const name in parsed.success as object) names.add(name)
    builder.add(file, line, row)
  }
  const chunks = new Utf8Chunks()
  let stopped = false
  let open = ""
  let line = 0
  const endLine = (text: string) => {
    line++
    if (text.trim() !== "") takeLine(text, line)
  }
  const take = (chunk: Uint8Array | undefined): void => {
    if (stopped) return
    const text = chunks.decode(chunk)
    if (typeof text !== "string") {
      stopped = true
      builder.problem(file, text.line, text)
      return
    }
    let from = 0
    for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
      endLine(open + text.slice(from, to))
      open = ""
      from = to + 1
      if (builder.full) {
        stopped = true
        return
      }
    }
    open += text.slice(from)
    if (open.length > mostCharacters) {
      stopped = true
      builder.problem(file, line + 1, { what: "the line is longer than 256 MiB", expected: "one object a line" })
    }
  }
  yield* fileBytes(path, "the table of scores", 1 << 16).pipe(
    // An endless line has to end the reading, not only what is made of it.
    Stream.takeWhile(() => !stopped),
    Stream.runForEachArray((all) => Effect.sync(() => all.forEach(take)))
  )
  take(undefined)
  if (!stopped && open !== "") endLine(open)
  return unusedColumns([...names])
})
