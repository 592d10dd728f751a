import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { combined as bothAnswers, readKeyed, type VerdictReader } from "../reading/keyed.ts"
import { occursIn } from "../reading/quotes.ts"
import { isFields, type Value } from "../reading/values.ts"
import { fieldsNamed, nameOf, nothings, quoteNames, wordOf, yesOrNo } from "../reading/words.ts"
import { type Fact, factLines, objectOf, question, retried, retriedFor } from "./asking.ts"

/** What the stage is told: the note, and only the facts that were marked absent [OB §C.1]. */
export interface SecondLookInput {
  readonly note: string
  readonly facts: ReadonlyArray<Fact>
}

export const preamble = `You look once more for facts that a first reader did not find in a clinical note.

<facts>
{{facts}}
</facts>

<note>
{{note}}
</note>

Follow this instruction:

<instruction>
`

const quoteExample = "the note's words that record the fact, copied exactly, or nothing"
const shape = `{"facts": [{"id": "the fact's id", "quote": "${quoteExample}"}]}`

export const contract = `
</instruction>

For every fact of the list, by its id, copy out the words of the note that record it, letter for letter and at least 8 characters long. Leave the quote empty where the note does not record the fact: words that the note does not hold are refused.
Answer with one JSON object and nothing else: ${shape}
`

export const answer: AnswerSchema = {
  name: "secondLook",
  schema: objectOf({
    facts: {
      type: "array",
      items: objectOf({ id: { type: "string" }, quote: { type: "string", description: quoteExample } })
    }
  })
}

export const messages = (input: SecondLookInput, instruction: string): ReadonlyArray<Message> =>
  question({ preamble, contract }, { facts: factLines(input.facts), note: input.note }, instruction)

export type ParsedRescues =
  | {
      readonly kind: "rescues"
      /** Quotes that occur verbatim in the note, by fact id: these facts are not absent after all. */
      readonly rescued: ReadonlyMap<string, string>
      /** Quotes that do not occur in the note, or have fewer than 8 characters: refused, the facts stay absent. */
      readonly refused: ReadonlyMap<string, string>
      /** Looked for again, and not found. */
      readonly absent: ReadonlyArray<string>
      readonly missing: ReadonlyArray<string>
      readonly invented: ReadonlyArray<string>
      readonly duplicated: ReadonlyArray<string>
    }
  | { readonly kind: "unreadable"; readonly why: string }

/** After a reply with ids missing they alone are asked for; after one that could not be read, all. */
export const retryMessages = (
  asked: ReadonlyArray<Message>,
  reply: string,
  parsed: ParsedRescues
): ReadonlyArray<Message> =>
  parsed.kind === "rescues"
    ? retriedFor(asked, reply, parsed.missing, shape)
    : retried(asked, reply, `That answer cannot be read. Answer again with one JSON object and nothing else: ${shape}`)

const denials: ReadonlySet<string> = new Set([
  "absent",
  "not found",
  "not present",
  "not recorded",
  "not mentioned",
  "missing",
  "no",
  "no quote",
  "empty"
])
const affirmations: ReadonlySet<string> = new Set([
  "found",
  "present",
  "recorded",
  "mentioned",
  "rescued",
  "yes",
  "full"
])

const quoteOf = (value: Value): string | "unclear" =>
  value === null || value === false
    ? ""
    : typeof value !== "string"
      ? "unclear"
      : nothings.has(wordOf(value)) || denials.has(wordOf(value))
        ? ""
        : value.trim()

const foundNames =
  /^(?:(?:is_|was_)?(?:found|present|recorded|rescued|rescue|in_note|match(?:es|ed)?|supported|supports)(?:_in_(?:the_)?note)?|records?_(?:the_)?fact)$/
const deniedNames = /^(?:(?:is_)?(?:absent|missing|omitted)|not_(?:found|present|recorded|mentioned|in_note))$/
const verdictNames = /^(?:verdict|status|answer|result|decision)$/

/** What is said of the fact beside the quote: true where it is found, false where it is not. */
const saidBeside = (value: Value): ReadonlyArray<boolean> => [
  ...fieldsNamed(value, foundNames).flatMap((found) => yesOrNo(found) ?? []),
  ...fieldsNamed(value, deniedNames).flatMap((denied) => {
    const said = yesOrNo(denied)
    return said === undefined ? [] : [!said]
  }),
  ...fieldsNamed(value, verdictNames).flatMap((verdict) => {
    if (verdict === null || verdict === "") return []
    if (quoteOf(verdict) === "") return [false]
    return verdict === true || (typeof verdict === "string" && affirmations.has(wordOf(verdict))) ? [true] : []
  })
]

/** A quote, or the empty text for none. Two quotes for one fact are as good as one: whichever the note has is taken below. */
const reader: VerdictReader<ReadonlyArray<string>> = {
  value: (value) => {
    if (!isFields(value)) {
      const quote = quoteOf(value)
      return quote === "unclear" ? "unclear" : [quote]
    }
    const named = fieldsNamed(value, /^quotes?$/)
    const quotes = (named.length > 0 ? named : fieldsNamed(value, quoteNames)).map(quoteOf)
    if (quotes.includes("unclear")) return "unclear"
    const said = saidBeside(value)
    if (quotes.length === 0) return said.includes(true) ? "unclear" : said.length > 0 ? [""] : undefined
    // "Not found", and a quote, or found and no quote: it says both.
    const quoted = new Set(quotes.map((quote) => quote !== ""))
    return quoted.size > 1 || said.some((each) => !quoted.has(each)) ? "unclear" : quotes
  },
  line: (text) => {
    const quote = quoteOf(text)
    return quote === "unclear" ? "unclear" : [quote]
  },
  // A name is never a quote: `{"recorded": ["F1"]}` shows none.
  named: (name) => (denials.has(wordOf(name.replace(/[_-]+/g, " "))) ? [""] : undefined),
  within: (name, quotes) =>
    deniedNames.test(nameOf(name)) && quotes.some((quote) => quote !== "") ? "unclear" : quotes,
  same: (a, b) => a.join("\n") === b.join("\n")
}

type Look = { readonly kind: "rescued" | "refused"; readonly quote: string } | { readonly kind: "absent" }

const settled = (keyed: {
  readonly verdicts: ReadonlyMap<string, Look>
  readonly missing: ReadonlyArray<string>
  readonly invented: ReadonlyArray<string>
  readonly duplicated: ReadonlyArray<string>
}): ParsedRescues => {
  const rescued = new Map<string, string>()
  const refused = new Map<string, string>()
  const absent: Array<string> = []
  for (const [id, look] of keyed.verdicts) {
    if (look.kind === "absent") absent.push(id)
    else (look.kind === "rescued" ? rescued : refused).set(id, look.quote)
  }
  const { missing, invented, duplicated } = keyed
  return { kind: "rescues", rescued, refused, absent, missing, invented, duplicated }
}

const looksOf = (parsed: Extract<ParsedRescues, { kind: "rescues" }>) => ({
  ...parsed,
  verdicts: new Map<string, Look>([
    ...[...parsed.rescued].map(([id, quote]) => [id, { kind: "rescued", quote }] as const),
    ...[...parsed.refused].map(([id, quote]) => [id, { kind: "refused", quote }] as const),
    ...parsed.absent.map((id) => [id, { kind: "absent" }] as const)
  ])
})

/** The rescues of a reply: of the facts with the given ids, in the note that was shown. */
export const parse = (
  reply: string,
  expected: { readonly ids: ReadonlyArray<string>; readonly note: string }
): ParsedRescues => {
  const keyed = readKeyed(reply, expected.ids, reader)
  if (keyed === undefined) return { kind: "unreadable", why: "the reply says nothing of any of the facts" }
  const inNote = occursIn(expected.note)
  const look = (quotes: ReadonlyArray<string>): Look => {
    const given = quotes.filter((quote) => quote !== "")
    if (given.length === 0) return { kind: "absent" }
    const held = given.find(inNote)
    return held === undefined ? { kind: "refused", quote: given[0]! } : { kind: "rescued", quote: held }
  }
  return settled({ ...keyed, verdicts: new Map([...keyed.verdicts].map(([id, quotes]) => [id, look(quotes)])) })
}

/** An answer, and the answer to its retry: what the first could not tell is taken from the second. */
export const combined = (first: ParsedRescues, again: ParsedRescues): ParsedRescues =>
  first.kind === "unreadable"
    ? again
    : again.kind === "unreadable"
      ? first
      : settled(bothAnswers(looksOf(first), looksOf(again)))
