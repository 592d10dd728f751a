import type { ModelConfig } from "../domain/Campaign.ts"
import type { AnswerSchema, Message, ModelRequest } from "../model/LanguageModel.ts"
import { fillPreamble, joinPrompt } from "./prompt.ts"

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
  schema: {
    type: "object",
    properties: {
      reason: { type: "string", description: exampleReason },
      score: { type: "number", description: `from 0 to ${maxScore}` }
    },
    required: ["reason", "score"],
    additionalProperties: false
  }
}

/** What a whole-note judge asks its model: `asked` is what `messages` or `retryMessages` gives. */
export const judgeRequest = (model: ModelConfig, asked: ReadonlyArray<Message>, seed: number): ModelRequest => ({
  role: "judge",
  model,
  messages: asked,
  seed,
  answer
})

const noTranscript = "(There is no transcript. Judge the note on its own.)"

export const messages = (
  item: { readonly transcript: string | null; readonly note: string },
  instruction: string
): ReadonlyArray<Message> => [
  {
    role: "user",
    content: joinPrompt({
      preamble: fillPreamble(preamble, { transcript: item.transcript ?? noTranscript, note: item.note }),
      instruction,
      contract
    })
  }
]

/** The conversation after a reply that could not be read: the same question, the reply, and what is wrong with it. */
export const retryMessages = (asked: ReadonlyArray<Message>, reply: string): ReadonlyArray<Message> => [
  ...asked,
  { role: "assistant", content: reply.trim() === "" ? "(empty)" : reply.slice(0, 2000) },
  {
    role: "user",
    content:
      'That answer has no score that can be read. Answer again with one JSON object and nothing else: {"reason": "…", "score": a number from 0 to 10}'
  }
]
