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
  for (const word of [wordOf(value), leadOf(value)]) {
    if (affirmatives.has(word)) return true
    if (negatives.has(word)) return false
  }
  return undefined
}

/** The values of the fields whose name matches, in order. Names are compared without case, spaces at the ends, `-` for `_`. */
export const fieldsNamed = (value: Value | undefined, name: RegExp): ReadonlyArray<Value> =>
  isFields(value)
    ? value.fields.flatMap(([given, field]) =>
        name.test(
          given
            .trim()
            .toLowerCase()
            .replace(/[\s-]+/g, "_")
        )
          ? [field]
          : []
      )
    : []

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
