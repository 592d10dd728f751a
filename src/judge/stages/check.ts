import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { type Flag, type Graded, gradeReader } from "../reading/grades.ts"
import { combined as bothAnswers, readKeyed } from "../reading/keyed.ts"
import { type Fact, factLines, noTranscript, objectOf, question, retried, retriedFor } from "./asking.ts"

/** `present-absent` is the two-stage pipeline's scale, `full-partial-absent` the three-stage one's [OB §7.1]. */
export type Scale = "present-absent" | "full-partial-absent"

/** What the stage is told. The facts' severity is withheld, so that it cannot sway the verdict [OB §C.1]. */
export interface CheckInput {
  readonly transcript: string | null
  readonly note: string
  readonly facts: ReadonlyArray<Fact>
  readonly scale: Scale
}

/** Transcript, facts, note: notes of one consultation share the longest prefix. */
export const preamble = `You check a clinical note against a list of facts from the consultation that it documents.

<transcript>
{{transcript}}
</transcript>

<facts>
{{facts}}
</facts>

<note>
{{note}}
</note>

Follow this instruction:

<instruction>
`

const scales = {
  "present-absent": ["present", "absent"],
  "full-partial-absent": ["full", "partial", "absent"]
} as const
export type Grade = (typeof scales)[Scale][number]

const listed = (words: ReadonlyArray<string>) => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

const shapeOf = (scale: Scale) =>
  `{"verdicts": [{"id": "the fact's id", "quote": "the note's own words, or nothing", "verdict": "${listed(scales[scale])}"}]}`

const meaning: Readonly<Record<Scale, string>> = {
  "present-absent": `"present" if the note records it, "absent" if it does not`,
  "full-partial-absent": `"full" if the note records it, "partial" if the note has a part of it only or says it more weakly, "absent" if it does not record it`
}

const contractOf = (scale: Scale) => `
</instruction>

Give every fact of the list one verdict, by its id: ${meaning[scale]}. Quote the words of the note that decide it, and leave the quote empty where there are none.
Answer with one JSON object and nothing else: ${shapeOf(scale)}
`

export const contracts: Readonly<Record<Scale, string>> = {
  "present-absent": contractOf("present-absent"),
  "full-partial-absent": contractOf("full-partial-absent")
}
/** The three-stage pipeline's. */
export const contract = contracts["full-partial-absent"]

const answerOn = (scale: Scale): AnswerSchema => ({
  name: "verdicts",
  schema: objectOf({
    verdicts: {
      type: "array",
      items: objectOf({
        id: { type: "string" },
        quote: { type: "string", description: "the note's own words, or nothing" },
        verdict: { type: "string", enum: [...scales[scale]] }
      })
    }
  })
})

export const answers: Readonly<Record<Scale, AnswerSchema>> = {
  "present-absent": answerOn("present-absent"),
  "full-partial-absent": answerOn("full-partial-absent")
}
/** The three-stage pipeline's. */
export const answer = answers["full-partial-absent"]

export const messages = (input: CheckInput, instruction: string): ReadonlyArray<Message> =>
  question(
    { preamble, contract: contracts[input.scale] },
    { transcript: input.transcript ?? noTranscript, facts: factLines(input.facts), note: input.note },
    instruction
  )

export interface FactVerdict {
  readonly verdict: Grade
  /** As the judge gives it: whether the note has it is not known yet. */
  readonly quote?: string
}

export type ParsedVerdicts =
  | {
      readonly kind: "verdicts"
      /** By id, in the order asked; never one that was not asked for. */
      readonly verdicts: ReadonlyMap<string, FactVerdict>
      readonly missing: ReadonlyArray<string>
      readonly invented: ReadonlyArray<string>
      readonly duplicated: ReadonlyArray<string>
      /** Verdicts "partial" that were read as "present", because the scale has no such grade. */
      readonly coerced: number
    }
  | { readonly kind: "unreadable"; readonly why: string }

/** After a reply with ids missing they alone are asked for; after one that could not be read, all. */
export const retryMessages = (
  asked: ReadonlyArray<Message>,
  reply: string,
  parsed: ParsedVerdicts,
  scale: Scale
): ReadonlyArray<Message> =>
  parsed.kind === "verdicts"
    ? retriedFor(asked, reply, parsed.missing, shapeOf(scale))
    : retried(
        asked,
        reply,
        `That answer has no verdicts that can be read. Answer again with one JSON object and nothing else: ${shapeOf(scale)}`
      )

const absent = ["absent", "missing", "not present", "not found", "not mentioned", "not recorded", "omitted"]
const partial = ["partial", "partially", "partly", "partially present", "partly present", "partially recorded"]
const full = ["full", "fully", "full match", "fully present", "fully recorded", "fully captured"]
const present = ["present", "found", "recorded", "mentioned", "yes", "true", "included"]

type Read = "present" | "full" | "partial" | "absent"

const words = (entries: Readonly<Partial<Record<Read, ReadonlyArray<string>>>>): ReadonlyMap<string, Read> =>
  new Map(Object.entries(entries).flatMap(([grade, names]) => names.map((name) => [name, grade as Read] as const)))

/** Names of fields that say whether the note has the fact at all, and their opposites. */
const recordedNames = ["present", "found", "recorded", "mentioned", "included", "documented", "captured", "in_note"]
const absentNames = ["absent", "omitted", "not_present", "not_found", "not_recorded", "not_mentioned"]
const fullNames = ["full", "fully", "fully_present", "fully_recorded", "fully_captured"]

const flagsOf = (
  recorded: ReadonlyArray<Read>,
  more: ReadonlyArray<readonly [string, Flag<Read>]> = []
): ReadonlyMap<string, Flag<Read>> =>
  new Map([
    ...recordedNames.map((name) => [name, { yes: recorded, no: ["absent"] } as const] as const),
    ...absentNames.map((name) => [name, { yes: ["absent"], no: recorded } as const] as const),
    ...more
  ])

const readers = {
  "present-absent": gradeReader<Read>({
    words: words({ present, full, partial, absent: [...absent, "no", "false"] }),
    general: "present",
    flags: flagsOf(
      ["present", "full", "partial"],
      [["missing", { yes: ["absent"], no: ["present", "full", "partial"] }]]
    )
  }),
  // "present" may be full or partial here: it is asked for again.
  "full-partial-absent": gradeReader<Read>({
    words: words({ full, partial, absent }),
    flags: flagsOf(
      ["full", "partial"],
      [
        ...fullNames.map((name) => [name, { yes: ["full"], no: ["partial", "absent"] } as const] as const),
        ["partial", { yes: ["partial"], no: ["full", "absent"] }],
        // Of a fact that is there in part, a part is missing.
        ["missing", { yes: ["partial", "absent"], no: ["full", "partial"] }]
      ]
    )
  })
} as const

const onScale = ({ grade, quote }: Graded<Read>, scale: Scale): FactVerdict & { readonly coerced: boolean } => {
  const verdict = scale === "present-absent" && grade !== "absent" ? "present" : (grade as Grade)
  const coerced = scale === "present-absent" && grade === "partial"
  return quote === undefined ? { verdict, coerced } : { verdict, coerced, quote }
}

/** The verdicts of a reply. `expected` has the ids of the facts that were asked for, and the scale. */
export const parse = (
  reply: string,
  expected: { readonly ids: ReadonlyArray<string>; readonly scale: Scale }
): ParsedVerdicts => {
  const keyed = readKeyed(reply, expected.ids, readers[expected.scale])
  if (keyed === undefined) return { kind: "unreadable", why: "the reply has no verdict on any of the facts" }
  let coerced = 0
  const verdicts = new Map<string, FactVerdict>()
  for (const [id, graded] of keyed.verdicts) {
    const { coerced: wasPartial, ...verdict } = onScale(graded, expected.scale)
    if (wasPartial) coerced++
    verdicts.set(id, verdict)
  }
  const { missing, invented, duplicated } = keyed
  return { kind: "verdicts", verdicts, missing, invented, duplicated, coerced }
}

/** An answer, and the answer to its retry: what the first could not tell is taken from the second. */
export const combined = (first: ParsedVerdicts, again: ParsedVerdicts): ParsedVerdicts =>
  first.kind === "unreadable"
    ? again
    : again.kind === "unreadable"
      ? first
      : { kind: "verdicts", ...bothAnswers(first, again), coerced: first.coerced + again.coerced }
