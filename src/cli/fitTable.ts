import { type Cell, columns, fit, plain, table } from "./output.ts"

const gap = 2
/** Of a terminal's width, what the columns that say what a row is of may take. */
const keyShare = 0.45
const leastKey = 8

const textOf = (cell: Cell): string => plain(String(cell ?? "")).replace(/\s+/g, " ")

/**
 * A table for a terminal of so many columns: where it is wider, one table under the other, each with the first `keys`
 * columns. No width, as for a pipe, is no limit.
 */
export const fitTable = (rows: ReadonlyArray<ReadonlyArray<Cell>>, keys: number, width: number | undefined): string => {
  const whole = table(rows)
  if (width === undefined || whole.split("\n").every((line) => columns(line) <= width)) return whole
  const count = Math.max(...rows.map((row) => row.length))
  const widthOf = (at: number) => Math.max(...rows.map((row) => columns(textOf(row[at]))))
  const keyLimit = Math.max(leastKey, Math.floor((width * keyShare) / keys) - gap)
  const keyWidths = Array.from({ length: keys }, (_, at) => Math.min(widthOf(at), keyLimit))
  const room = Math.max(leastKey, width - keyWidths.reduce((sum, one) => sum + one + gap, 0))
  const groups: Array<Array<number>> = []
  let used = Number.POSITIVE_INFINITY
  for (let at = keys; at < count; at++) {
    const own = Math.min(widthOf(at), room)
    if (used + gap + own > room) {
      groups.push([])
      used = -gap
    }
    groups.at(-1)!.push(at)
    used += gap + own
  }
  return groups
    .map((group) =>
      table(
        rows.map((row) => [
          ...keyWidths.map((limit, at) => (typeof row[at] === "number" ? row[at] : fit(textOf(row[at]), limit))),
          ...group.map((at) => (typeof row[at] === "string" ? fit(textOf(row[at]), room) : row[at]))
        ])
      )
    )
    .join("\n\n")
}

/** A text in lines of at most so many columns, broken at spaces; later lines are indented. */
export const wrapText = (text: string, width: number | undefined, indent = "  "): string => {
  if (width === undefined || columns(text) <= width) return text
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line.trim() !== "" && columns(longer) > width) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = longer
  }
  return [...lines, line].join("\n")
}
