import * as Result from "effect/Result"
import type { Problem } from "../domain/InputError.ts"
import { withUnixLines } from "./textFile.ts"

/** The value of a JSON text, or why it is none, with the place as far as the parser tells it. */
export const parseJson = (text: string): Result.Result<unknown, Problem> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const position = /at position (\d+)/.exec(message)?.[1]
    const before = position === undefined ? undefined : text.slice(0, Number(position)).split("\n")
    return Result.fail({
      ...(before === undefined ? {} : { line: before.length, column: before.at(-1)!.length + 1 }),
      what: `not JSON: ${message.replace(/ in JSON at position .*$/s, "").replace(/, (?:\.\.\.)?"[\s\S]*$/, "")}`
    })
  }
}

/**
 * A JSON value with its texts cleaned (Windows line ends as line feeds, half surrogate pairs as U+FFFD), and in how
 * many texts half a pair was found.
 */
export const cleanTexts = (value: unknown): { readonly value: unknown; readonly illFormed: number } => {
  let illFormed = 0
  const clean = (part: unknown): unknown => {
    if (typeof part === "string") {
      if (!part.isWellFormed()) illFormed += 1
      return withUnixLines(part.toWellFormed())
    }
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [name, clean(field)]))
  }
  return { value: clean(value), illFormed }
}
