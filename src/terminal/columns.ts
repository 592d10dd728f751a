/** What is drawn two columns wide: East Asian wide letters, emoji, flags. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\ufe0f|[\u{1f1e6}-\u{1f1ff}]{2}|\p{Emoji_Presentation}/u
/** Marks that are drawn over the letter before, and what is not drawn at all. */
const none = /[\p{Mn}\p{Me}\u200b-\u200f\u2060\ufeff]/u
const colour = /\u001b\[[0-9;]*m/g
/** What every terminal draws one column wide, and what most of our texts are made of. */
const single = /^[\x20-\x7e–—→≤≥·…×±−≈√§]*$/
const segmenter = new Intl.Segmenter()

/** The graphemes of a text with their widths: what a line may not be broken within. */
const graphemes = function* (text: string): Generator<readonly [grapheme: string, width: number]> {
  for (const { segment } of segmenter.segment(text)) {
    if (wide.test(segment)) yield [segment, 2]
    else {
      let width = 0
      for (const character of segment) if (!none.test(character)) width++
      yield [segment, width]
    }
  }
}

/**
 * Columns that a text of one line takes on a terminal: two for East Asian wide letters and emoji, none for combining
 * marks and for the codes of our own colours. Much faster to load than `widthOf`, which follows Ink's rules.
 */
export const columns = (text: string): number => {
  const bare = text.includes("\u001b") ? text.replace(colour, "") : text
  if (single.test(bare)) return bare.length
  let width = 0
  for (const [, own] of graphemes(bare)) width += own
  return width
}

/** A text in pieces of at most `width` columns, the first of at most `first`; a grapheme that is wider stands alone. */
export const chopped = (text: string, width: number, first = width): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let piece = ""
  let used = 0
  for (const [grapheme, own] of graphemes(text)) {
    if (piece !== "" && used + own > (pieces.length === 0 ? first : width)) {
      pieces.push(piece)
      piece = ""
      used = 0
    }
    piece += grapheme
    used += own
  }
  return piece === "" ? pieces : [...pieces, piece]
}

/** Cuts a text to a width, between graphemes, with an ellipsis where something was cut. */
export const fit = (text: string, width: number): string =>
  columns(text) <= width ? text : `${width < 2 ? "" : (chopped(text, width - 1)[0] ?? "")}…`
