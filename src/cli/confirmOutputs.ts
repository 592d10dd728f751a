import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { checkPlace } from "../dataset/write.ts"
import { InputError } from "../domain/InputError.ts"
import { outputProblems } from "./outputs.ts"

export interface ConfirmOutputs {
  /** Where the prompt goes: a file for each module of the judge. */
  readonly targets: ReadonlyArray<string>
  readonly markdown: Option.Option<string>
  /** Whether what is there already may be replaced. */
  readonly mayReplace: boolean
  /** Files that the confirmation rests on, by what they are. */
  readonly reads: ReadonlyArray<readonly [what: string, file: string]>
}

/**
 * Whether all that comes out will find its place: found out before the one opening, not after. Refuses a folder, a place
 * that may not be written, a file that is there already, and one that is read or written for something else.
 */
export const checkOutputs = Effect.fn("checkOutputs")(function* ({
  markdown,
  mayReplace,
  reads,
  targets
}: ConfirmOutputs) {
  const fs = yield* FileSystem.FileSystem
  const outs = targets.length === 0 ? [Option.none<string>()] : targets.map((target) => Option.some(target))
  const clashes = outs.flatMap((out) => outputProblems({ out, markdown }, reads))
  if (clashes.length > 0) {
    // The Markdown file clashes with an input once, however many files the prompt has.
    const distinct = new Map(clashes.map((problem) => [JSON.stringify(problem), problem]))
    return yield* new InputError({ problems: [...distinct.values()] })
  }
  const written = [...targets, ...Option.toArray(markdown)]
  yield* Effect.forEach(written, checkPlace, { discard: true })
  if (mayReplace) return
  const present = yield* Effect.filter(written, (name) => Effect.orElseSucceed(fs.exists(name), () => false))
  if (present.length === 0) return
  return yield* new InputError({
    problems: present.map((name) => ({
      file: name,
      what: `${targets.includes(name) ? "the prompt" : "the read-out"} would be written here, and a file is here already`,
      hint: `Name another with ${targets.includes(name) ? "--out" : "--markdown"}, or --force to replace it`
    }))
  })
})
