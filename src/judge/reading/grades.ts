import type { VerdictReader } from "./keyed.ts"
import { isFields, isList, type Value } from "./values.ts"
import { hedgedYes, leadOf, nameOf, nothings, quoteNames, textNamed, wordOf, yesOrNo } from "./words.ts"

/** A word of a scale, with the quote that stands by it. */
export interface Graded<W extends string> {
  readonly grade: W
  readonly quote?: string
}

/** The grades that a field of this name leaves possible when it says yes, and when it says no. */
export interface Flag<W extends string> {
  readonly yes: ReadonlyArray<W>
  readonly no: ReadonlyArray<W>
  /** Where it is not said with yes or no. Undefined for a value that says nothing. */
  readonly read?: (value: Value) => boolean | undefined
}

export interface GradeWords<W extends string> {
  /** What a word in lower case stands for. */
  readonly words: ReadonlyMap<string, W>
  /** Fields that say yes or no, such as `{"present": true}`, by their names as `nameOf` writes them. */
  readonly flags?: ReadonlyMap<string, Flag<W>>
  /** What is meant where flags alone speak and leave several grades. */
  readonly general?: W
  /** More words for a grade than can be listed; each must match the whole. */
  readonly phrases?: ReadonlyArray<readonly [RegExp, W]>
}

const verdictNames =
  /^(?:(?:final_)?(?:verdict|status|grade|grading|decision|label|answer|rating|result|value|judge?ment|assessment|coverage|severity|presence|capture|class|category))$/

const marks = /[:：=|–—]|->|→| - /

const alternatives = /(?:, or |, | or | ?\/ ?| ?\| ?| ?[()[\]] ?)/

/** The first words in quotes, up to their first closing mark. By index: a pattern goes back over every opening mark. */
const quoteIn = (text: string): string | undefined => {
  let from: number | undefined
  for (const { 0: mark, index } of text.matchAll(/["“”«»]/g)) {
    if (from !== undefined && index > from && '"”»'.includes(mark)) return text.slice(from, index).trim()
    if (from === undefined || !"“«".includes(mark)) from = '"“«'.includes(mark) ? index + 1 : undefined
  }
  return undefined
}

/** How deep a verdict may be wrapped: `{"verdict": {"label": "full"}}`. */
const deepest = 3

/** `is_present` and `recorded_in_the_note` are `present` and `recorded`. */
const flagName = (name: string): string =>
  nameOf(name)
    .replace(/^(?:is|was|has|fact)_(?=.)/, "")
    .replace(/_(?:in|by)_(?:the_)?note$/, "")

/**
 * Reads words of a scale, keyed by id. What stands beside a verdict must leave it possible: "full" with
 * `"present": "no"` is no verdict.
 */
export const gradeReader = <W extends string>({
  flags = new Map(),
  general,
  phrases = [],
  words
}: GradeWords<W>): VerdictReader<Graded<W>> => {
  const ofWord = (word: string): W | undefined =>
    words.get(word) ?? phrases.find(([phrase]) => phrase.test(word.slice(0, 200)))?.[1]
  /** "full, partial or absent" is the question, and no answer. */
  const isChoice = (text: string): boolean =>
    new Set(
      wordOf(text)
        .split(alternatives, 4)
        .flatMap((word) => words.get(word.trim()) ?? [])
    ).size > 1
  const ofText = (text: string): W | undefined =>
    ofWord(wordOf(text)) ?? (isChoice(text) ? undefined : ofWord(leadOf(text)))
  const ofScalar = (value: Value): W | undefined =>
    typeof value === "string" ? ofText(value) : typeof value === "boolean" ? words.get(String(value)) : undefined
  const isNothing = (value: Value): boolean =>
    value === null || (typeof value === "string" && nothings.has(wordOf(value)) && ofText(value) === undefined)

  /** What a field leaves possible; undefined where it says nothing of the kind. */
  const leftBy = (name: string, field: Value): ReadonlyArray<W> | undefined => {
    const flag = flags.get(flagName(name))
    if (flag === undefined) return undefined
    const said = flag.read === undefined ? (hedgedYes(field) ? undefined : yesOrNo(field)) : flag.read(field)
    return said === undefined ? undefined : said ? flag.yes : flag.no
  }

  interface Said {
    /** null is a verdict that says nothing sure. */
    readonly grades: ReadonlyArray<W | null>
    readonly left: ReadonlyArray<ReadonlyArray<W>>
  }
  const saidBy = (value: Value, depth: number): Said => {
    if (isFields(value)) {
      const left = value.fields.flatMap(([name, field]) => {
        const possible = leftBy(name, field)
        return possible === undefined ? [] : [possible]
      })
      const verdicts = value.fields.flatMap(([name, field]) =>
        verdictNames.test(nameOf(name)) && leftBy(name, field) === undefined ? [field] : []
      )
      const telling = verdicts.filter((field) => !isNothing(field))
      const parts = (telling.length > 0 ? telling : verdicts).map(
        (field): Said => (depth < deepest ? saidBy(field, depth + 1) : { grades: [null], left: [] })
      )
      return {
        grades: parts.flatMap(({ grades }) => grades),
        left: [...left, ...parts.flatMap((part) => part.left)]
      }
    }
    if (isList(value))
      return value.length === 1 && depth < deepest ? saidBy(value[0]!, depth + 1) : { grades: [null], left: [] }
    return { grades: [ofScalar(value) ?? null], left: [] }
  }

  const settled = ({ grades, left }: Said, quote: () => string | undefined): Graded<W> | "unclear" | undefined => {
    const distinct = new Set(grades)
    if (distinct.size === 0 && left.length === 0) return undefined
    const possible = left.reduce<ReadonlyArray<W> | undefined>(
      (all, each) => (all === undefined ? each : all.filter((grade) => each.includes(grade))),
      undefined
    )
    const [first] =
      distinct.size > 0 ? distinct : possible!.length === 1 ? possible! : possible!.filter((each) => each === general)
    if (first === undefined || first === null || distinct.size > 1) return "unclear"
    if (possible !== undefined && !possible.includes(first)) return "unclear"
    const words = quote()
    return words === undefined || words === "" ? { grade: first } : { grade: first, quote: words }
  }

  const ofValue = (value: Value): Graded<W> | "unclear" | undefined =>
    settled(saidBy(value, 0), () => textNamed(value, quoteNames))
  return {
    value: ofValue,
    line: (text) => {
      const parts = text.split(marks).map((part) => part.trim())
      const lead = ofText(parts[0] ?? "")
      const exact = parts.slice(1).flatMap((part) => ofWord(wordOf(part)) ?? [])
      return settled({ grades: [...(lead === undefined ? [] : [lead]), ...exact], left: [] }, () => quoteIn(text))
    },
    named: (name) => {
      const verdict = ofValue(name.replace(/[_-]+/g, " "))
      return verdict === "unclear" ? undefined : verdict
    },
    within: (name, verdict) => {
      const grade = ofText(name.replace(/[_-]+/g, " "))
      const possible = grade === undefined ? flags.get(flagName(name))?.yes : [grade]
      return possible === undefined || possible.includes(verdict.grade) ? verdict : "unclear"
    },
    same: (a, b) => a.grade === b.grade
  }
}
