import type { Value } from "./values.ts"
import { isFields } from "./values.ts"

/** A short text without marks of emphasis, quotes and a closing full stop, in lower case: how a one-word answer is compared. */
export const wordOf = (text: string): string =>
  text.length > 200
    ? ""
    : text
        .toLowerCase()
        .replace(/[*_`"'“”‘’«»]/g, "")
        .replace(/\s+/g, " ")
        .trim()
        .replace(/[.!]$/, "")
        .trim()

/** A text's first word or words before a dash, bracket, comma or full stop: `absent (not in the plan)` begins with `absent`. */
export const leadOf = (text: string): string => wordOf(text.slice(0, 200).split(/[.,;:!(|–—\n]| - /, 1)[0] ?? "")

const affirmatives: ReadonlySet<string> = new Set(["yes", "y", "true", "✓", "✔", "✅", "[x]"])
const negatives: ReadonlySet<string> = new Set(["no", "n", "false", "✗", "✘", "❌", "[ ]"])

/** Yes or no as models write it; undefined for anything else, such as "partly". */
export const yesOrNo = (value: Value): boolean | undefined => {
  if (typeof value === "boolean") return value
  if (typeof value !== "string") return undefined
  // "YES|NO" is the question, and no answer.
  if (/^\W{0,3}(?:yes|no)\W{1,4}(?:yes|no)\W{0,3}$/i.test(value)) return undefined
  for (const word of [wordOf(value), leadOf(value)]) {
    if (affirmatives.has(word)) return true
    if (negatives.has(word)) return false
  }
  return undefined
}

/** Yes with a part left out in the same breath: "yes, but not the dose", "yes, partly". */
export const hedgedYes = (value: Value): boolean =>
  typeof value === "string" &&
  /^yes\W{1,4}(?:but (?:not|only|without)|except|apart from|other than|(?:but |only |just )?(?:partly|partially|in part|not))\b/.test(
    value.slice(0, 200).toLowerCase().replace(/\s+/g, " ").trim()
  )

/** How models write that there is nothing to say. */
export const nothings: ReadonlySet<string> = new Set(["", "none", "null", "nothing", "n/a", "na", "nil", "-", "–", "—"])

/** A field's name without case and spaces at its ends, its words joined by `_`. */
export const nameOf = (given: string): string =>
  given
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")

/** The values of the fields whose name matches as `nameOf` writes it, in order. */
export const fieldsNamed = (value: Value | undefined, name: RegExp): ReadonlyArray<Value> =>
  isFields(value) ? value.fields.flatMap(([given, field]) => (name.test(nameOf(given)) ? [field] : [])) : []

/** The text of the first matching field that has one; spaces at its ends are left out. */
export const textNamed = (value: Value | undefined, name: RegExp): string | undefined => {
  for (const field of fieldsNamed(value, name)) {
    if (typeof field === "string" && field.trim() !== "") return field.trim()
  }
  return undefined
}

export const reasonNames = /^(?:reason|reasoning|rationale|explanation|justification|evidence|comment|note|why)$/
export const quoteNames =
  /^(?:quote|quotes|quotation|excerpt|evidence|supporting_quote|supporting_text|span|source_text)$/
