import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { count } from "../domain/count.ts"
import { type Problem, problemLine } from "../domain/InputError.ts"
import { plain } from "../domain/plain.ts"
import { wrapText } from "../terminal/wrap.ts"

export { count, plain }

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

/** Columns of a terminal; undefined for a pipe or a file, which take any width, and for a terminal that tells none. */
const columnsOf = ({ columns, isTTY }: NodeJS.WriteStream): number | undefined =>
  isTTY === true && columns > 0 ? Math.max(leastColumns, columns) : undefined

/** Narrower than this nothing can be laid out. */
const leastColumns = 20

export const terminalColumns = (): number | undefined => columnsOf(process.stdout)

export const errorColumns = (): number | undefined => columnsOf(process.stderr)

/** A line on standard error outside of any effect, as from the handler of a signal. */
export const tellNow = (line: string): void => {
  process.stderr.write(`${wrapText(line, errorColumns())}\n`)
}
