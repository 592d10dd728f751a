import type { ErrorClass, Severity, Trace } from "../domain/Dataset.ts"
import type { Finding } from "../domain/Judgement.ts"
import { pairOutcome } from "../measure/discrimination.ts"
import type { VerdictDifference, VerdictPair } from "./verdicts.ts"

/** What the reflector learns of one note of the minibatch. Made from items of the train part only. */
export interface NoteTrace {
  /** A letter for the consultation and a number for the note, as `A2`: names of this prompt only. */
  readonly label: string
  readonly verdict: "right" | "wrong" | "unreadable" | "not judged"
  /** Null where no score could be read. */
  readonly score: number | null
  readonly reason: string | null
  readonly truth: TraceTruth
  /** Of a flawed note, where the judge says what its score is made of. */
  readonly verdicts?: VerdictDifference
  /** Of a clean note, likewise: what the judge held against it. */
  readonly against?: ReadonlyArray<Pick<Finding, "text" | "verdict" | "severity">>
}

export type TraceTruth =
  | { readonly kind: "clean" }
  | {
      readonly kind: "flawed"
      readonly twin: string
      readonly twinScore: number | null
      readonly class: ErrorClass
      readonly trace?: Trace
      readonly severity?: Severity
      /** The omitted, added or altered content by name. */
      readonly fact?: string
      /** What the clean twin says where the flawed note differs, and what the flawed note says there. */
      readonly cleanPassage: string
      readonly flawedPassage: string
      /** Mentions of the omitted fact that the flawed note still has. */
      readonly surviving: ReadonlyArray<string>
    }

const scoreText = (score: number | null) => (score === null ? "no score that could be read" : `score ${score}`)

const quoted = (text: string) => (text === "" ? "(nothing)" : JSON.stringify(text))

/** What is true of a note, line by line. */
export const truthLines = (truth: TraceTruth): ReadonlyArray<string> =>
  truth.kind === "clean"
    ? ["Truth: clean. The note is faithful and complete."]
    : [
        `Truth: flawed. One ${truth.class}${truth.trace === undefined ? "" : `, trace ${truth.trace}`}${truth.severity === undefined ? "" : `, severity ${truth.severity}`}.`,
        ...(truth.fact === undefined
          ? []
          : [`${truth.class === "omission" ? "Missing fact" : "Content concerned"}: ${truth.fact}`]),
        `The clean twin says: ${quoted(truth.cleanPassage)}`,
        `The flawed note says instead: ${quoted(truth.flawedPassage)}`,
        ...truth.surviving.map((mention) => `A mention survives elsewhere in the flawed note: ${quoted(mention)}`)
      ]

/** Its score and its words for it. */
export const judgeLine = (trace: NoteTrace): string =>
  `${scoreText(trace.score)}${trace.reason === null ? "" : `, because ${JSON.stringify(trace.reason)}`}`

const listed = 8
const thingLength = 200

const thing = (text: string, severity: string | undefined) =>
  `${quoted(text.length <= thingLength ? text : `${text.slice(0, thingLength)}…`)}${severity === undefined ? "" : ` (${severity})`}`

const list = <A>(title: string, all: ReadonlyArray<A>, show: (one: A) => string): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        title,
        ...all.slice(0, listed).map((one) => `- ${show(one)}`),
        ...(all.length > listed ? [`- and ${all.length - listed} more`] : [])
      ]

const versus = ({ flawed, severity, text, twin }: VerdictPair) =>
  `${thing(text, severity)}: ${flawed} in this note, ${twin} in the twin`

const verdictLines = ({ better, both, compared, rescued, worse }: VerdictDifference): ReadonlyArray<string> => [
  ...(worse.length === 0
    ? [`Verdicts: none of the ${compared} things that the judge checked is worse in this note than in its twin.`]
    : list("Verdicts that are worse in this note than in its twin:", worse, versus)),
  ...list("Verdicts that are better in this note than in its twin, though only this note is flawed:", better, versus),
  ...list(
    "Held against both notes alike:",
    both,
    ({ flawed, severity, text }) => `${thing(text, severity)}: ${flawed}`
  ),
  ...list(
    "Found by the second look only:",
    rescued,
    ({ quote, text, where }) =>
      `${thing(text, undefined)} in ${where === "flawed" ? "this note" : "the twin"}${quote === undefined ? "" : `, by the words ${quoted(quote)}`}`
  )
]

/** How a flawed note came out against its twin: verdict by verdict where the judge gives them, and by score. */
export const rankLines = (trace: NoteTrace): ReadonlyArray<string> => {
  if (trace.truth.kind === "clean") {
    return list(
      "Held against this clean note:",
      trace.against ?? [],
      ({ severity, text, verdict }) => `${thing(text, severity)}: ${verdict}`
    )
  }
  if (trace.score === null || trace.truth.twinScore === null) return []
  const twin = `its clean twin ${trace.truth.twin} has ${scoreText(trace.truth.twinScore)}`
  const outcome = pairOutcome(trace.score, trace.truth.twinScore)
  return [
    ...(trace.verdicts === undefined ? [] : verdictLines(trace.verdicts)),
    outcome === 1
      ? `Rank: right. It scored below; ${twin}.`
      : `Rank: wrong. It scored ${outcome === 0.5 ? "the same" : "above"}; ${twin}.`
  ]
}

const diagnosis = (trace: NoteTrace): string => {
  if (trace.verdict === "not judged") return "Diagnosis: the call failed; nothing can be learned from this note."
  if (trace.verdict === "unreadable") return "Diagnosis: the judge's answer held no score that could be read."
  if (trace.truth.kind === "clean") {
    return trace.verdict === "right"
      ? "Diagnosis: correct. Keep what led to this."
      : "Diagnosis: the judge held against a clean note something that is no flaw, or scored it no better than its flawed twin."
  }
  if (trace.verdict === "right") return "Diagnosis: correct. Keep what led to this."
  if (trace.truth.class === "omission") {
    return trace.truth.surviving.length > 0
      ? "Diagnosis: the judge took a surviving mention for the whole fact, or never looked for the fact."
      : "Diagnosis: the judge never noticed that the fact is missing from the note."
  }
  return trace.truth.class === "addition"
    ? "Diagnosis: the judge did not notice content that nothing in the transcript supports."
    : "Diagnosis: the judge did not notice that a detail of the note differs from the transcript."
}

/** One trace as the reflection prompt shows it. */
export const renderTrace = (trace: NoteTrace): string =>
  [
    `<trace note="${trace.label}" verdict="${trace.verdict}">`,
    ...truthLines(trace.truth),
    `Judge: ${judgeLine(trace)}`,
    ...rankLines(trace),
    diagnosis(trace),
    "</trace>"
  ].join("\n")
