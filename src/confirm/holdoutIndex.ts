import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { TextIndex } from "../audit/AuditInput.ts"
import { indexOfPart, notLookedAt } from "../audit/textIndex.ts"
import { readDataset } from "../dataset/read.ts"
import { InputError } from "../domain/InputError.ts"
import { withoutPairs } from "../split/exclusions.ts"
import { readManifest } from "../split/manifestFile.ts"
import { verifySplit } from "../split/verify.ts"
import { ledgerPath, soundLedger } from "./ledgerFile.ts"
import { linesOf } from "./verifyLedger.ts"

/**
 * What an audit may learn of a holdout: an index that answers whether words of an instruction stand in its texts, and
 * quotes those places. It gives nothing else away, and answers only once the split's ledger, which must be sound, holds
 * an unsealing of this very split: before that no holdout text is read, and the index says that it is sealed.
 */
export const holdoutIndex = Effect.fn("holdoutIndex")(function* (
  manifestFile: string,
  dataset: string
): Effect.fn.Return<TextIndex, InputError, FileSystem.FileSystem | Path.Path> {
  const manifest = yield* readManifest(manifestFile)
  const { lines } = yield* soundLedger(ledgerPath(manifestFile))
  if (!linesOf(lines, "unsealing").some(({ split }) => split === manifest.hash)) {
    return notLookedAt(
      "holdout",
      "sealed: its ledger holds no unsealing of this split; audit again after a confirmation"
    )
  }
  const read = yield* readDataset(dataset)
  const problems = verifySplit(manifest, read)
  if (problems.length > 0) {
    return yield* new InputError({ problems: problems.map((problem) => ({ ...problem, file: manifestFile })) })
  }
  const byId = new Map(read.consultations.map((one) => [one.id, one]))
  const excluded = new Set(manifest.exclusions.pairs)
  return indexOfPart(
    "holdout",
    manifest.holdout.map((id) => withoutPairs(byId.get(id)!, excluded))
  )
})
