/** The shortest quote that shows anything, in characters after normalisation [OB §C.1]. */
export const shortestQuote = 8

/** A text in one case and one kind of white space, quote and dash, with no quote marks at its ends. */
const normalised = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’`]/g, "'")
    .replace(/[‐-―]/g, "-")
    .replace(/\s+/g, " ")
    .trim()

const unquoted = (text: string): string => text.replace(/^["'\s]{1,4}/, "").replace(/["'\s]{1,4}$/, "")

/** Whether a quote occurs verbatim in a note, after white space and case, and has at least 8 characters [OB §C.1]. */
export const occursIn = (note: string): ((quote: string) => boolean) => {
  const text = normalised(note)
  return (quote) => {
    const sought = unquoted(normalised(quote))
    return [...sought].length >= shortestQuote && text.includes(sought)
  }
}
