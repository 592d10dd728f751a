import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { AuditInput, TextIndex } from "../audit/AuditInput.ts"
import { indexOfPart } from "../audit/textIndex.ts"
import { holdoutIndex } from "../confirm/holdoutIndex.ts"
import { readDataset } from "../dataset/read.ts"
import { type Consultation, factText } from "../domain/Dataset.ts"
import { InputError, type Problem } from "../domain/InputError.ts"
import { itemId } from "../domain/Item.ts"
import { loadOptimisationParts } from "../split/parts.ts"
import { sealedSplits } from "./sealedSplits.ts"

/** What an audit takes of a dataset: indices of its texts, its ids, and the acceptance part's notes. */
export interface AuditData extends Pick<AuditInput, "indices" | "ids" | "notes" | "facts"> {
  /** Of the split; undefined without one. */
  readonly split: string | undefined
  readonly warnings: ReadonlyArray<Problem>
}

/** Ids and what each is the id of; pairs by their own id, which is unique within a consultation only. */
const idsOf = (consultations: ReadonlyArray<Consultation>): ReadonlyMap<string, string> =>
  new Map([
    ...consultations.flatMap(({ pairs }) => pairs.map(({ id }) => [id, "pair"] as const)),
    ...consultations.flatMap(({ notes }) => notes.map(({ id }) => [id, "note"] as const)),
    ...consultations.map(({ id }) => [id, "consultation"] as const)
  ])

const notesOf = (consultations: ReadonlyArray<Consultation>): ReadonlyMap<string, string> =>
  new Map(consultations.flatMap(({ id, notes }) => notes.map((note) => [itemId(id, note.id), note.text] as const)))

const factsOf = (consultations: ReadonlyArray<Consultation>): ReadonlyMap<string, string> =>
  new Map(
    consultations.flatMap((consultation) =>
      consultation.pairs.flatMap((pair) => {
        const fact = factText(consultation, pair)
        return fact === undefined ? [] : [[itemId(consultation.id, pair.id), fact] as const]
      })
    )
  )

/**
 * The parts of a split: train and acceptance as they are, the holdout as far as its ledger lets it be searched. Reads and
 * verifies split and dataset. `dataset` left out means the manifest's own.
 */
export const dataOfSplit = Effect.fn("dataOfSplit")(function* (
  manifestFile: string,
  dataset: string
): Effect.fn.Return<AuditData, InputError, FileSystem.FileSystem | Path.Path> {
  const { acceptance, manifest, train } = yield* loadOptimisationParts(manifestFile, dataset)
  const holdout = yield* holdoutIndex(manifestFile, dataset)
  const indices: ReadonlyArray<TextIndex> = [
    indexOfPart("train", train),
    indexOfPart("acceptance", acceptance),
    holdout
  ]
  return {
    indices,
    ids: new Map([
      ...idsOf([...train, ...acceptance]),
      // Ids of sealed consultations are no secret: the manifest names them.
      ...manifest.holdout.map((id) => [id, "consultation"] as const)
    ]),
    notes: notesOf(acceptance),
    facts: factsOf(acceptance),
    split: manifest.hash,
    warnings: []
  }
})

/** A dataset without a split. Refused where a split that is known seals some of it as a holdout: it would be quoted. */
export const dataWithoutSplit = Effect.fn("dataWithoutSplit")(function* (
  dataset: string,
  campaigns: ReadonlyArray<string>
): Effect.fn.Return<AuditData, InputError, FileSystem.FileSystem | Path.Path> {
  const { consultations, warnings } = yield* readDataset(dataset)
  const sealed = yield* sealedSplits(dataset, consultations, campaigns)
  if (sealed.length > 0) {
    return yield* new InputError({
      problems: sealed.map(({ file, holdout }) => ({
        file: dataset,
        what: `the split ${file} seals ${holdout} of these consultations as its holdout, and without --split they would be searched and quoted too`,
        hint: `Name the split: --split ${file}`
      }))
    })
  }
  return {
    indices: [indexOfPart("data", consultations)],
    ids: idsOf(consultations),
    notes: null,
    facts: null,
    split: undefined,
    warnings
  }
})
