import stringWidth from "string-width"
import { plain } from "../domain/plain.ts"

const segmenter = new Intl.Segmenter()
/** Characters that every terminal draws one column wide: ASCII, and the marks of our own frames. */
const single = /^[\x20-\x7e★✓✗–→≤≥·…+−]*$/

/** Columns that a text takes on a terminal, by grapheme. */
export const widthOf = (text: string): number => (single.test(text) ? text.length : stringWidth(text))

/** A text of the data as one line that is safe to draw: no control sequence, no line break, no run of white space. */
export const oneLine = (text: string): string => plain(text).replace(/\s+/g, " ").trim()

/** Cuts a text to a width between graphemes, with an ellipsis where something was cut. */
export const fit = (text: string, width: number): string => {
  if (width <= 0) return ""
  if (single.test(text)) return text.length <= width ? text : `${text.slice(0, width - 1)}…`
  // No text that fits has more code units than this, however its graphemes are made.
  const head = text.slice(0, width * 40)
  if (head.length === text.length && stringWidth(text) <= width) return text
  let cut = ""
  let used = 0
  for (const { segment } of segmenter.segment(head)) {
    const next = stringWidth(segment)
    if (used + next > width - 1) return `${cut}…`
    cut += segment
    used += next
  }
  return `${cut}…`
}

/** Cut or filled up with spaces to a width exactly. */
export const cell = (text: string, width: number, side: "left" | "right" = "left"): string => {
  const shown = fit(text, width)
  const space = " ".repeat(Math.max(0, width - widthOf(shown)))
  return side === "left" ? shown + space : space + shown
}
