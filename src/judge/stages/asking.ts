import type { Message } from "../../model/LanguageModel.ts"
import { fillPreamble, joinPrompt } from "../prompt.ts"

/** A fact as a stage is told of it. */
export interface Fact {
  readonly id: string
  readonly text: string
}

/** Stands in the transcript's place where there is none. */
export const noTranscript = "(There is no transcript. Judge the note on its own.)"

/** Facts as lines of JSON, so that no text of a fact can look like another fact or an end of the list. */
export const factLines = (facts: ReadonlyArray<Fact>): string =>
  facts.map(({ id, text }) => JSON.stringify({ id, text }).replaceAll("</", "<\\/")).join("\n")

/** One question: the filled preamble, the instruction, the contract. */
export const question = (
  parts: { readonly preamble: string; readonly contract: string },
  values: Parameters<typeof fillPreamble>[1],
  instruction: string
): ReadonlyArray<Message> => [
  {
    role: "user",
    content: joinPrompt({ preamble: fillPreamble(parts.preamble, values), instruction, contract: parts.contract })
  }
]

const shownOfReply = 2000
const shownOfList = 20_000

/** The conversation after a reply that could not be read: the same question, the reply, and what is wrong with it. */
export const retried = (
  asked: ReadonlyArray<Message>,
  reply: string,
  complaint: string,
  shown: number = shownOfReply
): ReadonlyArray<Message> => [
  ...asked,
  { role: "assistant", content: reply.trim() === "" ? "(empty)" : reply.slice(0, shown) },
  { role: "user", content: complaint }
]

/** The same after an answer that left ids out: they are named, and asked for alone. */
export const retriedFor = (
  asked: ReadonlyArray<Message>,
  reply: string,
  missing: ReadonlyArray<string>,
  shape: string
): ReadonlyArray<Message> =>
  retried(
    asked,
    reply,
    `These ids have no answer that can be read in one way only: ${missing.map((id) => JSON.stringify(id)).join(", ")}. Answer for these ids and no others, each once, with one JSON object and nothing else: ${shape}`,
    shownOfList
  )

/** An answer's schema: an object of which all fields are required and no others allowed. */
export const objectOf = (properties: Readonly<Record<string, unknown>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})
