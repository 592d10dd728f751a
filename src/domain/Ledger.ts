import * as Schema from "effect/Schema"
import { CandidateId } from "./Candidate.ts"
import { canonicalJson, hashOf } from "./hash.ts"
import { Preregistration } from "./Preregistration.ts"
import { Hash } from "./Split.ts"

/** What each section of a split manifest hashes to, so that a changed manifest can be told by the section. */
export const SplitDigest = Schema.Struct({
  name: Schema.String,
  hash: Hash,
  sections: Schema.Record(Schema.String, Hash)
})
export type SplitDigest = typeof SplitDigest.Type

const Every = {
  /** The place in the file, from 1. */
  line: Schema.Int,
  /** ISO 8601, UTC. */
  time: Schema.String,
  user: Schema.String,
  split: Hash,
  purpose: Schema.String,
  /** The `hash` of the line before; 64 zeros in the first line. */
  previous: Hash,
  /** Of the line's other fields, as canonical JSON. */
  hash: Hash
}

const Common = {
  ...Every,
  /** SHA-256 of the bytes of the pre-registration's file. */
  preregistration: Hash,
  candidate: CandidateId
}

/** One line of a split's ledger (`splits/*.ledger.jsonl`): what was promised, every opening of the holdout, what came of it. */
export const LedgerLine = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("preregistration"),
    ...Common,
    digest: SplitDigest,
    document: Preregistration
  }),
  Schema.Struct({
    kind: Schema.Literal("unsealing"),
    ...Common,
    /** Why the holdout was opened once more; null for the first opening. */
    again: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({
    kind: Schema.Literal("read-out"),
    ...Common,
    /** The `hash` of the unsealing that this is the read-out of. */
    unsealing: Hash,
    /** Of the read-out, as canonical JSON. */
    readOut: Hash,
    decision: Schema.Literals(["passed", "failed"])
  }),
  /** The holdout was judged outside of any confirmation, by somebody who said that its split is to be ignored. */
  Schema.Struct({ kind: Schema.Literal("spent"), ...Every })
])
export type LedgerLine = typeof LedgerLine.Type

type Chained = "line" | "previous" | "hash"
type Unchained<L> = L extends unknown ? Omit<L, Chained> : never

/** A line before it has its place in the chain. */
export type LedgerEntry = Unchained<LedgerLine>

export const noLine = "0".repeat(64)

/** The entry as the next line after `last`. */
export const chained = (entry: LedgerEntry, last: LedgerLine | undefined): LedgerLine => {
  const placed = { ...entry, line: (last?.line ?? 0) + 1, previous: last?.hash ?? noLine }
  return { ...placed, hash: hashOf(placed) } as LedgerLine
}

/** A line as it stands in the file, without the line end. */
export const lineText = (line: LedgerLine): string => canonicalJson(line)
