import * as Schema from "effect/Schema"
import { Measure } from "./Campaign.ts"
import { CandidateId, Instructions } from "./Candidate.ts"
import { Hash } from "./Split.ts"

/** A judge that takes part in a confirmation. */
export const Contender = Schema.Struct({
  id: CandidateId,
  name: Schema.NonEmptyString,
  instructions: Instructions,
  /** Of one that a person wrote or edited: who, and why. Left out for what the search made. */
  human: Schema.optionalKey(Schema.Struct({ author: Schema.String, reason: Schema.String }))
})
export type Contender = typeof Contender.Type

/** The test that decides on the primary measure. Two-sided, at `alpha`. */
export const PrimaryTest = Schema.Literals(["cluster-swap", "detection-swap", "auc-swap"])
export type PrimaryTest = typeof PrimaryTest.Type

/** What is promised before the holdout is opened: everything that could be chosen afterwards to please. */
export const Preregistration = Schema.Struct({
  format: Schema.Literal("assize-preregistration/1"),
  /** For people; says nothing that is not in the fields. */
  summary: Schema.String,
  run: Schema.NonEmptyString,
  campaign: Schema.String,
  split: Schema.Struct({ name: Schema.String, hash: Hash }),
  candidate: Contender,
  /** The first is the one of the primary comparison. */
  baselines: Schema.NonEmptyArray(Contender),
  judge: Schema.Struct({
    design: Schema.String,
    samples: Schema.Int,
    options: Schema.optionalKey(Schema.Unknown)
  }),
  /** The model's pin: provider, model, address and sampling parameters. */
  model: Schema.Unknown,
  /** Hash of the fixed parts of the prompt. */
  prompt: Hash,
  /**
   * Run seeds. The primary measure and its test are of all of them, flags in the secondary tests of the first; between
   * themselves they show the noise floor.
   */
  replicates: Schema.NonEmptyArray(Schema.Int),
  primary: Measure,
  secondary: Schema.NullOr(Measure),
  /** Most false alarms at the operating points, as a share of the clean notes. */
  cap: Schema.Finite,
  tests: Schema.Struct({
    primary: PrimaryTest,
    alpha: Schema.Finite,
    /** Names of the tests that are adjusted together. */
    secondary: Schema.Array(Schema.String),
    adjustment: Schema.Literal("holm"),
    seed: Schema.Int,
    resamples: Schema.Int
  }),
  gate: Schema.Struct({
    /** Gains over the first baseline on the acceptance part, which must be exceeded before the holdout is opened. */
    acceptance: Schema.Struct({ primary: Schema.Finite, secondary: Schema.NullOr(Schema.Finite) }),
    /** On the holdout: a gain above this, significant by the primary test. */
    holdout: Schema.Struct({ primary: Schema.Finite })
  })
})
export type Preregistration = typeof Preregistration.Type
