/**
 * What became of a character in the edit: it stood and stays, was inserted, was deleted, or was inserted and taken out
 * again (on neither side).
 */
export type Fate = "kept" | "inserted" | "deleted" | "neither"

export interface Character {
  /** One code point; line breaks are line feeds, spaces that do not break are spaces. */
  readonly text: string
  readonly fate: Fate
  /** Which edit it belongs to, from 0 in their order; undefined of what is kept. */
  readonly edit?: number
}

const tags = /<(\/?)(p|br|insert|delete|span|div|b|i|u|em|strong)\b((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi

const named: ReadonlyMap<string, string> = new Map([
  ["nbsp", " "],
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"]
])

const unescape = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named.get(name.toLowerCase()) ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole
    }
  )

/**
 * The characters of a tracked edit (`<insert>`, `<delete>`, nested as they come, `<br>`, `<p>`). Inserts that touch are
 * one edit. Tags of other names are text: notes have "<140/90".
 */
export const readTrackedEdit = (
  html: string
): { readonly characters: ReadonlyArray<Character> } | { readonly reason: string } => {
  const characters: Array<Character> = []
  const open: Array<"insert" | "delete"> = []
  let edits = 0
  let edit = -1
  const add = (text: string) => {
    const inside = open.includes("insert")
    const removed = open.includes("delete")
    for (const one of text) {
      const clean = one === "\u00a0" || one === "\r" ? " " : one
      if (inside && removed) characters.push({ text: clean, fate: "neither", edit })
      else if (inside || removed) characters.push({ text: clean, fate: inside ? "inserted" : "deleted", edit })
      else characters.push({ text: clean, fate: "kept" })
    }
  }
  let from = 0
  for (const match of html.matchAll(tags)) {
    // Line breaks of the markup itself are none of the note.
    add(unescape(html.slice(from, match.index)).replace(/\s*\n\s*/g, " "))
    from = match.index + match[0].length
    const name = match[2]!.toLowerCase()
    const closing = match[1] === "/"
    if (name === "br") add("\n")
    else if ((name === "p" || name === "div") && closing) add("\n")
    else if (name === "insert" || name === "delete") {
      if (closing) {
        const at = open.lastIndexOf(name)
        if (at === -1) return { reason: `the post-edited note closes a <${name}> that is not open` }
        open.splice(at, 1)
      } else if (!/\/\s*$/.test(match[3]!)) {
        if (open.length === 0) {
          const last = characters.at(-1)
          // An insertion that goes on where the last one ended is the same one.
          if (name !== "insert" || last?.fate !== "inserted") {
            edit = edits
            edits += 1
          } else edit = last.edit!
        }
        open.push(name)
      }
    }
  }
  add(unescape(html.slice(from)).replace(/\s*\n\s*/g, " "))
  if (open.length > 0) return { reason: `the post-edited note has a <${open.at(-1)}> that is never closed` }
  return { characters }
}

const isSpace = (text: string): boolean => /^\s$/.test(text)

const original = ({ fate }: Character): boolean => fate === "kept" || fate === "deleted"

/** White space between two words as the note had it: a line feed, a space or nothing. */
const gapOf = (space: string): "\n" | " " | "" => (space.includes("\n") ? "\n" : space === "" ? "" : " ")

/**
 * The characters with the note's own line breaks and spaces put back where the editor lost or misplaced them.
 * Undefined where what was there before the edit is not the note, white space aside.
 */
export const withLayoutOf = (
  characters: ReadonlyArray<Character>,
  note: string
): ReadonlyArray<Character> | undefined => {
  const solid = [...note].filter((one) => !isSpace(one))
  const gaps: Array<string> = [""]
  for (const one of note) {
    if (isSpace(one)) gaps[gaps.length - 1] += one
    else gaps.push("")
  }
  const result: Array<Character> = []
  let seen = 0
  /** Since the last of the note's own characters: what was inserted, and white space of the note. */
  let between: Array<Character> = []
  const flush = () => {
    const spaces = between.filter((one) => original(one) && isSpace(one.text))
    const wanted = gapOf(gaps[seen] ?? "")
    if (seen === 0 || seen === solid.length || gapOf(spaces.map((one) => one.text).join("")) === wanted) {
      result.push(...between)
    } else {
      const rest = between.filter((one) => !(original(one) && isSpace(one.text)))
      // A space in place of a break stands where the break stood; a break that was lost comes after what was inserted.
      const at = between.findIndex((one) => original(one) && isSpace(one.text))
      const stand = wanted === " " && at !== -1 ? at : rest.length
      const space: ReadonlyArray<Character> = wanted === "" ? [] : [{ text: wanted, fate: "kept" }]
      result.push(...rest.slice(0, stand), ...space, ...rest.slice(stand))
    }
    between = []
  }
  for (const one of characters) {
    if (!original(one) || isSpace(one.text)) {
      between.push(one)
      continue
    }
    if (solid[seen] !== one.text) return undefined
    flush()
    result.push(one)
    seen += 1
  }
  if (seen !== solid.length) return undefined
  flush()
  return result
}

/**
 * A note's text of some of the characters: runs of spaces as one, no line without a letter or digit, and no
 * punctuation left over at the start of a line.
 */
export const noteText = (characters: ReadonlyArray<Character>): string =>
  characters
    .map((one) => one.text)
    .join("")
    .split("\n")
    .map((line) =>
      line
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^(?:[.,;:]\s*)+(?=\S)/, "")
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .join("\n")

export const isFlawedSide = ({ fate }: Character): boolean => fate === "kept" || fate === "deleted"
export const isCleanSide = ({ fate }: Character): boolean => fate === "kept" || fate === "inserted"
