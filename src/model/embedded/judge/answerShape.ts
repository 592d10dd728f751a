import { draw, pick } from "../noise.ts"
import type { Verdict } from "./verdict.ts"

/** How often a judge's answer is readable, but not the bare object that was asked for. */
export const awkwardRate = 0.01
/** How often it holds no score at all. */
export const unreadableRate = 0.003

const awkward: ReadonlyArray<(verdict: Verdict) => string> = [
  (verdict) => `\`\`\`json\n${JSON.stringify(verdict, null, 2)}\n\`\`\``,
  ({ reason, score }) =>
    `I compared the note with the transcript.\n\n${JSON.stringify({ reason, score })}\n\nLet me know if you want more detail.`,
  ({ reason, score }) => JSON.stringify({ reason, score: `${score}/10` }),
  ({ reason, score }) => JSON.stringify({ score: String(score), reason })
]

const unreadable: ReadonlyArray<(verdict: Verdict) => string> = [
  () => "I have read the note and the transcript, but I would need more context before I can put a number on it.",
  ({ reason }) => `{"reason": ${JSON.stringify(reason).slice(0, -1)}`,
  () => ""
]

/** The verdict as text: what the contract asks for, nearly always. `about` names the question, so that a retry draws anew. */
export const answerText = ({ reason, score }: Verdict, seed: number, about: string): string => {
  const luck = draw(seed, `${about}/shape`)
  if (luck < unreadableRate) return pick(unreadable, seed, `${about}/unreadable`)({ reason, score })
  if (luck < unreadableRate + awkwardRate) return pick(awkward, seed, `${about}/awkward`)({ reason, score })
  return JSON.stringify({ reason, score })
}
