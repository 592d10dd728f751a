import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { InputError, type Problem } from "../domain/InputError.ts"
import { realPath } from "../store/realPath.ts"

/** Files that a command writes, by flag. */
export type Outputs = Readonly<Record<string, Option.Option<string>>>

const given = (outputs: Outputs): ReadonlyArray<readonly [flag: string, file: string]> =>
  Object.entries(outputs).flatMap(([flag, file]) => (Option.isSome(file) ? [[flag, file.value] as const] : []))

/**
 * Outputs that would take the place of what is read, or of each other, which `--force` does not mean either. `inputs` are
 * files by what they are.
 */
export const outputProblems = (
  outputs: Outputs,
  inputs: ReadonlyArray<readonly [what: string, file: string]>
): ReadonlyArray<Problem> => {
  const taken = new Map(inputs.map(([what, file]) => [realPath(file), what]))
  const problems: Array<Problem> = []
  for (const [flag, file] of given(outputs)) {
    const what = taken.get(realPath(file))
    if (what !== undefined) {
      problems.push({ field: `--${flag}`, what: `is the same file as ${what}`, found: file, expected: "another name" })
    }
    taken.set(realPath(file), `--${flag}`)
  }
  return problems
}

/** Refuses, before anything is bought, to write where a file is already. */
export const checkFree = Effect.fn("checkFree")(function* (outputs: Outputs) {
  const fs = yield* FileSystem.FileSystem
  const present = yield* Effect.filter(given(outputs), ([, file]) => Effect.orElseSucceed(fs.exists(file), () => false))
  if (present.length === 0) return
  return yield* new InputError({
    problems: present.map(([flag, file]) => ({
      file,
      field: `--${flag}`,
      what: "exists already and is not overwritten; nothing was sent",
      hint: "Give another name, or --force to replace it"
    }))
  })
})
