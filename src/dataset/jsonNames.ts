/** What no data set needs, and what keeps recursion within the stack. */
const deepest = 500

/** Names of objects in a value, all levels together; undefined past the deepest level. */
const namesIn = (value: unknown, depth = 0): number | undefined => {
  if (typeof value !== "object" || value === null) return 0
  if (depth > deepest) return undefined
  let count = 0
  if (!Array.isArray(value)) count += Object.keys(value).length
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof part !== "object" || part === null) continue
    const inner = namesIn(part, depth + 1)
    if (inner === undefined) return undefined
    count += inner
  }
  return count
}

/** Where the text that a quote opens ends: at its closing quote. */
const closing = (text: string, quote: number): number => {
  for (let at = text.indexOf('"', quote + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text[escapes - 1] === "\\") escapes -= 1
    if ((at - escapes) % 2 === 0) return at
  }
}

const blank = new Set([" ", "\t", "\n", "\r"])

/** Whether a colon follows, and so what ended there is a name. */
const isName = (text: string, end: number): boolean => {
  let at = end + 1
  while (blank.has(text[at]!)) at += 1
  return text[at] === ":"
}

interface Repeated {
  readonly name: string
  /** Of the second one's opening quote. */
  readonly position: number
}

const find = (text: string): Repeated | undefined => {
  const open: Array<Set<string>> = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "{" || character === "[") open.push(new Set())
    else if (character === "}" || character === "]") open.pop()
    else if (character === '"') {
      const end = closing(text, at)
      if (isName(text, end)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string
        const names = open.at(-1)!
        if (names.has(name)) return { name, position: at }
        names.add(name)
      }
      at = end
    }
  }
  return undefined
}

/**
 * The first name that an object of a JSON text has twice, of a text that was parsed to `value` already; "deep" where
 * it is nested so deeply that a look at it is refused. Costs little where there is none: it compares numbers of names.
 */
export const repeatedName = (text: string, value: unknown): Repeated | "deep" | undefined => {
  const kept = namesIn(value)
  if (kept === undefined) return "deep"
  let written = 0
  for (let at = text.indexOf('"'); at !== -1; ) {
    const end = closing(text, at)
    if (isName(text, end)) written += 1
    at = text.indexOf('"', end + 1)
  }
  return written === kept ? undefined : find(text)
}
