import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { inputError } from "../domain/InputError.ts"

const editorOf = Effect.gen(function* () {
  for (const name of ["VISUAL", "EDITOR"]) {
    const value = yield* Effect.orDie(Config.option(Config.NonEmptyString(name)))
    if (Option.isSome(value)) return value.value
  }
  return undefined
})

/**
 * The text as a person leaves it in the editor that VISUAL or EDITOR names, which may have arguments. Needs a terminal;
 * fails where the editor does, or where nothing was changed.
 */
export const editText = Effect.fn("editText")(function* (text: string) {
  const editor = yield* editorOf
  if (editor === undefined || process.stdin.isTTY !== true) {
    return yield* inputError({
      field: "--file",
      what:
        editor === undefined
          ? "neither VISUAL nor EDITOR names an editor"
          : "an editor needs a terminal, which this is not",
      hint: "Give the edited text with --file; assize runs show RUN --candidate CANDIDATE prints the present one"
    })
  }
  const edited = yield* Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-edit-"))),
    (folder) =>
      Effect.sync(() => {
        const file = join(folder, "instruction.md")
        writeFileSync(file, `${text}\n`)
        const { error, status } = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" })
        return error !== undefined || status !== 0 ? undefined : readFileSync(file, "utf8")
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  if (edited === undefined) return yield* inputError({ what: `the editor ${editor} failed; nothing was added` })
  if (edited.trim() === text.trim()) return yield* inputError({ what: "nothing was changed; nothing was added" })
  return edited
})
