import { finished } from "node:stream"
import { CsvError, parse } from "csv-parse"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import { type InputError, type Problem, showValue } from "../domain/InputError.ts"
import { fileBytes } from "./regularFile.ts"
import { type ScoreColumn, type ScoreRow, type ScoreTablesBuilder, scoreColumns } from "./scoresTable.ts"
import { isAbsent, missingColumns, tooLargeScore, unusedColumns, verdictHint } from "./scoresTableColumns.ts"
import { Utf8Chunks } from "./scoresTableText.ts"

const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** What a spreadsheet would evaluate. */
const formula = /^[=+\-@]/

const hintOf = (text: string): { readonly hint?: string } => {
  const hint = /^[+-]?\d+,\d+$/.test(text) ? "Write decimals with a point" : verdictHint(text)
  return hint === undefined ? {} : { hint }
}

const scoreCell = (cell: string): number | Problem => {
  const text = cell.trim()
  if (text === "" || isAbsent(text)) return Number.NaN
  if (numeral.test(text) && Number.isFinite(Number(text))) return tooLargeScore(Number(text)) ?? Number(text)
  return {
    what: formula.test(text) ? "the score is a formula, which is not evaluated" : "the score is no number",
    found: showValue(cell),
    expected: "a number, or an empty cell (or NA) for a judgement that could not be read",
    ...hintOf(text)
  }
}

/** The row of a record of the table's body, or what is wrong with it. */
const rowOf = (header: ReadonlyArray<string>, cells: ReadonlyArray<string>): ScoreRow | Problem => {
  if (cells.length !== header.length) {
    return {
      what: "the row has not as many cells as the header",
      found: `${cells.length}`,
      expected: `${header.length}`
    }
  }
  const fields: Partial<Record<ScoreColumn, string>> = {}
  let score: number | Problem = Number.NaN
  for (const name of scoreColumns) {
    const cell = cells[header.indexOf(name)]
    if (cell === undefined) continue
    if (name === "score") score = scoreCell(cell)
    else if (formula.test(cell) && !numeral.test(cell)) {
      return {
        field: name,
        what: "the cell is a formula, which is not evaluated",
        found: showValue(cell),
        expected: "plain text",
        hint: "Save the table as values; an id that begins so can be given in JSONL"
      }
    } else fields[name] = cell
  }
  return typeof score === "number" ? ({ ...fields, score } as ScoreRow) : { field: "score", ...score }
}

const delimiters = [",", ";", "\t"] as const

/** What stands between the cells of a table, by its header: that which gives the most of the columns looked for. */
const delimiterOf = (head: string): string => {
  const names = (delimiter: string) => head.split(delimiter).map((name) => name.trim().replace(/^\ufeff?"?|"$/g, ""))
  const known = (delimiter: string) =>
    names(delimiter).filter((name) => scoreColumns.some((one) => one === name)).length
  return delimiters.reduce<string>((best, one) => (known(one) > known(best) ? one : best), ",")
}

/**
 * Adds the rows of a CSV table by RFC 4180 (with semicolons or tabs between the cells where the header has them), line breaks within cells included. Columns go
 * by name. The line that a message names is the one on which the row begins.
 */
export const addCsv = Effect.fn("addCsv")(function* (
  builder: ScoreTablesBuilder,
  file: number,
  path: string
): Effect.fn.Return<ReadonlyArray<Problem>, InputError, FileSystem.FileSystem> {
  let header: ReadonlyArray<string> | undefined
  let nextLine = 1
  let stopped: Problem | undefined
  const record = (cells: ReadonlyArray<string>, line: number) => {
    if (cells.every((cell) => cell.trim() === "")) return
    if (header !== undefined) {
      const row = rowOf(header, cells)
      if ("what" in row) builder.problem(file, line, row)
      else builder.add(file, line, row)
      return
    }
    header = cells.map((name) => name.trim())
    const twice = header.filter((name, at) => name !== "" && header!.indexOf(name) !== at)
    for (const name of new Set(twice))
      builder.problem(file, line, { what: `the header has the column ${showValue(name)} twice` })
    const missing = missingColumns(header)
    for (const problem of missing) builder.problem(file, line, problem)
    // Rows of a table without its columns would only repeat it.
    if (missing.length > 0) stopped = { what: "no header" }
  }
  const open = (head: string) => {
    const parser = parse({
      bom: true,
      delimiter: delimiterOf(head),
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      max_record_size: 256 * 1024 * 1024,
      on_record: (cells: ReadonlyArray<string>, info: { readonly lines: number }) => {
        if (stopped === undefined && !builder.full) record(cells, nextLine)
        nextLine = info.lines + 1
        return null
      }
    })
    parser.on("error", fail)
    parser.resume()
    return parser
  }
  let parser: ReturnType<typeof open> | undefined
  /** What went wrong with the rows after they were read, which is nothing of the file's. */
  let defect: Error | undefined
  const fail = (error: Error & { readonly code?: string | undefined }) => {
    if (!(error instanceof CsvError)) defect ??= error
    if (stopped !== undefined) return
    stopped = {
      line: nextLine,
      what:
        error.code === "CSV_QUOTE_NOT_CLOSED"
          ? "a quote is opened in this row and never closed"
          : `the row is not CSV: ${error.message.replace(/ at line \d+/, "").replace(/, value is [\s\S]*$/, "")}`,
      expected: "cells that hold a quote, a line break or the separator put in double quotes, their own quotes doubled"
    }
    builder.problem(file, stopped.line, stopped)
  }
  /** What comes before the header's end, which may be in a later chunk. */
  let head = ""
  const write = (text: string) => {
    if (parser === undefined) {
      head += text
      if (!/\S[^\n]*\n/.test(head)) return
      parser = open(head.trimStart().split("\n", 1)[0]!)
      parser.write(head)
    } else parser.write(text)
  }
  const chunks = new Utf8Chunks()
  const take = (chunk: Uint8Array | undefined) => {
    if (stopped !== undefined) return
    const text = chunks.decode(chunk)
    if (typeof text !== "string") {
      stopped = text
      builder.problem(file, text.line, text)
    } else if (text.includes("\u0000")) {
      stopped = {
        line: nextLine,
        what: "holds a NUL character",
        hint: "The file looks like UTF-16 or is no text: save it as UTF-8"
      }
      builder.problem(file, nextLine, stopped)
    } else if (text !== "") write(text)
  }
  yield* fileBytes(path, "the table of scores", 1 << 16).pipe(
    Stream.takeWhile(() => stopped === undefined && !builder.full),
    Stream.runForEachArray((all) => Effect.sync(() => all.forEach(take)))
  )
  take(undefined)
  // A table that is a header alone need not end its line.
  if (parser === undefined && head !== "") {
    parser = open(head.trim())
    parser.write(head)
  }
  const reader = parser
  if (stopped === undefined && reader !== undefined) {
    yield* Effect.callback<void>((resume) => {
      // The event of an error may come later than the end.
      finished(reader, { readable: false }, (error) => {
        if (error) fail(error)
        resume(Effect.void)
      })
      reader.end()
    })
  }
  reader?.destroy()
  if (defect !== undefined) return yield* Effect.die(defect)
  if (header === undefined && stopped === undefined) {
    builder.problem(file, undefined, { what: "the table of scores is empty", expected: "a header and rows" })
  }
  return header === undefined ? [] : unusedColumns(header.filter((name) => name !== ""))
})
