import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { type Flag, gradeReader } from "../reading/grades.ts"
import { combined as bothAnswers, type Keyed, readKeyed } from "../reading/keyed.ts"
import { nothings, wordOf, yesOrNo } from "../reading/words.ts"
import { type Fact, factLines, objectOf, question, retried, retriedFor } from "./asking.ts"

/** What the stage is told: the transcript and the facts listed from it. It cannot be handed a note [OB §C.1]. */
export interface AuditInput {
  readonly transcript: string
  readonly facts: ReadonlyArray<Fact>
  readonly note?: never
}

export const preamble = `You audit a list of facts that was drawn up from the transcript of a consultation. No note about it is shown to you.

<transcript>
{{transcript}}
</transcript>

<facts>
{{facts}}
</facts>

Follow this instruction:

<instruction>
`

export const auditGrades = ["critical", "supporting", "peripheral", "unsupported", "duplicate"] as const
export type AuditGrade = (typeof auditGrades)[number]
export type Severity = "critical" | "supporting" | "peripheral"

const shape = `{"facts": [{"id": "the fact's id", "grade": "critical, supporting, peripheral, unsupported or duplicate"}]}`

export const contract = `
</instruction>

Give every fact of the list one grade, by its id: "unsupported" if the transcript does not establish it, "duplicate" if an earlier fact of the list says the same, or else how much its absence from a note would matter: "critical", "supporting" or "peripheral".
Answer with one JSON object and nothing else: ${shape}
`

export const answer: AnswerSchema = {
  name: "audit",
  schema: objectOf({
    facts: {
      type: "array",
      items: objectOf({ id: { type: "string" }, grade: { type: "string", enum: [...auditGrades] } })
    }
  })
}

export const messages = (input: AuditInput, instruction: string): ReadonlyArray<Message> =>
  question({ preamble, contract }, { transcript: input.transcript, facts: factLines(input.facts) }, instruction)

export type ParsedAudit =
  | {
      readonly kind: "audited"
      /** The facts that stay, by id in the order asked, with their severity. */
      readonly kept: ReadonlyMap<string, Severity>
      readonly dropped: ReadonlyMap<string, "unsupported" | "duplicate">
      readonly missing: ReadonlyArray<string>
      readonly invented: ReadonlyArray<string>
      readonly duplicated: ReadonlyArray<string>
    }
  | { readonly kind: "unreadable"; readonly why: string }

/** After a reply with ids missing they alone are asked for; after one that could not be read, all. */
export const retryMessages = (
  asked: ReadonlyArray<Message>,
  reply: string,
  parsed: ParsedAudit
): ReadonlyArray<Message> =>
  parsed.kind === "audited"
    ? retriedFor(asked, reply, parsed.missing, shape)
    : retried(
        asked,
        reply,
        `That answer has no grades that can be read. Answer again with one JSON object and nothing else: ${shape}`
      )

const severities = ["critical", "supporting", "peripheral"] as const
const isKept: Flag<AuditGrade> = { yes: severities, no: ["unsupported", "duplicate"] }
const isDropped: Flag<AuditGrade> = { yes: isKept.no, no: isKept.yes }
const isGrade = (grade: AuditGrade): Flag<AuditGrade> => ({
  yes: [grade],
  no: auditGrades.filter((other) => other !== grade)
})
const isSupported: Flag<AuditGrade> = { yes: isGrade("unsupported").no, no: ["unsupported"] }
const keeps: ReadonlySet<string> = new Set(["keep", "kept", "retain", "retained"])
const drops: ReadonlySet<string> = new Set(["drop", "dropped", "remove", "removed", "discard", "discarded", "delete"])
/** What becomes of a fact, said in words. */
const fate: Flag<AuditGrade> = {
  ...isKept,
  read: (value) => {
    const word = typeof value === "string" ? wordOf(value) : ""
    return keeps.has(word) ? true : drops.has(word) ? false : undefined
  }
}
/** `{"duplicate_of": "F2"}`; where there is none it says nothing. */
const twin: Flag<AuditGrade> = {
  ...isGrade("duplicate"),
  read: (value) =>
    typeof value === "number" || (typeof value === "string" && !nothings.has(wordOf(value)) && yesOrNo(value) !== false)
      ? true
      : undefined
}

const reader = gradeReader<AuditGrade>({
  words: new Map<string, AuditGrade>([
    ...auditGrades.map((grade) => [grade, grade] as const),
    ["not supported", "unsupported"],
    ["unsupported by the transcript", "unsupported"],
    ["duplicated", "duplicate"],
    ["drop: unsupported", "unsupported"],
    ["drop: duplicate", "duplicate"],
    ["dropped: unsupported", "unsupported"],
    ["dropped: duplicate", "duplicate"]
  ]),
  phrases: [[/^duplicate of (?:fact )?\S{1,40}$/, "duplicate"]],
  flags: new Map([
    ...auditGrades.map((grade) => [grade, isGrade(grade)] as const),
    ...[...keeps, "valid"].map((name) => [name, isKept] as const),
    ...[...drops].map((name) => [name, isDropped] as const),
    ...["supported", "established", "in_transcript"].map((name) => [name, isSupported] as const),
    ...["action", "decision", "disposition"].map((name) => [name, fate] as const),
    ["duplicate_of", twin],
    ["duplicates", twin]
  ])
})

const settled = (keyed: Keyed<AuditGrade>): ParsedAudit => {
  const kept = new Map<string, Severity>()
  const dropped = new Map<string, "unsupported" | "duplicate">()
  for (const [id, grade] of keyed.verdicts) {
    if (grade === "unsupported" || grade === "duplicate") dropped.set(id, grade)
    else kept.set(id, grade)
  }
  const { missing, invented, duplicated } = keyed
  return { kind: "audited", kept, dropped, missing, invented, duplicated }
}

const keyedOf = (parsed: Extract<ParsedAudit, { kind: "audited" }>): Keyed<AuditGrade> => ({
  ...parsed,
  verdicts: new Map<string, AuditGrade>([...parsed.kept, ...parsed.dropped])
})

/** The grades of a reply. `expected` has the ids of the facts that were asked for. */
export const parse = (reply: string, expected: { readonly ids: ReadonlyArray<string> }): ParsedAudit => {
  const keyed = readKeyed(reply, expected.ids, reader)
  if (keyed === undefined) return { kind: "unreadable", why: "the reply grades none of the facts" }
  return settled({ ...keyed, verdicts: new Map([...keyed.verdicts].map(([id, { grade }]) => [id, grade])) })
}

/** An answer, and the answer to its retry: what the first could not tell is taken from the second. */
export const combined = (first: ParsedAudit, again: ParsedAudit): ParsedAudit =>
  first.kind === "unreadable"
    ? again
    : again.kind === "unreadable"
      ? first
      : settled(bothAnswers(keyedOf(first), keyedOf(again)))
