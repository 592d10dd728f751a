import { csvCell } from "../../domain/csvCell.ts"
import { type Problem, showValue } from "../../domain/InputError.ts"
import { plain } from "../../domain/plain.ts"
import { scoreColumns } from "../scoresTable.ts"
import type { ScoreRow } from "./Importer.ts"

const columns = scoreColumns satisfies ReadonlyArray<keyof ScoreRow>

/** What a spreadsheet would evaluate, and the reader of a table of scores therefore refuses. */
const formula = /^[=+\-@\t\r]/

/** What of a row is text from outside. */
export const textsOfRow = ({ clean, consultation, judge, note, stratum }: ScoreRow): ReadonlyArray<string> =>
  [consultation, note, clean, stratum, judge].filter((text) => text !== undefined)

/** Why a name cannot be carried by CSV so that it is read again; undefined where all can. */
export const notForCsv = (texts: ReadonlyArray<string>): Problem | undefined => {
  const evaluated = texts.find((text) => formula.test(text))
  const changed = texts.find((text) => plain(text) !== text)
  const why =
    evaluated !== undefined
      ? `${showValue(evaluated)} would be read as a formula in CSV`
      : changed !== undefined
        ? `${showValue(changed)} holds control characters, which are not written to CSV`
        : undefined
  return why === undefined ? undefined : { what: why, hint: "Name the file *.jsonl" }
}

/** The rows as CSV: a header, every column, nothing where a value is absent. */
export const scoreCsv = (rows: ReadonlyArray<ScoreRow>): string =>
  [columns.join(","), ...rows.map((row) => columns.map((column) => csvCell(String(row[column] ?? ""))).join(","))]
    .map((line) => `${line}\n`)
    .join("")

/** The rows as JSON, one a line: labels that are absent are left away, a score that is absent is null. */
export const scoreJsonl = (rows: ReadonlyArray<ScoreRow>): string =>
  rows
    .map((row) =>
      Object.fromEntries(columns.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))
    )
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("")
