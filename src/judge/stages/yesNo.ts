import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { readAnswer } from "../reading/oneAnswer.ts"
import { exampleReason } from "../wholeNoteScore.ts"
import { objectOf, retried } from "./asking.ts"
import { type NoteInput, noteMessages, notePreamble } from "./notePrompt.ts"

export const preamble = notePreamble

const reasonExample = exampleReason.replace("score", "answer")
const shape = `{"reason": "${reasonExample}", "error": "YES or NO"}`

export const contract = `
</instruction>

Answer whether the note has an error: "YES" if it has one, "NO" if it has none.
Answer with one JSON object and nothing else: ${shape}
`

/** The reason comes first, so that the answer follows from it. */
export const answer: AnswerSchema = {
  name: "answer",
  schema: objectOf({
    reason: { type: "string", description: reasonExample },
    error: { type: "string", enum: ["YES", "NO"] }
  })
}

export const messages = (input: NoteInput, instruction: string): ReadonlyArray<Message> =>
  noteMessages(input, instruction, contract)

export const retryMessages = (asked: ReadonlyArray<Message>, reply: string): ReadonlyArray<Message> =>
  retried(
    asked,
    reply,
    'That answer cannot be read as yes or no. Answer again with one JSON object and nothing else: {"reason": "…", "error": "YES" if the note has an error, or else "NO"}'
  )

export type ParsedFlag =
  | { readonly kind: "flag"; readonly flagged: boolean; readonly reason?: string }
  | { readonly kind: "unreadable"; readonly why: string }

const words = {
  names:
    /^(?:(?:final_)?(?:answer|verdict|error|errors|has_?errors?|error_?(?:found|present|flag)|contains_?(?:an_)?errors?|flag|flagged|decision|response))$/,
  yes: ["error", "has an error", "has error", "flagged", "contains an error"],
  no: ["none", "no error", "no errors", "not flagged", "has no error"],
  opposites: /^(?:no_errors?|error_?(?:free|absent)|errors_absent|without_errors?)$/,
  lists: /^(?:errors|mistakes)(?:_found)?$/,
  sentences: {
    yes: /^(?:so |therefore |overall,? )?(?:the note (?:has|contains)|there (?:is|are)) (?:an?|some|several) errors?(?: in the note)?$/,
    no: /^(?:so |therefore |overall,? )?(?:the note (?:has|contains)|there (?:is|are)) (?:no|not any) errors?(?: in the note)?$/
  },
  against: {
    yes: /(?<!not )\b(?:no|not any|without|free of) (?:errors?|flaws?|mistakes?|problems?|issues?)\b|\b(?:note|it) (?:is|'s) (?:correct|accurate|faithful|complete|fine)\b|^yes\W{1,4}it's (?:correct|accurate|faithful|complete|fine)\b/,
    no: /\b(?:is|are) (?:an?|some|several) (?:errors?|flaws?|mistakes?|problems?|issues?)\b|\bnote (?:has|contains) (?:an?|some|several) (?:errors?|flaws?|mistakes?)\b|\bnot (?:free of|without) (?:errors?|flaws?|mistakes?|problems?)\b|^no\W{1,4}(?:the note|it|this)(?: is|'s) (?:wrong|incorrect|inaccurate|unfaithful|incomplete|not (?:correct|accurate|faithful|complete))\b|\bexcept (?:that|for)\b/
  },
  example: reasonExample
}

/** YES (the note has an error) flags it. */
export const parse = (reply: string): ParsedFlag => {
  const read = readAnswer(reply, words)
  if (read.kind === "unreadable") return read
  return { kind: "flag", flagged: read.yes, ...(read.reason === undefined ? {} : { reason: read.reason }) }
}
