import { csvCell } from "../../domain/csvCell.ts"
import { scoreColumns } from "../scoresTable.ts"
import type { ScoreRow } from "./Importer.ts"

const columns = scoreColumns satisfies ReadonlyArray<keyof ScoreRow>

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
