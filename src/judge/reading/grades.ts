import type { VerdictReader } from "./keyed.ts"
import { isFields, isList, type Value } from "./values.ts"
import { fieldsNamed, leadOf, quoteNames, textNamed, wordOf, yesOrNo } from "./words.ts"

/** A word of a scale, with the quote that stands by it. */
export interface Graded<W extends string> {
  readonly grade: W
  readonly quote?: string
}

/** What a field of this name says when it says yes, and when it says no. */
export interface Flag<W extends string> {
  readonly yes: W | undefined
  readonly no: W | undefined
}

const verdictNames =
  /^(?:(?:final_)?(?:verdict|status|grade|grading|decision|label|answer|rating|result|value|judge?ment|assessment|coverage|severity|presence|capture|class|category))$/

const marks = /[:：=|–—]|->|→| - /

const alternatives = /(?:, or |, | or | ?\/ ?| ?\| ?)/

/** How deep a verdict may be wrapped: `{"verdict": {"label": "full"}}`. */
const deepest = 3

/**
 * Reads words of a scale, keyed by id. `words` tells what a word in lower case stands for; `flags` are names of fields
 * that say yes or no, such as `{"present": true}`.
 */
export const gradeReader = <W extends string>(
  words: ReadonlyMap<string, W>,
  flags: ReadonlyMap<string, Flag<W>> = new Map()
): VerdictReader<Graded<W>> => {
  /** "full, partial or absent" is the question, and no answer. */
  const isChoice = (text: string): boolean =>
    new Set(
      wordOf(text)
        .split(alternatives, 3)
        .flatMap((word) => words.get(word) ?? [])
    ).size > 1
  const ofText = (text: string): W | undefined =>
    words.get(wordOf(text)) ?? (isChoice(text) ? undefined : words.get(leadOf(text)))
  const ofScalar = (value: Value): W | undefined =>
    typeof value === "string" ? ofText(value) : typeof value === "boolean" ? words.get(String(value)) : undefined
  const ofFlag = (name: string, field: Value): ReadonlyArray<W> => {
    const flag = flags.get(wordOf(name))
    const said = flag === undefined ? undefined : yesOrNo(field)
    const grade = said === undefined ? undefined : said ? flag!.yes : flag!.no
    return grade === undefined ? [] : [grade]
  }
  // null is a verdict that says nothing sure.
  const gradesOf = (value: Value, depth: number): ReadonlyArray<W | null> => {
    if (isFields(value))
      return [
        ...value.fields.flatMap(([name, field]) => ofFlag(name, field)),
        ...fieldsNamed(value, verdictNames).flatMap((field) => (depth < deepest ? gradesOf(field, depth + 1) : [null]))
      ]
    if (isList(value)) return value.length === 1 && depth < deepest ? gradesOf(value[0]!, depth + 1) : [null]
    return [ofScalar(value) ?? null]
  }
  const settled = (
    grades: ReadonlyArray<W | null>,
    quote: () => string | undefined
  ): Graded<W> | "unclear" | undefined => {
    const [first, ...others] = new Set(grades)
    if (first === undefined) return undefined
    if (first === null || others.length > 0) return "unclear"
    const words = quote()
    return words === undefined || words === "" ? { grade: first } : { grade: first, quote: words }
  }
  return {
    value: (value) => settled(gradesOf(value, 0), () => textNamed(value, quoteNames)),
    line: (text) => {
      const parts = text.split(marks).map((part) => part.trim())
      const lead = ofText(parts[0] ?? "")
      const exact = parts.slice(1).flatMap((part) => words.get(wordOf(part)) ?? [])
      return settled([...(lead === undefined ? [] : [lead]), ...exact], () =>
        /["“«]([^"”»]{1,1000})["”»]/.exec(text)?.[1]?.trim()
      )
    },
    same: (a, b) => a.grade === b.grade
  }
}
