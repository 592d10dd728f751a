import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { catchSpoolFailure } from "../dataset/byteSpool.ts"
import { openDataset } from "../dataset/read.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { InputError } from "../domain/InputError.ts"
import type { Member, SplitManifest } from "../domain/Split.ts"
import { withoutPairs } from "./exclusions.ts"
import { datasetOf, readManifest } from "./manifestFile.ts"
import { asMember } from "./member.ts"
import { verifySplit } from "./verify.ts"

/** What the optimiser may see of a dataset. No holdout note can be reached from it: of the holdout it has ids, hashes and counts. */
export interface OptimisationParts {
  readonly train: ReadonlyArray<Member<"train">>
  readonly acceptance: ReadonlyArray<Member<"acceptance">>
  readonly manifest: SplitManifest
}

/**
 * Reads a split and its dataset, verifies one against the other, and hands over the train and the acceptance part,
 * excluded pairs left out. The dataset is read in here and not passed in, so that no caller holds the whole of it.
 * `dataset` left out means the manifest's own.
 */
export const loadOptimisationParts = Effect.fn("loadOptimisationParts")(function* (
  manifestFile: string,
  datasetFile?: string
): Effect.fn.Return<OptimisationParts, InputError, FileSystem.FileSystem | Path.Path> {
  const manifest = yield* readManifest(manifestFile)
  const dataset = yield* openDataset(datasetFile ?? (yield* datasetOf(manifestFile, manifest)))
  const problems = verifySplit(manifest, dataset)
  if (problems.length > 0) {
    return yield* new InputError({ problems: problems.map((problem) => ({ ...problem, file: manifestFile })) })
  }
  const wanted = new Set([...manifest.train, ...manifest.acceptance])
  const byId = new Map<string, Consultation>()
  for (const one of dataset.consultations) if (wanted.has(one.id)) byId.set(one.id, one)
  const excluded = new Set(manifest.exclusions.pairs)
  const members = <P extends "train" | "acceptance">(part: P): ReadonlyArray<Member<P>> =>
    manifest[part].map((id) => asMember(withoutPairs(byId.get(id)!, excluded), part))
  return { train: members("train"), acceptance: members("acceptance"), manifest }
}, catchSpoolFailure)
