import { type Design, shares } from "../Design.ts"
import { question } from "../question.ts"
import { answer, contract, messages, parse, preamble, retryMessages } from "../stages/yesNo.ts"
import { yesNo } from "./wordings.ts"

const mean = (scores: ReadonlyArray<number>) => scores.reduce((sum, score) => sum + score, 0) / scores.length

/** Whether the note has an error, asked k times: flagged by the majority, the score is 1 − the share of YES [OB §4.2]. */
export const wholeNoteYesNo: Design = {
  name: "whole-note-yes-no",
  summary: "whether the note has an error, flagged by the majority of k; 1 less the share of YES",
  modules: [{ name: "judge", preamble, contract, instruction: yesNo.faithfulAndComplete }],
  stages: [
    {
      name: "judge",
      module: "judge",
      sees: "transcript and note",
      per: "note",
      outputTokens: 60,
      questions: (view, _, instruction) => [
        question({
          messages: messages(view, instruction),
          answer,
          parse,
          retry: retryMessages,
          work:
            ({ flagged, reason }) =>
            (before) => ({ ...before, score: flagged ? 0 : 1, ...(reason === undefined ? {} : { reason }) })
        })
      ]
    }
  ],
  scale: shares,
  conclude: ({ reason, score }) =>
    score === undefined ? null : { score, flagged: score === 0, ...(reason === undefined ? {} : { reason }) },
  join: mean,
  wordings: [
    { name: "faithfulness", instructions: { judge: yesNo.faithfulness } },
    { name: "faithful-and-complete", instructions: { judge: yesNo.faithfulAndComplete } }
  ],
  repeats: [1, 8]
}
