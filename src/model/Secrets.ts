/** Shorter ones are placeholders such as `EMPTY` or `ollama`: taking them out of answers would spoil the answers. */
const shortest = 8

/** The part of a secret's base64 that is the same whatever stands before and after it, for the three ways it can lie. */
const insideBase64 = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    return bytes.toString("base64").slice(before === 0 ? 0 : before + 1, Math.floor(bytes.length / 3) * 4)
  })

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

const entities: Readonly<Record<string, string>> = { '"': "quot", "'": "apos", "&": "amp", "<": "lt", ">": "gt" }

/** Hexadecimal digits in either case. */
const hex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A character by its code in JSON, in an address or in HTML. The last two may have been encoded again as a whole. */
const codePattern = (char: string): string => {
  const code = char.charCodeAt(0)
  const bytes = char.isWellFormed() ? [...Buffer.from(char)] : []
  const name = entities[char]
  return [
    `\\\\{1,32}u${hex(code, 4)}`,
    ...(bytes.length === 0 ? [] : [bytes.map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join("")]),
    `&(?:amp;){0,3}#(?:0{0,4}${code}|[xX]0{0,4}${hex(code, 2)});`,
    ...(name === undefined ? [] : [`&(?:amp;){0,3}${name};`])
  ].join("|")
}

/**
 * A text however it is written: its letters and digits as they are; other characters as they are, by a code, or behind the
 * backslashes of JSON in JSON in JSON. Bounded, and with one way only to match a run of backslashes, so that no text
 * takes long.
 */
const textPattern = (text: string): string =>
  (text.match(/\\+|[A-Za-z0-9]+|[\s\S]/g) ?? [])
    .map((part, at, parts) => {
      if (/^[A-Za-z0-9]/.test(part)) return part
      const behind = parts[at - 1]?.startsWith("\\") === true ? "" : "\\\\{0,32}"
      return part.startsWith("\\")
        ? // Each is doubled at every depth, and so are those of what stands behind them.
          `(?:\\\\{${part.length},${32 * (part.length + 1)}}|(?:${codePattern("\\")}){${part.length}})`
        : `(?:${behind}${escaped(part)}|${codePattern(part)})`
    })
    .join("")

/** Base64 as it is, or of the kind for addresses and file names, with its padding or without. */
const base64Pattern = (text: string): string =>
  textPattern(text.replace(/=+$/, ""))
    .replaceAll(textPattern("+"), `(?:${textPattern("+")}|-)`)
    .replaceAll(textPattern("/"), `(?:${textPattern("/")}|_)`)
    .concat(text.endsWith("=") ? `${textPattern("=")}{0,2}` : "")

/** How a server may write a secret: a pattern for each way, with about how long it is. */
const formsOf = (secret: string): ReadonlyArray<readonly [length: number, pattern: string]> => {
  const base64 = [Buffer.from(secret).toString("base64"), ...insideBase64(secret)].filter(
    (form) => form.length >= shortest
  )
  return [
    [secret.length, textPattern(secret)],
    ...[...new Set(base64)].map((form) => [form.length, base64Pattern(form)] as const)
  ]
}

const mark = "[key]"

/**
 * The keys and header values that have been sent, to be taken out of everything that comes back: a server, or a model,
 * may quote them. One holder serves all of a provider's models, whichever of them was sent the secret.
 */
export class Secrets {
  readonly #known = new Set<string>()
  readonly #forms: Array<readonly [length: number, pattern: string]> = []
  #pattern: RegExp | undefined
  readonly #short: Array<RegExp> = []

  add(secret: string): void {
    if (secret === "" || this.#known.has(secret)) return
    this.#known.add(secret)
    if (secret.length >= shortest) {
      this.#forms.push(...formsOf(secret))
      // The longest first: where one begins like another, all of it goes.
      this.#forms.sort(([a], [b]) => b - a)
      this.#pattern = new RegExp(this.#forms.map(([, pattern]) => pattern).join("|"), "g")
    } else this.#short.push(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(secret)}(?![\\p{L}\\p{N}])`, "gu"))
  }

  /** The text without any secret of eight characters or more, in any form that it may be written in. */
  strike(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, mark)
  }

  /** Of a server's error: shorter secrets are taken out as well, where they stand as words of their own. */
  strikeError(text: string): string {
    return this.#short.reduce((rest, word) => rest.replace(word, mark), this.strike(text))
  }
}
