import * as Schema from "effect/Schema"
import { hashOf } from "./hash.ts"

/** A candidate's id: the first 12 hexadecimal digits of the hash of its instructions. Equal instructions, equal id. */
export const CandidateId = Schema.String.check(Schema.isPattern(/^[0-9a-f]{12}$/)).pipe(Schema.brand("CandidateId"))
export type CandidateId = typeof CandidateId.Type

/** The instruction of each module of the judge. A whole-note judge has the one module `judge`. */
export const Instructions = Schema.Record(Schema.String, Schema.NonEmptyString)
export type Instructions = typeof Instructions.Type

/** `human`: written, or edited from its parent, by a person. */
export const Origin = Schema.Literals(["seed", "reflection", "merge", "human"])
export type Origin = typeof Origin.Type

/** A judge's evolving part, and where it comes from. */
export const Candidate = Schema.Struct({
  id: CandidateId,
  /** A seed's own name, else `c<number>` in the order of birth. */
  name: Schema.NonEmptyString,
  origin: Origin,
  parents: Schema.Array(CandidateId),
  /** The iteration that made it; 0 for a seed; for one of a person's the last iteration before it. */
  iteration: Schema.Natural,
  instructions: Instructions,
  /** By module: passages of its instruction that no descendant may change. Left out where there are none. */
  frozen: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.NonEmptyString)))
})
export type Candidate = typeof Candidate.Type

export const candidateId = (instructions: Instructions): CandidateId =>
  CandidateId.make(hashOf(instructions).slice(0, 12))
