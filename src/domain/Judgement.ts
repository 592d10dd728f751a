import * as Schema from "effect/Schema"
import { Severity } from "./Dataset.ts"

/**
 * One thing that a judge found by itself in a note: a fact of the consultation, a question of its checklist, a criterion.
 * Fact verdicts are `full`, `partial`, `absent`, or `present` where no more is asked; of questions `yes` and `no`; of
 * criteria `met` and `not-met`.
 */
export const Finding = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  verdict: Schema.Literals(["full", "partial", "absent", "present", "yes", "no", "met", "not-met"]),
  severity: Schema.optionalKey(Severity),
  /** The note's own words for it. */
  quote: Schema.optionalKey(Schema.String),
  /** Found by the second look only. */
  rescued: Schema.optionalKey(Schema.Boolean),
  /** Of a criterion. */
  points: Schema.optionalKey(Schema.Finite)
})
export type Finding = typeof Finding.Type

/**
 * What became of judging one note. Only `scored` holds a score: a reply that cannot be read and a call that failed
 * are no scores, and are told apart, since the first is the judge's doing and the second is not.
 */
export const Outcome = Schema.TaggedUnion({
  scored: {
    score: Schema.Finite,
    /** The judge's own words for its score, cut to a sensible length. */
    reason: Schema.optionalKey(Schema.String),
    /** What the score is made of, where the judge says. */
    findings: Schema.optionalKey(Schema.Array(Finding)),
    /** Whether the judge itself flags the note, where its design has a rule for that beside the score. */
    flagged: Schema.optionalKey(Schema.Boolean),
    /** What else was counted on the way, by name: the unweighted score, verdicts coerced, rescues refused. */
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite))
  },
  /** No sample could be read, even after a retry. */
  unparsed: { reply: Schema.String },
  /** The calls failed: infrastructure, not judgement. */
  failed: { cause: Schema.String }
})
export type Outcome = typeof Outcome.Type

/** The outcomes of judging items, by item id. */
export const Outcomes = Schema.Record(Schema.String, Outcome)
export type Outcomes = typeof Outcomes.Type

/** The score of an outcome; NaN where there is none. Kept out of files: JSON knows no NaN. */
export const scoreOf = (outcome: Outcome | undefined): number =>
  outcome?._tag === "scored" ? outcome.score : Number.NaN
