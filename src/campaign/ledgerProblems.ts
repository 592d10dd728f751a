import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Result from "effect/Result"
import { preregistrationPath, preregistrationText } from "../confirm/preregistration.ts"
import { documentAgainstLedger, type LineOf, linesOf, manifestAgainstLedger } from "../confirm/verifyLedger.ts"
import { writeNewFile } from "../dataset/write.ts"
import type { InputError } from "../domain/InputError.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { parseYaml } from "./yamlDocument.ts"

/** The pre-registrations of a split as their files say them must be what the ledger holds. */
const checkDocuments = Effect.fn("checkDocuments")(function* (
  manifestFile: string,
  lines: ReadonlyArray<LineOf<"preregistration">>
) {
  const fs = yield* FileSystem.FileSystem
  const problems = yield* Effect.forEach(lines, (line) => {
    const file = preregistrationPath(manifestFile, line.preregistration)
    return Effect.result(fs.readFileString(file)).pipe(
      Effect.map((read) => {
        const text = Result.isSuccess(read) ? read.success : undefined
        const parsed = text === undefined ? undefined : parseYaml(text, file).document?.value
        return documentAgainstLedger(line, text, parsed).map((problem) => ({ ...problem, file }))
      })
    )
  })
  return problems.flat()
})

/** Every way in which a split's ledger, its pre-registrations and its manifest disagree; empty when all hold. */
export const ledgerProblems = Effect.fn("ledgerProblems")(function* (
  manifestFile: string,
  manifest: SplitManifest,
  lines: ReadonlyArray<LedgerLine>
) {
  const against = manifestAgainstLedger(manifest, lines).map((problem) => ({ ...problem, file: manifestFile }))
  return [...against, ...(yield* checkDocuments(manifestFile, linesOf(lines, "preregistration")))]
})

/** Writes every pre-registration of a ledger again as it was entered. */
export const restorePreregistrations = Effect.fn("restorePreregistrations")(function* (
  manifestFile: string,
  lines: ReadonlyArray<LedgerLine>
): Effect.fn.Return<ReadonlyArray<string>, InputError, FileSystem.FileSystem | Path.Path> {
  return yield* Effect.forEach(linesOf(lines, "preregistration"), ({ document, preregistration }) => {
    const file = preregistrationPath(manifestFile, preregistration)
    return Effect.as(writeNewFile(file, "the pre-registration", preregistrationText(document), { force: true }), file)
  })
})
