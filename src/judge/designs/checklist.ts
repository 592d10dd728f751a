import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import { type Design, shares } from "../Design.ts"
import { counted, question } from "../question.ts"
import { answer, contract, messages, parse, preamble, retryMessages } from "../stages/checklist.ts"
import { checklistText } from "./wordings.ts"

/** One call that lists yes/no questions and answers them; the score is the share satisfied [OB §4.2]. */
export const checklist: Design = {
  name: "checklist",
  summary: "one call that lists yes/no questions of the note and answers them; the share satisfied",
  modules: [{ name: "judge", preamble, contract, instruction: checklistText }],
  stages: [
    {
      name: "judge",
      module: "judge",
      sees: "transcript and note",
      per: "note",
      outputTokens: 600,
      questions: (view, _, instruction) => [
        question({
          messages: messages(view, instruction),
          answer,
          parse,
          retry: retryMessages,
          work:
            ({ notApplicable, questions, share }) =>
            (before) => ({
              ...before,
              score: share,
              findings: questions.map(({ question: text, satisfied }, at) => ({
                id: `Q${at + 1}`,
                text,
                verdict: satisfied ? "yes" : "no"
              })),
              counts: counted(before, { "not applicable": notApplicable })
            })
        })
      ]
    }
  ],
  scale: shares,
  conclude: ({ counts, findings, score }) =>
    score === undefined
      ? null
      : {
          score,
          ...(findings === undefined ? {} : { findings }),
          ...(counts === undefined ? {} : { details: counts })
        },
  join: (scores) => winsorisedMean(scores)!,
  wordings: [],
  repeats: [1]
}
