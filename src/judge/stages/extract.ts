import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { headsLeftOut, isLeftOut, isPlaceholder, isTalk, saysNothing } from "../reading/noFact.ts"
import { answerOf, listLength } from "../reading/reply.ts"
import { isFields, isList, type Value, valuesIn } from "../reading/values.ts"
import { textNamed } from "../reading/words.ts"
import { type Fact, objectOf, question, retried } from "./asking.ts"

/** What the stage is told: the transcript alone. It cannot be handed a note [OB §C.1]. */
export interface ExtractInput {
  readonly transcript: string
  readonly note?: never
}

export const preamble = `You list what a consultation established, from its transcript. No note about it is shown to you.

<transcript>
{{transcript}}
</transcript>

Follow this instruction:

<instruction>
`

/** The contract's example: a reply that lists these words lists nothing. */
const examples = ["one fact, in one sentence that stands by itself", "the next fact"] as const
const shape = `{"facts": ["${examples[0]}", "${examples[1]}"]}`

export const contract = `
</instruction>

List each fact once, in the order in which it came up, without numbering.
Answer with one JSON object and nothing else: ${shape}
`

export const answer: AnswerSchema = {
  name: "facts",
  schema: objectOf({ facts: { type: "array", items: { type: "string", description: examples[0] } } })
}

export const messages = (input: ExtractInput, instruction: string): ReadonlyArray<Message> =>
  question({ preamble, contract }, { transcript: input.transcript }, instruction)

export const retryMessages = (asked: ReadonlyArray<Message>, reply: string): ReadonlyArray<Message> =>
  retried(
    asked,
    reply,
    `That answer is no list of facts that can be read. Answer again with one JSON object and nothing else: ${shape}`
  )

/** The facts of a transcript with ids `F1`, `F2`, … in the answer's order, or why there are none. */
export type ParsedFacts =
  | {
      readonly kind: "facts"
      readonly facts: ReadonlyArray<Fact>
      /** How many were left out because their words were listed already. */
      readonly repeated: number
    }
  | { readonly kind: "unreadable"; readonly why: string }

const unreadable = (why: string): ParsedFacts => ({ kind: "unreadable", why })

/** More than any consultation has, and a bound to what the later stages can be made to cost. */
export const mostFacts = 200
const longestFact = 1000

const listNames = /^(?:facts?|fact_?list|statements?|items?|findings?|list|points?)$/
const textNames = /^(?:text|fact|statement|content|description|value|finding|item|point|sentence)$/

/** Names of what is said beside facts, or in their place: a gateway's error is no fact of a consultation. */
const otherNames = /^(?:errors?|warnings?|messages?|detail|thoughts?|thinking|reason(?:s|ing)?|status|code)$/i

const factText = (value: Value): string | undefined => (typeof value === "string" ? value : textNamed(value, textNames))

/** The texts of a list; undefined unless every item is a fact. */
const textsOf = (list: ReadonlyArray<Value>): ReadonlyArray<string> | undefined => {
  const texts = list.map(factText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** The texts of a record or list, however it is laid out: a list, a map by id, lists by section. */
const factsOf = (value: Value, depth: number): ReadonlyArray<string> | undefined => {
  if (isList(value)) return value.length === 0 ? undefined : textsOf(value)
  if (!isFields(value) || depth > 3) return undefined
  const fields = value.fields.filter(([name]) => !isLeftOut(name))
  if (fields.length === 0) return undefined
  const listed = fields.filter(([name]) => listNames.test(name.trim().toLowerCase()))
  const structured = listed.filter(([, field]) => isFields(field) || isList(field))
  if (structured.length === 1) return factsOf(structured[0]![1], depth + 1)
  if (structured.length > 1) return undefined
  if (fields.some(([name]) => otherNames.test(name.trim()))) return undefined
  if (fields.every(([, field]) => isList(field))) {
    const parts = fields.map(([, field]) => textsOf(field as ReadonlyArray<Value>))
    return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part!)
  }
  if (fields.length === 1 && isFields(fields[0]![1])) return factsOf(fields[0]![1], depth + 1)
  if (fields.every(([name]) => /^\W{0,2}(?:fact[ _-]?|f)?\d{1,4}\W{0,2}$/i.test(name.trim())))
    return textsOf(fields.map(([, field]) => field))
  return undefined
}

const bulletLine = /^ ?(?:[-•*+–] ?|\d{1,4}[.):] ?|[Ff]\d{1,4}[.):] ?)(.+)$/

/** Facts of bulleted or numbered lines, or of a table with an id and a text; not those below a heading that leaves them out. */
const lineFacts = (text: string): ReadonlyArray<string> => {
  let leftOut = false
  return text.split("\n").flatMap((given) => {
    const line = given.slice(0, 2 * longestFact).replace(/\s+/g, " ")
    const bullet = bulletLine.exec(line)?.[1]
    if (bullet !== undefined && !/^\*[^*]{1,80}\*:?\*?$/.test(bullet)) return leftOut ? [] : [bullet.trim()]
    const cells = line.split("|").map((cell) => cell.trim())
    const [, id = "", fact = ""] = cells
    if (cells.length === 4 && /^[Ff]?\d{1,4}\.?$/.test(id) && fact !== "") return leftOut ? [] : [fact]
    leftOut = headsLeftOut(line) ?? leftOut
    return []
  })
}

const withoutNumber = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:[Ff]\d{1,4}|\d{1,4})[.):] /, "")

const settled = (given: ReadonlyArray<string>): ParsedFacts => {
  const texts = given.map(withoutNumber).filter((text) => /[\p{L}\p{N}]/u.test(text) && !saysNothing(text))
  if (texts.length === 0) return unreadable("the reply lists no facts")
  if (texts.some((text) => (examples as ReadonlyArray<string>).includes(text) || isPlaceholder(text)))
    return unreadable("the reply repeats the contract's example")
  if (texts.some(isTalk)) return unreadable("the reply speaks of its task instead of listing facts")
  if (texts.length > mostFacts)
    return unreadable(`the reply lists ${texts.length} facts; ${mostFacts} at most are read`)
  const long = texts.find((text) => text.length > longestFact)
  if (long !== undefined) return unreadable(`a fact has ${long.length} characters; it is no single fact`)
  const seen = new Set<string>()
  const kept = texts.filter((text) => {
    const words = text.toLowerCase().replace(/[.\s]{1,9}$/, "")
    return seen.has(words) ? false : seen.add(words)
  })
  return {
    kind: "facts",
    facts: kept.map((text, index) => ({ id: `F${index + 1}`, text })),
    repeated: texts.length - kept.length
  }
}

/** Reads the facts of a reply. A list that was cut off is no list: how many are missing cannot be known. */
export const parse = (reply: string): ParsedFacts => {
  const text = answerOf(reply)
  if (text === "") return unreadable("the reply is empty")
  if (text.length > listLength)
    return unreadable(`the reply has ${text.length} characters; ${listLength} at most are read`)
  const values = valuesIn(text)
  const records = values.flatMap(({ value, whole }) => {
    const facts = isFields(value) || (isList(value) && value.length > 0) ? factsOf(value, 0) : undefined
    return facts === undefined ? [] : [{ facts, whole }]
  })
  if (records.some(({ whole }) => !whole)) return unreadable("the list of facts was cut off or is broken")
  const distinct = new Map(records.map(({ facts }) => [JSON.stringify(facts), facts]))
  if (distinct.size > 1) return unreadable("the reply holds more than one list of facts")
  const [only] = distinct.values()
  if (only !== undefined) return settled(only)
  // One record a line, as in JSON Lines.
  const single = values.map(({ value, whole }) => (whole && isFields(value) ? factText(value) : undefined))
  if (single.length > 0 && single.every((fact) => fact !== undefined)) return settled(single)
  if (values.some(({ value }) => isFields(value))) return unreadable("the reply holds no list of facts")
  return settled(lineFacts(text))
}
