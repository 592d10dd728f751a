import * as Result from "effect/Result"
import { type Problem, showValue } from "../domain/InputError.ts"
import { repeatedName } from "./jsonNames.ts"
import { withUnixLines } from "./textFile.ts"

const placeAt = (text: string, position: number): Pick<Problem, "line" | "column"> => {
  const before = text.slice(0, position).split("\n")
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

/**
 * The value of a JSON text, or why it is none, with the place as far as it is known. An object that has a name twice is
 * refused: parsers keep one of the two values and say nothing.
 */
export const parseJson = (text: string): Result.Result<unknown, Problem> => {
  if (text.trim() === "") return Result.fail({ what: "is empty", expected: "JSON" })
  try {
    const value: unknown = JSON.parse(text)
    const repeated = repeatedName(text, value)
    if (repeated === undefined) return Result.succeed(value)
    if (repeated === "deep") return Result.fail({ what: "is nested too deeply to be data" })
    return Result.fail({
      ...placeAt(text, repeated.position),
      what: `the name ${showValue(repeated.name)} is there twice in one object`,
      expected: "each name once"
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { message } = error
    const position = /at position (\d+)/.exec(message)?.[1]
    return Result.fail({
      ...(position === undefined ? {} : placeAt(text, Number(position))),
      what: `not JSON: ${message.replace(/(?: in JSON)? at position .*$/s, "").replace(/, (?:\.\.\.)?"[\s\S]*$/, "")}`,
      ...(/\r(?!\n)/.test(text) ? { hint: "Its lines end in CR alone, as on old Macs: save it with LF or CRLF" } : {})
    })
  }
}

/**
 * The number as text, where it names something: whole numbers above 2^53 are not kept apart by JSON's readers, and two
 * ids would become one.
 */
export const numberText = (value: number): string | Problem =>
  Number.isInteger(value) && !Number.isSafeInteger(value)
    ? {
        what: "is too large a number to be read exactly",
        found: `about ${value}`,
        expected: "text",
        hint: "Write the id as text, in quotes"
      }
    : String(value)

/**
 * A JSON value with its texts cleaned (Windows line ends as line feeds, half surrogate pairs as U+FFFD), in how many
 * texts half a pair was found, and the path of the first of them. `merged` says that two different texts became one.
 */
export const cleanTexts = (
  value: unknown
): { readonly value: unknown; readonly illFormed: number; readonly first: string; readonly merged: boolean } => {
  let illFormed = 0
  let first = ""
  const replaced = new Map<string, string>()
  const whole = new Set<string>()
  let merged = false
  const clean = (part: unknown, path: string): unknown => {
    if (typeof part === "string") {
      const text = withUnixLines(part)
      if (text.isWellFormed()) {
        if (text.includes("\ufffd")) whole.add(text)
        return text
      }
      if (illFormed === 0) first = path
      illFormed += 1
      const well = text.toWellFormed()
      if ((replaced.get(well) ?? text) !== text) merged = true
      replaced.set(well, text)
      return well
    }
    if (Array.isArray(part)) return part.map((one, at) => clean(one, `${path}[${at}]`))
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, field]) => [name, clean(field, path === "" ? name : `${path}.${name}`)])
    )
  }
  const cleaned = clean(value, "")
  return { value: cleaned, illFormed, first, merged: merged || [...replaced.keys()].some((text) => whole.has(text)) }
}

/** Why an importer takes no texts with half a character: replaced, two of them could become one note. */
export const halfCharacter = ({
  first,
  illFormed
}: {
  readonly first: string
  readonly illFormed: number
}): Problem | undefined =>
  illFormed === 0
    ? undefined
    : {
        ...(first === "" ? {} : { field: first }),
        what: "the text holds half a character (a lone surrogate)",
        expected: "whole characters",
        hint: "It was cut within a character: take the half out"
      }
