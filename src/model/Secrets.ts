/** Shorter ones are placeholders such as `EMPTY` or `ollama`: taking them out of answers would spoil the answers. */
const shortest = 8

const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())

/** The part of a secret's base64 that is the same whatever stands before and after it, for the three ways it can lie. */
const insideBase64 = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    return bytes.toString("base64").slice(before === 0 ? 0 : before + 1, Math.floor(bytes.length / 3) * 4)
  })

/** Libraries differ in how they write quotation marks in HTML, and in whether they do. */
const inHtml = (secret: string): ReadonlyArray<string> => {
  const plain = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  return ["&quot;", "&#34;", '"'].flatMap((double) =>
    ["&#39;", "&#x27;", "&apos;", "'"].map((single) => plain.replaceAll('"', double).replaceAll("'", single))
  )
}

/** How a server may write a secret, longest first: as it is, escaped for JSON (twice, too), addresses and HTML, in base64. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret.toWellFormed())
  const base64 = [Buffer.from(secret).toString("base64"), ...insideBase64(secret)]
  const forms = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll("/", "\\/"),
    ...inHtml(secret),
    url,
    lowerHex(url),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))
  ]
  return [...new Set(forms)].filter((form) => form.length >= shortest).sort((a, b) => b.length - a.length)
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

const mark = "[key]"

/**
 * The keys and header values that have been sent, to be taken out of everything that comes back: a server, or a model,
 * may quote them. One holder serves all of a provider's models, whichever of them was sent the secret.
 */
export class Secrets {
  readonly #known = new Set<string>()
  readonly #forms: Array<string> = []
  readonly #short: Array<RegExp> = []

  add(secret: string): void {
    if (secret === "" || this.#known.has(secret)) return
    this.#known.add(secret)
    if (secret.length >= shortest) {
      this.#forms.push(...formsOf(secret))
      this.#forms.sort((a, b) => b.length - a.length)
    } else this.#short.push(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(secret)}(?![\\p{L}\\p{N}])`, "gu"))
  }

  /** The text without any secret of eight characters or more, in any form that it may be written in. */
  strike(text: string): string {
    let rest = text
    for (const form of this.#forms) if (rest.includes(form)) rest = rest.replaceAll(form, mark)
    return rest
  }

  /** Of a server's error: shorter secrets are taken out as well, where they stand as words of their own. */
  strikeError(text: string): string {
    return this.#short.reduce((rest, word) => rest.replace(word, mark), this.strike(text))
  }
}
