/** Words, numbers and sentences of clinical English, spoken or written. */

const token = /\p{L}&\p{L}|\p{L}+\d+\p{L}*|\d+(?:[.:]\d+)*|\p{L}+(?:['’]\p{L}+)*|[%,:()]/gu

/** Lower-case words and numbers in order, with the marks `, : ( )` where a negation's reach may end. */
export const tokens = (text: string): ReadonlyArray<string> => {
  const found = text.toLowerCase().match(token) ?? []
  return found.map((word) => (word.includes("’") ? word.replaceAll("’", "'") : word))
}

export const isMark = (word: string): boolean => word === "," || word === ":" || word === "(" || word === ")"

export const isNumber = (word: string): boolean => /^\d/.test(word)

/** A light stem: plural, -ing, -ed, -ly endings off. Crude, but the same for both texts. */
export const stem = (word: string): string => {
  let form = word.endsWith("'s") ? word.slice(0, -2) : word
  if (form.length > 4 && form.endsWith("ies")) form = `${form.slice(0, -3)}y`
  else if (form.length > 4 && /(?:sh|ch|x|ss|z)es$/.test(form)) form = form.slice(0, -2)
  else if (form.length > 3 && form.endsWith("s") && !/(?:ss|us|is)$/.test(form)) form = form.slice(0, -1)
  if (form.length > 5 && form.endsWith("ing")) form = undouble(form.slice(0, -3))
  else if (form.length > 4 && form.endsWith("ed") && !form.endsWith("eed")) form = undouble(form.slice(0, -2))
  else if (form.length > 5 && form.endsWith("ly")) form = form.slice(0, -2)
  return form.length > 4 && form.endsWith("e") ? form.slice(0, -1) : form
}

const undouble = (form: string) => (/([^aeiouls])\1$/.test(form) ? form.slice(0, -1) : form)

const abbreviations = /\b(?:mr|mrs|ms|dr|st|vs|e\.g|i\.e|approx|no|tab|temp)\.$/i

/** Sentences, each with its final mark: split at . ? ! ; and line ends, never inside numbers, "a.m." or "Dr.". */
export const sentences = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const line of text.split("\n")) {
    let start = 0
    const boundary = /[.?!;]+(?=\s|$)/g
    for (let match = boundary.exec(line); match !== null; match = boundary.exec(line)) {
      const end = match.index + match[0].length
      const piece = line.slice(start, end)
      if (abbreviations.test(piece) || /\b[ap]\.m\.$/i.test(piece)) continue
      if (piece.trim() !== "") found.push(piece.trim())
      start = end
    }
    const rest = line.slice(start).trim()
    if (rest !== "") found.push(rest)
  }
  return found
}
