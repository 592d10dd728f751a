import * as Option from "effect/Option"
import type { Problem } from "../domain/InputError.ts"

/** Whether a flag was on the command line: one that is optional, may be repeated, or is a switch. */
const isGiven = (value: unknown): boolean =>
  Option.isOption(value) ? Option.isSome(value) : Array.isArray(value) ? value.length > 0 : value === true

/** `budgetUsd` as it is typed: `--budget-usd`. */
const typed = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Those of the flags that were given, as they are typed. Keys are the flags' names in camel case. */
export const givenOf = <Input>(input: Input, keys: ReadonlyArray<keyof Input & string>): ReadonlyArray<string> =>
  keys.filter((key) => isGiven(input[key])).map(typed)

/** A problem for each of the flags that was given although it would change nothing. `what` says beside what, and why. */
export const meaningless = <Input>(
  input: Input,
  keys: ReadonlyArray<keyof Input & string>,
  what: string
): ReadonlyArray<Problem> => givenOf(input, keys).map((field) => ({ field, what }))

/** A problem where more than one of the flags was given, of which only one can be heeded. */
export const onlyOne = <Input>(input: Input, keys: ReadonlyArray<keyof Input & string>): ReadonlyArray<Problem> => {
  const [first, ...others] = givenOf(input, keys)
  return first === undefined || others.length === 0
    ? []
    : [{ field: first, what: `and ${others.join(" and ")} ask for different things`, expected: "one of them" }]
}
