import { chopped, columns, fit } from "../terminal/columns.ts"
import { plain, terminalColumns } from "./output.ts"

export type Cell = string | number | undefined

export interface TableOptions {
  /** Columns that a cell takes at most; 60 if not given. Without a width a longer one is cut. */
  readonly maxCell?: number
  /** How many columns at the left say what a row is of; 1 if not given. */
  readonly keys?: number
  /** Columns of the terminal, standard output's if not given; undefined for a pipe or a file, which take any width. */
  readonly width?: number | undefined
}

interface Shown {
  readonly text: string
  readonly right: boolean
  /** A number, or a text that is one figure: never broken. */
  readonly figure: boolean
}

const gap = 2
/** Narrower than this no text is made. */
const leastText = 12
/** Of a terminal's width, what the columns that say what a row is of may take. */
const keyShare = 0.45
/** Lines that a cell may take before it is cut. */
const mostLines = 12

/** `12`, `−0.3 [−0.5, 0.1]`, `$1.20`, `2026-11-30 18:39`: a figure with what belongs to it. */
const isFigure = (text: string): boolean => /^[-+−≈≥≤<>$[(]*[\d.]/.test(text) && text.length <= 24

const shownCell = (cell: Cell): Shown => {
  const text = plain(String(cell ?? "")).replace(/\s+/g, " ")
  const right = typeof cell === "number" || cell === "-"
  return { text, right, figure: right || isFigure(text) }
}

/** A number keeps its %. */
const wordsOf = (text: string): ReadonlyArray<string> => text.split(/ (?!%)/)

/** A word that is wider than a line in pieces: broken after hyphens and slashes, or else where it must be. */
const brokenWord = (word: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const part of word.split(/(?<=[-/_])/)) {
    if (line !== "" && columns(line + part) > width) {
      lines.push(line)
      line = ""
    }
    const pieces = chopped(line + part, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ""
  }
  return [...lines, line]
}

/** A text at most `width` wide in lines: broken at spaces, and within words that are wider than that. */
const folded = ({ figure, text }: Shown, width: number): ReadonlyArray<string> => {
  if (figure || columns(text) <= width) return [text]
  const lines: Array<string> = []
  let line = ""
  for (const word of wordsOf(text)) {
    const longer = line === "" ? word : `${line} ${word}`
    if (columns(longer) <= width) line = longer
    else {
      if (line !== "") lines.push(line)
      const pieces = brokenWord(word, width)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ""
    }
  }
  const all = [...lines, line]
  return all.length <= mostLines ? all : [...all.slice(0, mostLines - 1), "…"]
}

/** The least width of a cell that breaks no word. */
const leastOf = ({ figure, text }: Shown, maxCell: number): number =>
  figure ? columns(text) : Math.min(maxCell, Math.max(0, ...wordsOf(text).map(columns)))

type Rows = ReadonlyArray<ReadonlyArray<Shown>>

const widest = (rows: Rows, of: (cell: Shown) => number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, at) =>
    Math.max(0, ...rows.map((row) => (row[at] === undefined ? 0 : of(row[at]))))
  )

const total = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1)

/** Widths that fit: the widest text gives way first. Undefined where words would have to be broken. */
const fitting = (rows: Rows, maxCell: number, width: number): ReadonlyArray<number> | undefined => {
  const widths = widest(rows, ({ figure, text }) => (figure ? columns(text) : Math.min(columns(text), maxCell))).slice()
  const least = widest(rows, (cell) => leastOf(cell, maxCell)).map((own, at) => {
    // A heading may be broken; a text should not become a column of single words.
    const body = rows.slice(1).flatMap((row) => row[at] ?? [])
    return body.some(({ figure, text }) => !figure && text.includes(" "))
      ? Math.max(own, Math.min(leastText, widths[at]!))
      : own
  })
  let over = total(widths) - width
  while (over > 0) {
    const at = widths.reduce(
      (best, own, here) => (own > least[here]! && (best < 0 || own > widths[best]!) ? here : best),
      -1
    )
    if (at < 0) return undefined
    widths[at] = widths[at]! - 1
    over--
  }
  return widths
}

const laidOut = (rows: Rows, widths: ReadonlyArray<number>): string => {
  // A heading stands over its figures.
  const rightOf = widths.map((_, at) => rows.slice(1).some((row) => row[at]?.right === true))
  return rows
    .flatMap((row, index) => {
      const cells = row.map((cell, at) => folded(cell, widths[at]!))
      const height = Math.max(1, ...cells.map((lines) => lines.length))
      return Array.from({ length: height }, (_, line) =>
        row
          .map((cell, at) => {
            const text = cells[at]![line] ?? ""
            const space = " ".repeat(Math.max(0, widths[at]! - columns(text)))
            return cell.right || (index === 0 && rightOf[at] === true) ? space + text : text + space
          })
          .join(" ".repeat(gap))
          .trimEnd()
      )
    })
    .join("\n")
}

/** One table under the other, each with the columns that say what a row is of. */
const stacked = (rows: Rows, keys: number, maxCell: number, width: number): string => {
  const natural = widest(rows, ({ text }) => columns(text))
  const keyLimit = Math.max(8, Math.floor((width * keyShare) / Math.max(1, keys)) - gap)
  const widthOf = (at: number): number => {
    const figures = Math.max(0, ...rows.map((row) => (row[at]?.figure === true ? columns(row[at].text) : 0)))
    return Math.max(figures, Math.min(natural[at]!, maxCell, at < keys ? keyLimit : width))
  }
  const keyWidths = natural.slice(0, keys).map((_, at) => widthOf(at))
  const room = Math.max(8, width - keyWidths.reduce((sum, own) => sum + own + gap, 0))
  const groups: Array<Array<number>> = []
  let used = Number.POSITIVE_INFINITY
  for (let at = keys; at < natural.length; at++) {
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
      laidOut(
        rows.map((row) => [...row.slice(0, keys), ...group.flatMap((at) => row[at] ?? [])]),
        [...keyWidths, ...group.map((at) => Math.min(widthOf(at), room))]
      )
    )
    .join("\n\n")
}

/**
 * An aligned table: numbers and the text `-` to the right, other text to the left, two spaces between columns, no
 * spaces at line ends. Cells are made plain. Where the terminal is narrower, the widest texts are broken at their
 * words; where that is not enough, the table goes on in another below, with its first `keys` columns again. No figure
 * is cut. Without rows, the empty text.
 */
export const table = (
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  { keys = 1, maxCell = 60, width = terminalColumns() }: TableOptions = {}
): string => {
  const shown = rows.map((row) => row.map(shownCell))
  if (width === undefined) {
    const cut = shown.map((row) => row.map((cell) => ({ ...cell, figure: true, text: fit(cell.text, maxCell) })))
    return laidOut(
      cut,
      widest(cut, ({ text }) => columns(text))
    )
  }
  const widths = fitting(shown, maxCell, width)
  return widths === undefined ? stacked(shown, keys, maxCell, width) : laidOut(shown, widths)
}
