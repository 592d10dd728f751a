import type { ModelConfig } from "../domain/Campaign.ts"
import type { AnswerSchema, Message, ModelRequest } from "../model/LanguageModel.ts"
import { noTranscript, objectOf, question, retried } from "./stages/asking.ts"

/** Transcript first, then note: all candidates share the longest prefix of a note's prompt, and notes of a consultation most of it. */
export const preamble = `You check a clinical note against the transcript of the consultation that it documents.

<transcript>
{{transcript}}
</transcript>

<note>
{{note}}
</note>

Follow this instruction:

<instruction>
`

/** The contract's example: a reply that has these words says nothing of the note. */
export const exampleReason = "the observation that decided the score, in one or two sentences"

export const contract = `
</instruction>

Give the note one score from 0 to 10, where higher is better: 10 is a note with nothing wrong, 0 a note that must not be used. Decimals are allowed.
Answer with one JSON object and nothing else: {"reason": "${exampleReason}", "score": 0}
`

/** The highest score of the contract. */
export const maxScore = 10

/** The contract as a schema: the reason comes first, so that the score follows from it. */
export const answer: AnswerSchema = {
  name: "judgement",
  schema: objectOf({
    reason: { type: "string", description: exampleReason },
    score: { type: "number", description: `from 0 to ${maxScore}` }
  })
}

/** What a whole-note judge asks its model: `asked` is what `messages` or `retryMessages` gives. */
export const judgeRequest = (model: ModelConfig, asked: ReadonlyArray<Message>, seed: number): ModelRequest => ({
  role: "judge",
  model,
  messages: asked,
  seed,
  answer
})

export const messages = (
  item: { readonly transcript: string | null; readonly note: string },
  instruction: string
): ReadonlyArray<Message> =>
  question({ preamble, contract }, { transcript: item.transcript ?? noTranscript, note: item.note }, instruction)

/** The conversation after a reply that could not be read: the same question, the reply, and what is wrong with it. */
export const retryMessages = (asked: ReadonlyArray<Message>, reply: string): ReadonlyArray<Message> =>
  retried(
    asked,
    reply,
    'That answer has no score that can be read. Answer again with one JSON object and nothing else: {"reason": "…", "score": a number from 0 to 10}'
  )
