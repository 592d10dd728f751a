import * as Schema from "effect/Schema"

/**
 * What became of judging one note. Only `scored` holds a score: a reply that cannot be read and a call that failed
 * are no scores, and are told apart, since the first is the judge's doing and the second is not.
 */
export const Outcome = Schema.TaggedUnion({
  scored: {
    score: Schema.Finite,
    /** The judge's own words for its score, cut to a sensible length. */
    reason: Schema.optionalKey(Schema.String)
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
