import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { readAnswer } from "../reading/oneAnswer.ts"
import { exampleReason } from "../wholeNoteScore.ts"
import { noTranscript, objectOf, question, retried } from "./asking.ts"
import type { NoteInput } from "./notePrompt.ts"

/** One criterion of a rubric, graded in a call of its own [RUB §4.2]. Its points are withheld. */
export interface CriterionInput extends NoteInput {
  readonly criterion: { readonly id: string; readonly text: string }
}

/** Transcript, note, criterion: all criteria of a note share its prefix. */
export const preamble = `You check a clinical note against the transcript of the consultation that it documents.

<transcript>
{{transcript}}
</transcript>

<note>
{{note}}
</note>

You judge it by one criterion:

<criterion>
{{criterion}}
</criterion>

Follow this instruction:

<instruction>
`

const reasonExample = exampleReason.replace("score", "answer")
const shape = `{"reason": "${reasonExample}", "met": "YES or NO"}`

export const contract = `
</instruction>

Answer whether the criterion, as it is worded, is true of the note: "YES" if it is met, "NO" if it is not.
Answer with one JSON object and nothing else: ${shape}
`

/** The reason comes first, so that the answer follows from it. */
export const answer: AnswerSchema = {
  name: "criterion",
  schema: objectOf({
    reason: { type: "string", description: reasonExample },
    met: { type: "string", enum: ["YES", "NO"] }
  })
}

export const messages = (input: CriterionInput, instruction: string): ReadonlyArray<Message> =>
  question(
    { preamble, contract },
    { transcript: input.transcript ?? noTranscript, note: input.note, criterion: input.criterion.text },
    instruction
  )

export const retryMessages = (asked: ReadonlyArray<Message>, reply: string): ReadonlyArray<Message> =>
  retried(
    asked,
    reply,
    'That answer cannot be read as yes or no. Answer again with one JSON object and nothing else: {"reason": "…", "met": "YES" if the criterion is met, or else "NO"}'
  )

export type ParsedCriterion =
  | { readonly kind: "graded"; readonly met: boolean; readonly reason?: string }
  | { readonly kind: "unreadable"; readonly why: string }

const words = {
  names:
    /^(?:(?:criteria|criterion|is)_?(?:is_)?met|met|satisfied|fulfilled|(?:final_)?(?:answer|verdict|decision|grade|result|response))$/,
  yes: ["met", "satisfied", "fulfilled"],
  no: ["not met", "unmet", "not satisfied", "not fulfilled"],
  opposites: /^(?:(?:is_)?(?:not_|un)(?:met|satisfied|fulfilled)|violated|fails?|failed)$/,
  sentences: {
    yes: /^(?:so |therefore |thus |overall,? )?(?:the |this )?criterion (?:is|has been) (?:fully )?(?:met|satisfied|fulfilled)$/,
    no: /^(?:so |therefore |thus |overall,? )?(?:the |this )?criterion (?:(?:is|has|was) ?(?:not|nt) (?:been )?(?:fully )?(?:met|satisfied|fulfilled)|(?:is )?unmet)$/
  },
  against: {
    yes: /\b(?:not|un)[ -]?(?:met|satisfied|fulfilled)\b|\bpart(?:ly|ially)\b|\bexcept\b|\b(?:apart from|other than)\b|\bbut (?:not|only|without)\b/,
    no: /\b(?:is|was|been) (?:fully )?(?:met|satisfied|fulfilled)\b|^no\W{1,4}(?:the note|it) (?:fully )?(?:meets|satisfies|fulfill?s)\b(?! (?:only|half|part|none))/
  },
  example: reasonExample
}

export const parse = (reply: string): ParsedCriterion => {
  const read = readAnswer(reply, words)
  if (read.kind === "unreadable") return read
  return { kind: "graded", met: read.yes, ...(read.reason === undefined ? {} : { reason: read.reason }) }
}
