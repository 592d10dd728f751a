import { fit, widthOf } from "./width.ts"

/** What a piece of text means; never told by colour alone. */
export type Tone = "bold" | "dim" | "good" | "bad" | "warn" | "accent" | "inverse"

export interface Span {
  readonly text: string
  readonly tone?: Tone
}

/** A line of the screen. */
export type Line = ReadonlyArray<Span>

export const span = (text: string, tone?: Tone): Span => (tone === undefined ? { text } : { text, tone })

export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + widthOf(text), 0)

/** Cut to a width, with an ellipsis where something was cut. */
export const cut = (line: Line, width: number): Line => {
  if (lineWidth(line) <= width) return line
  const kept: Array<Span> = []
  let left = width
  for (const piece of line) {
    const wide = widthOf(piece.text)
    if (wide < left) {
      kept.push(piece)
      left -= wide
      continue
    }
    // Something follows that is not shown, so the ellipsis goes here even when this piece just fits.
    kept.push({ ...piece, text: fit(`${piece.text}…`.padEnd(left + 1, " "), left) })
    break
  }
  return kept
}

/** Cut or filled with spaces to a width exactly. */
export const padded = (line: Line, width: number): Line => {
  const shown = cut(line, width)
  const space = width - lineWidth(shown)
  return space > 0 ? [...shown, span(" ".repeat(space))] : shown
}

/** `left` at the left, `right` at the right edge; `left` gives way. */
export const ends = (left: Line, right: Line, width: number): Line => {
  const kept = cut(right, width)
  const room = width - lineWidth(kept) - 1
  return room < 4 ? kept : [...padded(left, room), span(" "), ...kept]
}

/** `[####----]`: ASCII, since measuring anything else takes most of the time of a drawing. */
export const bar = (share: number, width: number): string => {
  const inner = Math.max(1, width - 2)
  const full = Math.max(0, Math.min(inner, Math.floor(share * inner + 1e-9)))
  return `[${"#".repeat(full)}${"-".repeat(inner - full)}]`
}

/** Whether two lines look the same. */
export const sameLine = (a: Line, b: Line): boolean =>
  a === b || (a.length === b.length && a.every(({ text, tone }, at) => text === b[at]!.text && tone === b[at]!.tone))
