import type { Message, Reply } from "../LanguageModel.ts"
import type { EmbeddedRole } from "./role.ts"
import { auditFacts } from "./roles/auditFacts.ts"
import { checkFacts } from "./roles/checkFacts.ts"
import { extractFacts } from "./roles/extractFacts.ts"
import { flagNote } from "./roles/flagNote.ts"
import { gradeCriterion } from "./roles/gradeCriterion.ts"
import { judgeNote } from "./roles/judgeNote.ts"
import { lookAgain } from "./roles/lookAgain.ts"
import { makeChecklist } from "./roles/makeChecklist.ts"
import { mergeInstructions } from "./roles/mergeInstructions.ts"
import { talk } from "./roles/talk.ts"
import { writeInstruction } from "./roles/writeInstruction.ts"

export const embeddedModel = "lexical-1"
export const servedModel = "lexical-1 (embedded)"

export interface EmbeddedRequest {
  readonly messages: ReadonlyArray<Message>
  /** A non-negative integer below 2^53. */
  readonly seed: number
  /** In tokens of four characters. */
  readonly maxOutputTokens?: number
  /** Without effect: the seed is the model's only source of variety. */
  readonly temperature?: number
}

/** What the model can do, most specific first. A role that comes later is one more entry. */
const roles: ReadonlyArray<EmbeddedRole> = [
  mergeInstructions,
  writeInstruction,
  gradeCriterion,
  checkFacts,
  auditFacts,
  lookAgain,
  flagNote,
  makeChecklist,
  judgeNote,
  extractFacts,
  talk
]

const charactersPerToken = 4

const tokensOf = (text: string) => Math.ceil(text.length / charactersPerToken)

/**
 * The embedded model: a pure function of the request's text and seed. It is told no role, no id and no truth; which
 * role answers follows from the words of the prompt.
 */
export const answer = ({ messages, seed, maxOutputTokens }: EmbeddedRequest): Reply => {
  let full = ""
  for (const role of roles) {
    const text = role.answer(messages, seed)
    if (text === undefined) continue
    full = text
    break
  }
  const cut = maxOutputTokens !== undefined && tokensOf(full) > maxOutputTokens
  const text = cut ? full.slice(0, maxOutputTokens * charactersPerToken) : full
  const input = messages.reduce((sum, message) => sum + tokensOf(message.content), 0)
  return {
    text,
    finish: cut ? "length" : "stop",
    usage: { input, cachedInput: 0, output: tokensOf(text), reasoning: 0 },
    servedModel
  }
}
