import * as Effect from "effect/Effect"
import { contentHash } from "../dataset/identity.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { knownSplits } from "./knownSplits.ts"

/** A split that seals some of a dataset's consultations as its holdout. */
export interface SealedSplit {
  readonly file: string
  readonly name: string
  /** How many of the consultations are in the holdout, unchanged. */
  readonly holdout: number
}

/**
 * The known splits (see `knownSplits`) that seal consultations of a dataset. A consultation is known by the hash of its
 * content, so that a copy of the dataset or a part of it is too.
 */
export const sealedSplits = Effect.fn("sealedSplits")(function* (
  dataset: string,
  consultations: ReadonlyArray<Consultation>,
  campaigns: ReadonlyArray<string>
) {
  const hashes = new Set(consultations.map(contentHash))
  return (yield* knownSplits(dataset, campaigns)).flatMap(
    ({ file, manifest: { content, holdout, name } }): ReadonlyArray<SealedSplit> => {
      const sealed = holdout.filter((id) => content[id] !== undefined && hashes.has(content[id])).length
      return sealed > 0 ? [{ file, name, holdout: sealed }] : []
    }
  )
})
