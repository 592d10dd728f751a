import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { itemSet } from "../dataset/itemSet.ts"
import { readDataset } from "../dataset/read.ts"
import { InputError, inputError, type Problem } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import { labels, type NoteSet } from "../measure/scoredNotes.ts"
import { asMember } from "../split/member.ts"
import { loadOptimisationParts } from "../split/parts.ts"
import { clusterNumbers } from "../statistics/clusterOrder.ts"
import { type SealedSplit, sealedSplits } from "./sealedSplits.ts"

export type ScorePart = "all" | "train" | "acceptance" | "holdout"

export const holdoutRefused: Problem = {
  field: "--part",
  what: "the holdout is not scored: it is opened once, for a candidate that was named before, and every opening is written down",
  hint: "Confirm a candidate on it with: assize confirm RUN"
}

const ofThem = (count: number): string => `${count} of these consultations`

const sealedRefused = (dataset: string, { file, holdout }: SealedSplit): Problem => ({
  file: dataset,
  what: `the split ${file} seals ${ofThem(holdout)} as its holdout, and without --split they would be judged too`,
  hint: `Score a part of it with --split ${file}; to judge all of them and spend the holdout: --ignore-splits`
})

/** What is said when notes that splits seal are judged all the same. */
export const holdoutSpent = (dataset: string, sealed: ReadonlyArray<SealedSplit>): Problem => ({
  file: dataset,
  what: `${sealed.map(({ file, holdout }) => `${ofThem(holdout)} are the sealed holdout of ${file}`).join("; ")}: what is chosen by these figures cannot be confirmed on it any more`
})

/** A whole dataset, which must have no sealed holdout in it unless that is said to be ignored. */
const wholeDataset = Effect.fnUntraced(function* (
  dataset: string,
  { campaigns, ignoreSplits }: { readonly campaigns: ReadonlyArray<string>; readonly ignoreSplits: boolean }
) {
  const { consultations, warnings } = yield* readDataset(dataset)
  const sealed = yield* sealedSplits(dataset, consultations, campaigns)
  if (sealed.length > 0 && !ignoreSplits) {
    return yield* new InputError({ problems: sealed.map((one) => sealedRefused(dataset, one)) })
  }
  return {
    spent: sealed,
    // A dataset without a split has no holdout that could leak: which part its consultations are called means nothing.
    items: itemSet(consultations.map((one) => asMember(one, "train"))) as ItemSet,
    warnings: [
      ...warnings,
      sealed.length > 0
        ? holdoutSpent(dataset, sealed)
        : {
            file: dataset,
            what: "no split is named or known, so every consultation is judged",
            hint: "Where a split seals some of them as a holdout, name it with --split and choose a --part"
          }
    ]
  }
})

/**
 * The notes to be judged, of a whole dataset or of a part of a split; never of a holdout, of a known split either unless
 * that is to be ignored. `campaigns` are campaign files elsewhere whose splits are known. With a split, its hash too.
 */
export const loadScoreItems = Effect.fn("loadScoreItems")(function* (
  dataset: string,
  part: ScorePart,
  split: string | undefined,
  known: { readonly campaigns: ReadonlyArray<string>; readonly ignoreSplits: boolean }
): Effect.fn.Return<
  {
    readonly items: ItemSet
    readonly warnings: ReadonlyArray<Problem>
    readonly splitHash?: string
    readonly spent?: ReadonlyArray<SealedSplit>
  },
  InputError,
  FileSystem.FileSystem | Path.Path
> {
  if (part === "holdout") return yield* inputError(holdoutRefused)
  if (split !== undefined && part === "all") {
    return yield* inputError({
      field: "--part",
      what: "all of a split dataset would have the holdout in it, which is not scored",
      expected: "train or acceptance",
      hint: "Confirm a candidate on the holdout with: assize confirm RUN"
    })
  }
  if (split === undefined && part !== "all") {
    return yield* inputError({
      field: "--split",
      what: `the part ${part} is that of a split, and none is named`,
      hint: "Give the manifest with --split splits/NAME.json"
    })
  }
  const loaded = yield* split === undefined || part === "all"
    ? wholeDataset(dataset, known)
    : Effect.map(loadOptimisationParts(split, dataset), (parts) => ({
        items: itemSet(parts[part]) as ItemSet,
        warnings: [],
        splitHash: parts.manifest.hash
      }))
  if (loaded.items.pairs.length === 0) {
    return yield* inputError({
      file: dataset,
      what: `${part === "all" ? "the dataset" : `the ${part} part`} has no pairs to measure`
    })
  }
  return loaded
})

/** The notes and pairs as measures take them. */
export const noteSetOf = ({ instances, items, pairs }: ItemSet): NoteSet => {
  const consultations = clusterNumbers(items.map(({ consultation }) => consultation))
  const strata = [...new Set(pairs.flatMap(({ stratum }) => stratum ?? []))].sort()
  const code = (values: ReadonlyArray<string>, of: (pair: (typeof pairs)[number]) => string | undefined) =>
    Int8Array.from(pairs, (pair) => values.indexOf(of(pair) ?? ""))
  return {
    consultation: Int32Array.from(items, ({ consultation }) => consultations.get(consultation)!),
    consultations: consultations.size,
    clean: Int32Array.from(new Set(instances.filter(({ kind }) => kind === "clean").map(({ item }) => item))),
    pairs: {
      flawed: Int32Array.from(pairs, ({ flawed }) => flawed),
      clean: Int32Array.from(pairs, ({ clean }) => clean),
      class: code(labels.class, (pair) => pair.class),
      trace: code(labels.trace, (pair) => pair.trace),
      severity: code(labels.severity, (pair) => pair.severity),
      stratum: Int32Array.from(pairs, ({ stratum }) => strata.indexOf(stratum ?? ""))
    },
    strata
  }
}
