import * as Schema from "effect/Schema"

export const ErrorClass = Schema.Literals(["omission", "addition", "alteration"])
export type ErrorClass = typeof ErrorClass.Type

/** What is left of an omitted fact: nothing, a partial or weak mention, or a full restatement elsewhere. */
export const Trace = Schema.Literals(["complete", "fragment", "restated"])
export type Trace = typeof Trace.Type

export const Severity = Schema.Literals(["critical", "supporting", "peripheral"])
export type Severity = typeof Severity.Type

export const Fact = Schema.Struct({
  id: Schema.NonEmptyString,
  text: Schema.NonEmptyString,
  severity: Schema.optionalKey(Severity),
  /** A quote of the transcript. */
  evidence: Schema.optionalKey(Schema.String)
})
export type Fact = typeof Fact.Type

const NoteText = Schema.String.check(Schema.makeFilter((text) => text.trim() !== "", { expected: "a note with text" }))

export const Note = Schema.Struct({ id: Schema.NonEmptyString, text: NoteText })
export type Note = typeof Note.Type

/** A mention of an omitted fact that the flawed note still has. */
export const Residual = Schema.Struct({
  quote: Schema.NonEmptyString,
  section: Schema.optionalKey(Schema.String),
  strength: Schema.optionalKey(Schema.String)
})
export type Residual = typeof Residual.Type

/** A flawed note and its clean twin: the ids of two notes of the same consultation. */
export const Pair = Schema.Struct({
  id: Schema.NonEmptyString,
  flawed: Schema.NonEmptyString,
  clean: Schema.NonEmptyString,
  class: ErrorClass,
  trace: Schema.optionalKey(Trace),
  severity: Schema.optionalKey(Severity),
  /** The id of a fact of the consultation, or the fact's own text. */
  fact: Schema.optionalKey(Schema.NonEmptyString),
  residual: Schema.optionalKey(Schema.Array(Residual)),
  errorType: Schema.optionalKey(Schema.NonEmptyString),
  errorSentence: Schema.optionalKey(Schema.String),
  correctedSentence: Schema.optionalKey(Schema.String),
  stratum: Schema.optionalKey(Schema.NonEmptyString)
})
export type Pair = typeof Pair.Type

/** A statement that a note can meet or not, and what that is worth [RUB §4.2]: below 0 for what must not be. */
export const Criterion = Schema.Struct({
  id: Schema.NonEmptyString,
  text: Schema.NonEmptyString,
  points: Schema.Finite.check(
    Schema.makeFilter((points) => points !== 0 && Math.abs(points) <= 10, { expected: "points from -10 to 10, not 0" })
  )
})
export type Criterion = typeof Criterion.Type

/** One encounter: the unit of independence. One line of a dataset file. */
export const Consultation = Schema.Struct({
  id: Schema.NonEmptyString,
  stratum: Schema.optionalKey(Schema.NonEmptyString),
  language: Schema.optionalKey(Schema.NonEmptyString),
  transcript: Schema.NullOr(Schema.String),
  facts: Schema.optionalKey(Schema.Array(Fact)),
  /** What a rubric judge asks of each note of this consultation. */
  criteria: Schema.optionalKey(Schema.Array(Criterion)),
  notes: Schema.Array(Note),
  pairs: Schema.Array(Pair)
})
export type Consultation = typeof Consultation.Type

/** Whether a pair is an omission of which something is left in the flawed note. */
export const isPartialOmission = (pair: Pick<Pair, "class" | "trace">): boolean =>
  pair.class === "omission" && (pair.trace === "fragment" || pair.trace === "restated")

/** The stratum by which a pair is broken down: its own, else its consultation's. */
export const stratumOf = (
  consultation: Pick<Consultation, "stratum">,
  pair: Pick<Pair, "stratum">
): string | undefined => pair.stratum ?? consultation.stratum

/** What a pair's fact says: the text of the consultation's fact that it names, else its own words. */
export const factText = (consultation: Consultation, pair: Pair): string | undefined =>
  consultation.facts?.find((fact) => fact.id === pair.fact)?.text ?? pair.fact
