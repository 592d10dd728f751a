import { type Problem, showValue } from "../domain/InputError.ts"

/** What `--compare` names: the values of the flag, and the arguments after it, of which each `--compare A B` has one. */
export interface Compared {
  readonly given: ReadonlyArray<string>
  readonly trailing: ReadonlyArray<string>
}

const oneWithoutAnother = ({ given, trailing }: Compared): Problem => ({
  field: "--compare",
  what: "names one judge without another",
  found: showValue([...given, ...trailing].join(" ")),
  expected: "two judges: --compare A B, or --compare A,B"
})

/** What is wrong with it whatever the judges are called. With a comma, a name may be one or two. */
export const comparedProblems = (compared: Compared): ReadonlyArray<Problem> => {
  const { given, trailing } = compared
  const open = given.some((one) => one.includes(","))
  return given.length === 0 || open || given.length === trailing.length ? [] : [oneWithoutAnother(compared)]
}

/** The two known names that a comma parts, whatever commas are in them; undefined where there are none such. */
const partedNames = (text: string, known: ReadonlyArray<string>): readonly [string, string] | undefined => {
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) {
    const [left, right] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    if (known.includes(left) && known.includes(right)) return [left, right]
  }
  return undefined
}

/** The comparisons asked for, of judges (or systems) that are called so; or why there are none such. */
export const comparedNames = (
  compared: Compared,
  known: ReadonlyArray<string>,
  what = "judge"
): ReadonlyArray<readonly [string, string]> | Problem => {
  const left = compared.trailing.map((name) => name.trim())
  const names = compared.given.flatMap((given): ReadonlyArray<string> => {
    const name = given.trim()
    const isName = known.includes(name)
    const parted = partedNames(name, known)
    const isOne = isName || (parted === undefined && !name.includes(","))
    if (isOne && left.length > 0) return [name, left.shift()!]
    return parted ?? (isName ? [name] : name.split(",").map((part) => part.trim()))
  })
  const all = [...names, ...left]
  const unknown = all.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    return {
      field: "--compare",
      what: `there is no ${what} ${unknown.map((name) => showValue(name)).join(", ")}`,
      expected: known.map((name) => showValue(name)).join(", ")
    }
  }
  if (all.length % 2 === 1) return oneWithoutAnother(compared)
  return Array.from({ length: all.length / 2 }, (_, at) => [all[2 * at]!, all[2 * at + 1]!] as const)
}
