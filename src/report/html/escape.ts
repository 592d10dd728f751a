/** What reorders text: bidirectional overrides and isolates; and controls other than line feed and tab. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** The same, carriage returns and halves of surrogate pairs. */
const special = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/

/**
 * Text from outside as a page may show it: overrides that reorder it, and controls, stand there by their names,
 * as `⟦U+202E⟧`. Carriage returns before line feeds go. Right-to-left letters stay.
 */
export const visible = (text: string): string =>
  // Nearly every text passes as it is, and a page shows tens of thousands.
  special.test(text)
    ? text
        .replace(/\r\n?/g, "\n")
        .replace(unseen, (character) => `⟦U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟧`)
        .toWellFormed()
    : text

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text as the content of an element, or as an attribute's value between quotes. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character]!)

/**
 * JSON as the content of a script element that is data. Nothing in it can end the element or begin a comment, and it is
 * valid JavaScript in old readers, too.
 */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
