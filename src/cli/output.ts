import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { type Problem, problemLine } from "../domain/InputError.ts"
import { plain } from "../domain/plain.ts"

export { plain }

/** Whether standard output takes colours: a terminal, and NO_COLOR not set. */
export const colourWanted = (): boolean =>
  process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb"

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

/** Colours, or none. The text must be `plain` already. */
export const paint = (colour: boolean): Paint => {
  const code = (on: number, off: number) => (text: string) =>
    colour && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    bold: code(1, 22),
    dim: code(2, 22),
    red: code(31, 39),
    green: code(32, 39),
    yellow: code(33, 39),
    cyan: code(36, 39)
  }
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** Columns that a text takes on a terminal: two for East Asian wide characters and emoji, none for combining marks. */
export const columns = (text: string): number => {
  let width = 0
  for (const character of text)
    width += /[\p{Mn}\p{Me}\u200b-\u200f]/u.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

/** Cuts a text to a width, with an ellipsis where something was cut. */
export const fit = (text: string, width: number): string => {
  if (columns(text) <= width) return text
  let cut = ""
  for (const character of text) {
    if (columns(cut) + columns(character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}

export type Cell = string | number | undefined

/**
 * An aligned table: numbers and the text `-` to the right, other text to the left, two spaces between columns, no
 * spaces at line ends. Cells are made plain and are cut at `maxCell` columns. Without rows, the empty text.
 */
export const table = (rows: ReadonlyArray<ReadonlyArray<Cell>>, maxCell = 60): string => {
  const shown = rows.map((row) =>
    row.map((cell) => ({
      right: typeof cell === "number" || cell === "-",
      text: fit(plain(String(cell ?? "")).replace(/\s+/g, " "), maxCell)
    }))
  )
  const widths: Array<number> = []
  for (const row of shown) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, columns(cell.text))
  }
  // A heading stands over its figures.
  const rightOf = widths.map((_, at) => shown.slice(1).some((row) => row[at]?.right === true))
  return shown
    .map((row, index) =>
      row
        .map((cell, at) => {
          const space = " ".repeat(widths[at]! - columns(cell.text))
          return cell.right || (index === 0 && rightOf[at] === true) ? space + cell.text : cell.text + space
        })
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** JSON escapes control characters itself; what reorders text is escaped here. */
const escaped = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** The value as `--json` prints it. */
export const json = (value: unknown): string => escaped(JSON.stringify(value, undefined, 2))

/** The value as a line of JSON Lines. */
export const jsonLine = (value: unknown): string => `${escaped(JSON.stringify(value))}\n`

const shownWarnings = 20

/** What two warnings have in common that differ in their places and values only. */
const kindOf = ({ field = "", file = "", what }: Problem): string =>
  JSON.stringify([file, field.replace(/\d+/g, "#"), what.replace(/"(?:[^"\\]|\\.)*"|\d+/g, "#")])

/** From how many of a kind on they are one line. */
const several = 3

const placesOf = (warnings: ReadonlyArray<Problem>): string => {
  const lines = [...new Set(warnings.flatMap(({ line }) => line ?? []))]
  return lines.length === 0
    ? ""
    : `: ${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, 5).join(", ")}${lines.length > 5 ? ", …" : ""}`
}

/** The first of each kind, and how many more there are; all of kinds with one or two. */
export const warningLines = (warnings: ReadonlyArray<Problem>): ReadonlyArray<string> =>
  [...Map.groupBy(warnings, kindOf).values()].flatMap((some) => {
    const [first, ...more] = some
    return some.length < several
      ? some.map(problemLine)
      : [`${problemLine(first!)} (and ${more.length} more such${placesOf(more)})`]
  })

/** Warnings on standard error, those of a kind in one line; the first 20 lines and how many more there are. */
export const warn = (warnings: ReadonlyArray<Problem>): Effect.Effect<void> => {
  const lines = warningLines(warnings)
  return Effect.forEach(
    [
      ...lines.slice(0, shownWarnings).map((line) => `warning: ${line}`),
      ...(lines.length > shownWarnings ? [`warning: … and ${lines.length - shownWarnings} more kinds of warnings`] : [])
    ],
    (line) => Console.error(line),
    { discard: true }
  )
}

/** `1 pair`, `2 pairs`. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number} ${number === 1 ? singular : plural}`

/** Columns of the terminal that standard output is; undefined for a pipe or a file, which take any width. */
export const terminalColumns = (): number | undefined =>
  process.stdout.isTTY === true ? process.stdout.columns : undefined
