import type { Criterion } from "../../domain/Dataset.ts"
import type { Finding } from "../../domain/Judgement.ts"
import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import { type Design, shares } from "../Design.ts"
import { question } from "../question.ts"
import { answer, contract, messages, parse, preamble, retryMessages } from "../stages/criterion.ts"
import { criterionText, generalCriteria } from "./wordings.ts"

/**
 * Points achieved over the positive points available [RUB §4.2]: 1 at most, and below 0 where faults outweigh; null
 * without a positive point.
 */
const shareOfPoints = (findings: ReadonlyArray<Finding>): number | null => {
  const available = findings.reduce((sum, { points = 0 }) => sum + Math.max(0, points), 0)
  if (available === 0) return null
  const achieved = findings.reduce((sum, { points = 0, verdict }) => sum + (verdict === "met" ? points : 0), 0)
  return achieved / available
}

/** What is asked of a note: the consultation's own criteria and the judge's; general ones where there are neither. */
export const criteriaFor = (
  own: ReadonlyArray<Criterion> | undefined,
  ofJudge: ReadonlyArray<Criterion> | undefined
): ReadonlyArray<Criterion> => {
  const given = [...(ofJudge ?? []), ...(own ?? [])]
  if (given.length === 0) return generalCriteria
  return [...new Map(given.map((criterion) => [criterion.id, criterion])).values()]
}

/** A rubric judge: each criterion in a call of its own, met or not [RUB §4.2]. */
export const rubric = (ofJudge: ReadonlyArray<Criterion> | undefined): Design => ({
  name: "rubric",
  summary: "criteria with points, each met or not in a call of its own; the share of the points",
  modules: [{ name: "criterion", preamble, contract, instruction: criterionText }],
  stages: [
    {
      name: "criterion",
      module: "criterion",
      sees: "transcript and note",
      per: "criterion",
      outputTokens: 60,
      questions: ({ criteria, ...view }, _, instruction) =>
        criteriaFor(criteria, ofJudge).map(({ id, points, text }) =>
          question({
            about: id,
            messages: messages({ ...view, criterion: { id, text } }, instruction),
            answer,
            parse,
            retry: retryMessages,
            work:
              ({ met }) =>
              (before) => ({
                ...before,
                findings: [...(before.findings ?? []), { id, text, verdict: met ? "met" : "not-met", points }]
              })
          })
        )
    }
  ],
  scale: shares,
  conclude: ({ findings = [] }) => {
    const score = shareOfPoints(findings)
    return score === null ? null : { score, findings }
  },
  join: (scores) => winsorisedMean(scores)!,
  wordings: [],
  repeats: [1]
})
