import { widthOf } from "./width.ts"
import { wrapLine as brokenLine } from "./wrap.ts"

/** Columns of a terminal; undefined for a pipe or a file, which take any width. */
export type Columns = number | undefined

/** The first of several wordings that fits, the longest first; the last where none does. */
export const firstThatFits = (width: number, wordings: readonly [string, ...ReadonlyArray<string>]): string =>
  wordings.find((one) => widthOf(one) <= width) ?? wordings.at(-1)!

/** A line as lines of at most so many columns, broken at spaces; those that follow stand two further in than it does. */
export const wrapLine = (text: string, width: Columns): ReadonlyArray<string> =>
  width === undefined ? [text] : brokenLine(text, width, /^ */.exec(text)![0].length + 2)

/** One row of a table: what it is of, and its figures with their headings. */
export interface Entry {
  readonly label: string
  readonly figures: ReadonlyArray<readonly [heading: string, value: string]>
}

/** A table as it is aligned, or, where a line of it is too wide, each row's figures below what the row is of. */
export const tableOr = (
  aligned: ReadonlyArray<string>,
  entries: ReadonlyArray<Entry>,
  width: Columns
): ReadonlyArray<string> =>
  width === undefined || aligned.every((line) => widthOf(line) <= width)
    ? aligned
    : entries.flatMap(({ figures, label }) => [
        ...wrapLine(label, width),
        ...wrapLine(`    ${figures.map(([heading, value]) => `${heading} ${value}`).join("; ")}`, width)
      ])
