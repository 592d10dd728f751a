import { finished } from "node:stream"
import { CsvError, parse } from "csv-parse"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import { InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { nearest } from "../../domain/nearest.ts"
import { RowSpool, type Rows } from "../rowSpool.ts"
import { readLines } from "../textFile.ts"

/** The cells of a row by column name. Columns that were asked for are there in every row; others where the file has them. */
export type Cells<Column extends string> = Readonly<Record<Column, string>> & Readonly<Record<string, string>>

export interface CsvRow<Column extends string = string> {
  /** 1-based, the header not counted; blank rows are. */
  readonly row: number
  /** The line of the file on which the row begins, 1-based. */
  readonly line: number
  readonly cells: Cells<Column>
}

export interface CsvTable<Column extends string = string> {
  /** As it was asked for. */
  readonly file: string
  /** In the file's order, trimmed. A column without a name is `(column 3)`. */
  readonly header: ReadonlyArray<string>
  /** Without those of which every cell is blank. */
  readonly rows: ReadonlyArray<CsvRow<Column>>
  /** The numbers of the rows of which every cell is blank, empty lines between rows included. */
  readonly blankRows: ReadonlyArray<number>
  /** Columns that were asked for and are not there; of such a table, no rows are read. */
  readonly missing: ReadonlyArray<string>
}

interface RawRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

const batchLength = 1 << 16

/**
 * Hands over all records, the header and blank ones too, as they are read; an empty line is a record of one empty cell.
 * Fails at the first thing that is no UTF-8, no CSV, or another layout.
 */
const eachRecord = Effect.fn("eachRecord")(function* (
  file: string,
  what: string,
  delimiter: string,
  onRecord: (record: RawRow) => void
): Effect.fn.Return<void, InputError, FileSystem.FileSystem> {
  let nextLine = 1
  let problem: Problem | undefined
  /** What went wrong with the rows after they were read, which is nothing of the file's. */
  let defect: Error | undefined
  const parser = parse({
    delimiter,
    record_delimiter: "\n",
    relax_column_count: true,
    on_record: (cells: ReadonlyArray<string>, info) => {
      onRecord({ line: nextLine, cells })
      nextLine = info.lines + 1
      return null
    }
  })
  const fail = (error: Error) => {
    if (!(error instanceof CsvError)) defect ??= error
    const unclosed = "code" in error && error.code === "CSV_QUOTE_NOT_CLOSED"
    problem ??= {
      line: nextLine,
      what: unclosed
        ? "a quote is opened in this row and never closed"
        : `the row is not CSV: ${error.message.replace(/ at line \d+/, "").replace(/, value is [\s\S]*$/, "")}`,
      expected: "cells that hold a quote, a line break or the separator put in double quotes, their own quotes doubled"
    }
  }
  parser.on("error", fail)
  parser.resume()
  let batch = ""
  let lines = 0
  const write = () => {
    if (problem === undefined) parser.write(batch)
    batch = ""
  }
  yield* readLines(
    file,
    what,
    (line) => {
      if (problem !== undefined) return
      if ("problem" in line) {
        problem = line.problem
        return
      }
      if (lines++ === 0) problem = layoutProblem(line.text, delimiter)
      batch += `${line.text}\n`
      if (batch.length > batchLength) write()
    },
    { blanks: true }
  )
  if (problem === undefined) {
    write()
    yield* Effect.callback<void>((resume) => {
      // The event of an error may come later than the end.
      finished(parser, { readable: false }, (error) => {
        if (error) fail(error)
        resume(Effect.void)
      })
      parser.end()
    })
  }
  parser.destroy()
  if (defect !== undefined) return yield* Effect.die(defect)
  if (problem !== undefined) return yield* inputError({ ...problem, file })
})

const separators = [",", ";", "\t", "|"]
const nameOf = (separator: string): string => (separator === "\t" ? "a tab" : showValue(separator))

/** What spreadsheet programs do to a table that no reader of CSV expects; seen before it is parsed. */
const layoutProblem = (line: string, delimiter: string): Problem | undefined => {
  const first = line.trim()
  if (first.includes("\r"))
    return {
      line: 1,
      what: "the lines end in CR alone, as on old Macs",
      expected: "LF or CRLF",
      hint: "Save the table with the line ends of Windows or Unix"
    }
  const announced = /^"?sep=(.)"?$/i.exec(first)?.[1]
  if (announced !== undefined)
    return {
      line: 1,
      what: `the first line, ${showValue(first)}, is no header but a spreadsheet program's note on its separator`,
      hint: `Take the line out${announced === delimiter ? "" : `; ${nameOf(announced)} between cells is what --delimiter says (format csv)`}`
    }
  if (first.includes(delimiter) || first.startsWith('"')) return undefined
  const other = separators.find((one) => one !== delimiter && first.split(one).length > 2)
  return other === undefined
    ? undefined
    : {
        line: 1,
        what: `the header has no ${nameOf(delimiter)} between its cells`,
        found: showValue(first, 200),
        hint: `The cells seem to be separated by ${nameOf(other)}: save the table with ${nameOf(delimiter)}, or for the format csv give --delimiter ${showValue(other)}`
      }
}

const headerProblems = (
  header: ReadonlyArray<string>,
  required: ReadonlyArray<string>,
  line: number
): ReadonlyArray<Problem> => {
  const twice = [...new Set(header.filter((name, at) => header.indexOf(name) !== at))]
  const lower = new Map(header.map((name) => [name.toLowerCase(), name]))
  return [
    ...twice.map((name) => ({
      line,
      what: `the header has the column ${showValue(name)} ${header.filter((one) => one === name).length} times`,
      expected: "a name of its own for every column"
    })),
    ...required
      .filter((name) => !header.includes(name))
      .map((name) => {
        const close = lower.get(name.toLowerCase()) ?? nearest(name, header)
        return {
          line,
          what: `the header has no column ${showValue(name)}`,
          found: showValue(header.join(", "), 200),
          ...(close === undefined ? {} : { hint: `Did you mean ${showValue(close)}?` })
        }
      })
  ]
}

interface CsvOptions<Column extends string> {
  readonly columns?: ReadonlyArray<Column>
  /** A comma unless given. */
  readonly delimiter?: string
  /** A table without the columns is no error: it has no rows then, and says what is missing. */
  readonly mayLack?: boolean
}

/**
 * Hands over the rows of a CSV file by RFC 4180 one after the other: UTF-8 with or without byte order mark, Windows or
 * Unix line ends, cells over several lines (their line ends as line feeds). Cells are text as they stand: neither trimmed
 * nor evaluated. Columns go by name, so their order does not matter. Fails with all of: a column of `columns` that is
 * missing, a name used twice, and every row with more or fewer cells than the header; at the first text that is no UTF-8
 * or no CSV. The rows handed over before it fails are no part of a table.
 */
export const eachCsvRow = Effect.fn("eachCsvRow")(function* <const Column extends string = never>(
  file: string,
  what: string,
  options: CsvOptions<Column>,
  onRow: (row: CsvRow<Column>) => void
): Effect.fn.Return<Omit<CsvTable<Column>, "rows">, InputError, FileSystem.FileSystem> {
  let header: ReadonlyArray<string> | undefined
  let missing: ReadonlyArray<string> = []
  let row = 0
  const problems: Array<Problem> = []
  const blankRows: Array<number> = []
  const isLeftOut = () => options.mayLack === true && missing.length > 0
  yield* eachRecord(file, what, options.delimiter ?? ",", (record) => {
    const isBlank = record.cells.every((cell) => cell.trim() === "")
    if (header === undefined) {
      if (isBlank) return
      header = record.cells.map((name, at) => (name.trim() === "" ? `(column ${at + 1})` : name.trim()))
      missing = (options.columns ?? []).filter((name) => !header!.includes(name))
      if (!isLeftOut()) problems.push(...headerProblems(header, options.columns ?? [], record.line))
      return
    }
    if (isLeftOut()) return
    row++
    if (isBlank) blankRows.push(row)
    else if (record.cells.length !== header.length) {
      problems.push({
        line: record.line,
        what: `row ${row} has not as many cells as the header`,
        found: `${record.cells.length}`,
        expected: `${header.length}`
      })
    } else {
      const cells = Object.fromEntries(header.map((name, column) => [name, record.cells[column]!])) as Cells<Column>
      onRow({ row, line: record.line, cells })
    }
  })
  if (header === undefined) return yield* inputError({ file, what: `${what} is empty`, expected: "a header and rows" })
  if (problems.length > 0) return yield* new InputError({ problems: problems.map((problem) => ({ ...problem, file })) })
  return { file, header, blankRows, missing }
})

/** The rows of `eachCsvRow`, all together. */
export const readCsv = Effect.fn("readCsv")(function* <const Column extends string = never>(
  file: string,
  what: string,
  options: CsvOptions<Column> = {}
): Effect.fn.Return<CsvTable<Column>, InputError, FileSystem.FileSystem> {
  const rows: Array<CsvRow<Column>> = []
  const table = yield* eachCsvRow(file, what, options, (row) => {
    rows.push(row)
  })
  return { ...table, rows }
})

/** A table whose rows are not held in memory as a whole. */
export type SpooledTable<Column extends string = string> = Omit<CsvTable<Column>, "rows"> & {
  readonly rows: Rows<CsvRow<Column>>
}

/** The rows of `eachCsvRow`, laid down to be read as often as they are needed. */
export const spoolCsv = Effect.fn("spoolCsv")(function* <const Column extends string = never>(
  file: string,
  what: string,
  options: CsvOptions<Column> = {}
): Effect.fn.Return<SpooledTable<Column>, InputError, FileSystem.FileSystem> {
  const rows = new RowSpool<CsvRow<Column>>()
  const table = yield* eachCsvRow(file, what, options, (row) => {
    rows.add(row)
  })
  return { ...table, rows }
})
