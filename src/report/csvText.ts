import { csvCell } from "../domain/csvCell.ts"
import { plain } from "../domain/plain.ts"

export type CsvCell = string | number | boolean | null | undefined

/** A cell: quoted where it must be, and never read as a formula by a spreadsheet. */
const cellText = (value: CsvCell): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return String(value)
  const text = plain(value)
  return csvCell(/^[=+\-@\t]/.test(text) ? `'${text}` : text)
}

/** Rows for a spreadsheet, the headings first: what is left out is an empty cell, short rows are filled up. */
export const csvText = (rows: ReadonlyArray<ReadonlyArray<CsvCell>>): string =>
  rows
    .map((row) => Array.from({ length: rows[0]!.length }, (_, at) => cellText(row[at])).join(","))
    .map((line) => `${line}\n`)
    .join("")
