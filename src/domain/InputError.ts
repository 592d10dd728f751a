import { userMessage } from "effect/cli/CliError"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import { plain } from "./plain.ts"

/** One thing that is wrong with what the user gave. Every field is optional but the sentence. */
export const Problem = Schema.Struct({
  /** What is wrong, as a sentence without its place. */
  what: Schema.String,
  file: Schema.optionalKey(Schema.String),
  /** 1-based. */
  line: Schema.optionalKey(Schema.Int),
  /** 1-based. */
  column: Schema.optionalKey(Schema.Int),
  /** Where in the document, as `models.judge.provider` or `pairs[3].clean`. */
  field: Schema.optionalKey(Schema.String),
  found: Schema.optionalKey(Schema.String),
  expected: Schema.optionalKey(Schema.String),
  /** What to do about it. */
  hint: Schema.optionalKey(Schema.String)
})
export type Problem = typeof Problem.Type

/** The problem in one line: `file:line:column: field: what (found …, expected …). hint`, fit for a terminal. */
export const problemLine = (problem: Problem): string => {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":")
  const detail = [
    problem.found === undefined ? undefined : `found ${problem.found}`,
    problem.expected === undefined ? undefined : `expected ${problem.expected}`
  ].filter((part) => part !== undefined)
  const line = [
    place === "" ? "" : `${place}: `,
    problem.field === undefined || problem.field === "" ? "" : `${problem.field}: `,
    problem.what,
    detail.length === 0 ? "" : ` (${detail.join("; ")})`,
    problem.hint === undefined ? "" : `. ${problem.hint}`
  ].join("")
  return plain(line).replaceAll("\n", " ")
}

const shown = 50

/** The user's input cannot be used: usage, configuration or data. Exit code 2, nothing spent. */
export class InputError extends Schema.TaggedError<InputError>()("InputError", { problems: Schema.Array(Problem) }) {
  override readonly [errorExitCode] = 2
  override get message(): string {
    const lines = this.problems.slice(0, shown).map(problemLine)
    const more = this.problems.length - lines.length
    return [...lines, ...(more > 0 ? [`… and ${more} more problems`] : [])].join("\n")
  }
  override get [userMessage](): string {
    return this.message
  }
}

export const inputError = (...problems: ReadonlyArray<Problem>): InputError => new InputError({ problems })

/** The value as an error message shows it: JSON, cut to `limit` characters. */
export const showValue = (value: unknown, limit = 80): string => {
  // JSON would say null of NaN and of the infinite.
  const isJson = value !== undefined && (typeof value !== "number" || Number.isFinite(value))
  const text = value === undefined ? "nothing" : ((isJson ? JSON.stringify(value) : undefined) ?? String(value))
  return text.length <= limit ? text : `${text.slice(0, limit)}…`
}
