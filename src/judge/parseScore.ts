import { exampleReason as contractReason } from "./wholeNoteScore.ts"

/** What could be read from a judge's reply: a score of the contract, or why there is none. */
export type ParsedScore =
  | { readonly kind: "score"; readonly score: number; readonly reason?: string }
  | { readonly kind: "unreadable"; readonly why: string }

const unreadable = (why: string): ParsedScore => ({ kind: "unreadable", why })

const thinkingTags = ["think", "thinking", "reasoning", "analysis"]

/** Reasoning that some models leave in front of their answer; numbers in it are not the answer. By index, in linear time. */
const withoutThinking = (text: string): string => {
  const lower = text.toLowerCase()
  const end = Math.max(
    ...thinkingTags.map((tag) => {
      const at = lower.lastIndexOf(`</${tag}>`)
      return at === -1 ? 0 : at + tag.length + 3
    })
  )
  const answer = text.slice(end)
  // Thinking that never ends has no answer behind it.
  return thinkingTags.some((tag) => lower.slice(end).trimStart().startsWith(`<${tag}>`)) ? "" : answer
}

/** What is read of a reply: far more than an answer needs, so that no reply can hold up the run. */
const readAtMost = 20_000

/** Runs of white space as one character, so that no pattern below has much to go back over. */
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim()

/**
 * The top-level `{…}` spans of a text, found by a scan that knows strings and escapes, so that braces inside strings or
 * prose between objects do not confuse it. A span that never closes is left out: it was cut off.
 */
const objectSpans = (text: string): ReadonlyArray<string> => {
  const spans: Array<string> = []
  let start = -1
  let depth = 0
  let quote = ""
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quote !== "") {
      if (char === "\\") at++
      else if (char === quote) quote = ""
    } else if (depth > 0 && char === '"') quote = char
    else if (char === "{") {
      if (depth++ === 0) start = at
    } else if (char === "}" && depth > 0 && --depth === 0) spans.push(text.slice(start, at + 1))
  }
  return spans
}

/** JSON as models write it: curly quotes, trailing commas, Python literals, single quotes, `+7`. Undefined when none of it helps. */
const lenientJson = (text: string): unknown => {
  const attempts = [
    (source: string) => source,
    (source: string) => source.replace(/,\s*([}\]])/g, "$1"),
    (source: string) =>
      source
        .replace(/[“”„]/g, '"')
        .replace(/[‘’]/g, "'")
        .replace(/\bNone\b/g, "null")
        .replace(/\bTrue\b/g, "true")
        .replace(/\bFalse\b/g, "false")
        .replace(/:\s*\+(\d)/g, ": $1")
        .replace(/(:\s*-?\d+(?:\.\d+)?)\s*\/\s*10(?=\s*[,}])/g, "$1"),
    // Raw line breaks inside strings.
    (source: string) =>
      source.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (literal) => literal.replace(/\r?\n/g, "\\n").replace(/\t/g, "\\t")),
    (source: string) =>
      source
        .replace(/([{,]\s*)'([^'\n]*)'(\s*:)/g, '$1"$2"$3')
        .replace(
          /(:\s*)'((?:[^'\\\n]|\\.|'(?!\s*[,}]))*)'(\s*[,}])/g,
          (_, before: string, body: string, after: string) => before + JSON.stringify(body.replace(/\\'/g, "'")) + after
        )
        .replace(/([{,]\s*)([A-Za-z_]\w*)(\s*:)/g, '$1"$2"$3')
  ]
  let source = text
  // What is longer than any answer is JSON as it stands, or nothing.
  for (const attempt of text.length > 5000 ? attempts.slice(0, 1) : attempts) {
    source = attempt(source)
    try {
      return JSON.parse(source)
    } catch {}
  }
  return undefined
}

/** A number, or a string that is a number out of ten and nothing else. NaN otherwise. */
const scoreValue = (value: unknown, max: number): number => {
  if (typeof value === "number") return value
  if (typeof value !== "string" || value.length > 200) return Number.NaN
  const [, number, outOf] =
    /^\s*[+]?(-?\d+(?:[.,]\d+)?)\s*(?:(?:\/|out of|of)\s*(\d+(?:\.\d+)?))?\s*(?:points?)?\s*\.?\s*$/i.exec(
      squeezed(value)
    ) ?? []
  if (number === undefined || (outOf !== undefined && Number(outOf) !== max)) return Number.NaN
  return Number(number.replace(",", "."))
}

const scoreField = (record: object): unknown =>
  Object.entries(record).find(([name]) => /^(final[_ ]?)?score$/i.test(name.trim()))?.[1]

const fromRecord = (value: unknown, max: number): ParsedScore | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const field = scoreField(value)
  if (field === undefined) {
    // One level of wrapping, such as {"result": {"score": 7}}.
    const inner = Object.values(value).filter(
      (part) => typeof part === "object" && part !== null && !Array.isArray(part) && scoreField(part) !== undefined
    )
    return inner.length === 1 ? fromRecord(inner[0], max) : undefined
  }
  const score = scoreValue(field, max)
  if (Number.isNaN(score)) return unreadable(`the score is ${JSON.stringify(field)}, not a number`)
  if (score < 0 || score > max) return unreadable(`the score ${score} is outside 0 to ${max}`)
  const reason = Object.entries(value).find(([name]) =>
    /^(reason|reasoning|rationale|explanation|justification)$/i.test(name.trim())
  )?.[1]
  if (reason === contractReason) return unreadable("the reply repeats the contract's example")
  return {
    kind: "score",
    score,
    ...(typeof reason === "string" && reason.trim() !== "" ? { reason: reason.trim() } : {})
  }
}

const statedScore =
  /\b(?:final )?score\b["'*_`]{0,4} ?(?:is|of|[:=–—-])? ?["'*_`]{0,4} ?([+-]?\d{1,9}(?:[.,]\d{1,9})?) ?["'*_`]{0,4}(?: ?(?:\/|out of) ?(\d{1,9}(?:\.\d{1,9})?))?/gi

/**
 * The score of a whole-note judge's reply. Takes JSON in code fences or in prose, numbers as strings, `8/10`, and a
 * plain `Score: 8`. The last object with a score counts; prose counts only when it states one score and no other. A
 * score outside 0 to `max`, or out of another total, is unreadable: nothing is rescaled by guess.
 */
export const parseScore = (reply: string, max: number): ParsedScore => {
  const whole = withoutThinking(reply)
  const text = whole.length <= readAtMost ? whole : whole.slice(-readAtMost)
  if (text.trim() === "") return unreadable("the reply is empty")
  const found = objectSpans(text)
    .map((span) => fromRecord(lenientJson(span), max))
    .filter((parsed) => parsed !== undefined)
  const last = found.at(-1)
  if (last !== undefined) return last
  const bare = scoreValue(squeezed(text.replace(/```\w*|[*_`"]/g, "")), max)
  if (!Number.isNaN(bare))
    return bare >= 0 && bare <= max
      ? { kind: "score", score: bare }
      : unreadable(`the score ${bare} is outside 0 to ${max}`)
  const stated = [...squeezed(text).matchAll(statedScore)].map(([, number, outOf]) =>
    outOf !== undefined && Number(outOf) !== max ? Number.NaN : Number(number!.replace(",", "."))
  )
  const distinct = new Set(stated)
  if (distinct.size === 0) return unreadable("the reply holds no score")
  if (distinct.size > 1) return unreadable("the reply states more than one score")
  const [score] = stated
  return score! >= 0 && score! <= max
    ? { kind: "score", score: score! }
    : unreadable(`the score is not a number from 0 to ${max}`)
}
