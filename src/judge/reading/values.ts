/**
 * JSON as models write it, read by one scan. It takes what is JSON, and beside it: single and curly quotes, bare keys and
 * words, Python's literals, trailing and missing commas, comments, raw line breaks and unescaped quotes in strings,
 * fractions and units behind a number. Names that occur twice in a record are both kept, so that a reader sees them.
 */
export type Value = null | boolean | number | string | ReadonlyArray<Value> | Fields

export interface Fields {
  readonly fields: ReadonlyArray<readonly [name: string, value: Value]>
}

/**
 * A value found in a text. One that is not whole was broken or cut off: it holds what was complete before that, and NaN
 * where a name's value was not.
 */
export interface FoundValue {
  readonly value: ReadonlyArray<Value> | Fields
  readonly whole: boolean
}

export const isFields = (value: Value | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isList = (value: Value | undefined): value is ReadonlyArray<Value> => Array.isArray(value)

interface Frame {
  readonly kind: "{" | "["
  readonly fields: Array<readonly [string, Value]>
  readonly items: Array<Value>
  name: string | undefined
}

const deepest = 40

const isSpace = (char: string): boolean => char <= " " || char === "\u00a0" || char === "\u3000"

const literals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
  ["undefined", null],
  ["nan", Number.NaN]
])

const numeral = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?$/

const bareValue = (text: string): Value => {
  const literal = literals.get(text.toLowerCase())
  if (literal !== undefined) return literal
  return numeral.test(text) ? Number(text) : text
}

const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": '”“"',
  "„": '“”"',
  "‘": "’'",
  "«": "»"
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }

const colons = ":："
const commas = ",，;"

/** Reads one value from an opening bracket on. The scan never goes back, so that it takes time in proportion to the text. */
class Scan {
  at: number
  readonly text: string
  private readonly stack: Array<Frame> = []

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  private skip(): void {
    for (;;) {
      const char = this.text[this.at]
      if (char === undefined) return
      if (isSpace(char)) this.at++
      else if (char === "#" || (char === "/" && this.text[this.at + 1] === "/")) this.skipTo("\n")
      else if (char === "/" && this.text[this.at + 1] === "*") this.skipTo("*/")
      else return
    }
  }

  private skipTo(mark: string): void {
    const end = this.text.indexOf(mark, this.at + 1)
    this.at = end === -1 ? this.text.length : end + mark.length
  }

  /** Whether what follows `at`, after white space, can follow a closed string. */
  private endsString(at: number, inName: boolean): boolean {
    let next = at
    let newLine = false
    while (next < this.text.length && isSpace(this.text[next]!)) newLine = this.text[next++] === "\n" || newLine
    const char = this.text[next]
    if (char === undefined) return true
    if (inName) return colons.includes(char)
    if (newLine && closers[char] !== undefined) return true
    return (
      commas.includes(char) ||
      char === "}" ||
      char === "]" ||
      char === "#" ||
      (char === "/" && this.text[next + 1] !== " ")
    )
  }

  /** A quoted text; undefined when it never closes. */
  private quoted(inName: boolean): string | undefined {
    const ends = closers[this.text[this.at]!]!
    this.at++
    let read = ""
    let from = this.at
    while (this.at < this.text.length) {
      const char = this.text[this.at]!
      if (char === "\\") {
        read += this.text.slice(from, this.at)
        const next = this.text[this.at + 1] ?? ""
        const code = next === "u" ? /^[0-9a-fA-F]{4}$/.exec(this.text.slice(this.at + 2, this.at + 6))?.[0] : undefined
        read += code === undefined ? (escapes[next] ?? next) : String.fromCharCode(Number.parseInt(code, 16))
        this.at += code === undefined ? 2 : 6
        from = this.at
      } else if (ends.includes(char) && this.endsString(this.at + 1, inName)) {
        read += this.text.slice(from, this.at)
        this.at++
        return read
      } else this.at++
    }
    return undefined
  }

  /** Letters up to a mark; undefined at the text's end, because more may have been to come. */
  private bare(ends: string): string | undefined {
    const from = this.at
    while (this.at < this.text.length && !ends.includes(this.text[this.at]!)) this.at++
    if (this.at === this.text.length) return undefined
    const text = this.text.slice(from, this.at)
    const remark = /[ \t](?:\/\/|\/\*|#)/.exec(text)
    return (remark === null ? text : text.slice(0, remark.index)).trim()
  }

  private put(value: Value): void {
    const frame = this.stack.at(-1)!
    if (frame.kind === "[") frame.items.push(value)
    else {
      frame.fields.push([frame.name!, value])
      frame.name = undefined
    }
  }

  private closed(frame: Frame): ReadonlyArray<Value> | Fields {
    return frame.kind === "[" ? frame.items : { fields: frame.fields }
  }

  private broken(): FoundValue {
    for (;;) {
      const frame = this.stack.pop()!
      if (frame.name !== undefined) frame.fields.push([frame.name, Number.NaN])
      const value = this.closed(frame)
      if (this.stack.length === 0) return { value, whole: false }
      this.put(value)
    }
  }

  private open(kind: "{" | "["): void {
    this.stack.push({ kind, fields: [], items: [], name: undefined })
    this.at++
  }

  read(): FoundValue {
    this.open(this.text[this.at] as "{" | "[")
    for (;;) {
      this.skip()
      const char = this.text[this.at]
      if (char === undefined) return this.broken()
      const frame = this.stack.at(-1)!
      if (char === (frame.kind === "[" ? "]" : "}") && frame.name === undefined) {
        this.at++
        this.stack.pop()
        const value = this.closed(frame)
        if (this.stack.length === 0) return { value, whole: true }
        this.put(value)
      } else if (commas.includes(char) && frame.name === undefined) this.at++
      else if (frame.kind === "{" && frame.name === undefined) {
        const name = closers[char] === undefined ? this.bare(':：{}[],"“\n') : this.quoted(true)
        if (name === undefined || name === "") return this.broken()
        this.skip()
        if (!colons.includes(this.text[this.at] ?? " ")) return this.broken()
        this.at++
        frame.name = name
      } else if (char === "{" || char === "[") {
        if (this.stack.length === deepest) return this.broken()
        this.open(char)
      } else {
        const literal = closers[char] === undefined
        const value = literal ? this.bare(',，{}[]"“\n') : this.quoted(false)
        if (value === undefined || (literal && value === "")) return this.broken()
        if (literal && '{["“'.includes(this.text[this.at]!)) return this.broken()
        this.put(literal ? bareValue(value) : value)
      }
    }
  }
}

/** JSON that stands in a string, as in `{\"score\": 7}`, and nothing else is. */
const unescaped = (text: string): string => {
  const first = /[{[]\s*(?:\\n\s{0,8}){0,4}(\\?)["']/.exec(text)
  if (first === null || first[1] === "") return text
  return text.replace(/\\(["\\/nrt])/g, (_, mark: string) => escapes[mark] ?? mark)
}

const mostValues = 2000

interface Span {
  readonly read: FoundValue
  /** Of the opening bracket, and of what follows the value. */
  readonly from: number
  readonly to: number
}

const spansIn = (source: string): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  const opening = /[{[]/g
  for (let next = opening.exec(source); next !== null && found.length < mostValues; next = opening.exec(source)) {
    const scan = new Scan(source, next.index)
    const read = scan.read()
    const to = Math.max(scan.at, next.index + 1)
    found.push({ read, from: next.index, to })
    opening.lastIndex = to
  }
  return found
}

/** The records and lists of a text, from the first to the last, outermost only. Prose between them is passed over. */
export const valuesIn = (text: string): ReadonlyArray<FoundValue> =>
  spansIn(unescaped(text)).flatMap(({ read }) => {
    const [only] = isFields(read.value) && read.value.fields.length === 1 ? read.value.fields : []
    // An answer within an answer, as a string.
    const inner =
      read.whole && only !== undefined && typeof only[1] === "string" && /^\s*[{[]/.test(only[1])
        ? valuesIn(only[1])
        : []
    if (inner.length > 0) return inner
    // A list of one record is that record.
    return isList(read.value) && read.value.length === 1 && isFields(read.value[0])
      ? [{ value: read.value[0], whole: read.whole }]
      : [read]
  })

const hasFields = (value: Value): boolean =>
  isFields(value) ? value.fields.length > 0 : isList(value) && value.some((item) => hasFields(item))

/** The prose around the records of a text, in a line of its own each: what stands in a record is no prose. */
export const proseAround = (text: string): { readonly all: string; readonly behind: string } => {
  const source = unescaped(text)
  const spans = spansIn(source).filter(({ read }) => hasFields(read.value))
  const starts = [0, ...spans.map(({ to }) => to)]
  const pieces = starts.map((start, at) => source.slice(start, spans[at]?.from))
  return { all: pieces.join("\n"), behind: pieces.at(-1)! }
}
