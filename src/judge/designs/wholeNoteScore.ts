import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import { type Design, tenPoints } from "../Design.ts"
import { parseScore } from "../parseScore.ts"
import { question } from "../question.ts"
import { answer, contract, maxScore, messages, preamble, retryMessages } from "../wholeNoteScore.ts"
import { wholeNote } from "./wordings.ts"

/** One 0–10 score for the whole note; k samples are joined by the winsorised mean [OB §4.2]. */
export const wholeNoteScore: Design = {
  name: "whole-note-score",
  summary: "one score from 0 to 10 for the whole note",
  modules: [{ name: "judge", preamble, contract, instruction: wholeNote.faithfulAndComplete }],
  stages: [
    {
      name: "judge",
      module: "judge",
      sees: "transcript and note",
      per: "note",
      outputTokens: 80,
      questions: (view, _, instruction) => [
        question({
          messages: messages(view, instruction),
          answer,
          parse: (text) => parseScore(text, maxScore),
          retry: retryMessages,
          work:
            ({ reason, score }) =>
            (before) => ({ ...before, score, ...(reason === undefined ? {} : { reason }) })
        })
      ]
    }
  ],
  scale: tenPoints,
  conclude: ({ reason, score }) =>
    score === undefined ? null : { score, ...(reason === undefined ? {} : { reason }) },
  join: (scores) => winsorisedMean(scores)!,
  wordings: [
    { name: "faithfulness", instructions: { judge: wholeNote.faithfulness } },
    { name: "faithful-and-complete", instructions: { judge: wholeNote.faithfulAndComplete } }
  ],
  repeats: [1, 8]
}
