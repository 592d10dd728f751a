import * as Schema from "effect/Schema"
import type { Consultation } from "./Dataset.ts"

/** The three parts of a split: what the reflector reads, what selects, and what confirms once. */
export const PartName = Schema.Literals(["train", "acceptance", "holdout"])
export type PartName = typeof PartName.Type
export const partNames = ["train", "acceptance", "holdout"] as const satisfies ReadonlyArray<PartName>

declare const partOf: unique symbol

/**
 * A consultation of one part of a split. Only the readers in `src/split` make these, so that a holdout consultation
 * cannot be passed where a train or acceptance one is asked for.
 */
export interface Member<P extends PartName> extends Consultation {
  readonly [partOf]: P
}

/** A SHA-256 in hexadecimal. */
export const Hash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "a SHA-256 hash (64 hexadecimal digits)" })
)

const Tally = Schema.Record(Schema.String, Schema.Natural)

/** What one part holds. `partial` counts omissions of which a fragment or a restatement is left. */
export const PartCounts = Schema.Struct({
  consultations: Schema.Natural,
  pairs: Schema.Natural,
  partial: Schema.Natural,
  class: Tally,
  trace: Tally,
  severity: Tally,
  stratum: Tally
})
export type PartCounts = typeof PartCounts.Type

export const Fractions = Schema.Struct({
  train: Schema.Finite,
  acceptance: Schema.Finite,
  holdout: Schema.Finite
})
export type Fractions = typeof Fractions.Type

/** What a split has if nothing else is asked for: as much to choose by, and as much to be sure by, as to learn from. */
export const thirds: Fractions = { train: 1 / 3, acceptance: 1 / 3, holdout: 1 / 3 }

/** A sealed split of a dataset by consultation (`splits/*.json`). */
export const SplitManifest = Schema.Struct({
  format: Schema.Literal("assize-split/1"),
  name: Schema.NonEmptyString,
  dataset: Schema.Struct({
    /** Relative to the manifest's folder, with forward slashes. */
    path: Schema.NonEmptyString,
    /** Of the file's bytes. */
    sha256: Hash
  }),
  seed: Schema.Int,
  fractions: Fractions,
  /** What each part has its fair share of. */
  stratification: Schema.Array(Schema.Literals(["stratum", "partial-omissions"])),
  /** Consultation ids. */
  train: Schema.Array(Schema.NonEmptyString),
  acceptance: Schema.Array(Schema.NonEmptyString),
  holdout: Schema.Array(Schema.NonEmptyString),
  /** What earlier optimisation has seen: these belong to no part. */
  exclusions: Schema.Struct({
    consultations: Schema.Array(Schema.NonEmptyString),
    pairs: Schema.Array(Schema.NonEmptyString)
  }),
  /** A content hash for each consultation of the three parts. */
  content: Schema.Record(Schema.String, Hash),
  counts: Schema.Struct({ train: PartCounts, acceptance: PartCounts, holdout: PartCounts }),
  /** Of everything above, as canonical JSON. */
  hash: Hash
})
export type SplitManifest = typeof SplitManifest.Type
