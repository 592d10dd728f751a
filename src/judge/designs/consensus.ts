import type { JudgeConfig, MemberConfig } from "../../domain/Campaign.ts"
import { type Design, type Member, type Module, shares } from "../Design.ts"

const mean = (scores: ReadonlyArray<number>) => scores.reduce((sum, score) => sum + score, 0) / scores.length

const median = (scores: ReadonlyArray<number>): number => {
  const sorted = scores.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Where nobody says whose: one judge of the whole note, one of its facts, one that lists questions. */
const defaultMembers: ReadonlyArray<MemberConfig> = [
  { name: "whole", design: "whole-note-score" },
  { name: "facts", design: "two-stage" },
  { name: "questions", design: "checklist" }
]

/** The member's name, or its number. */
export const memberName = ({ name }: MemberConfig, at: number): string => name ?? String(at + 1)

/** Several judges of other designs or models: their scores, each on a scale from 0 to 1, joined; flags by majority. */
export const consensus = (
  { join = "mean", members = defaultMembers, samples }: Omit<JudgeConfig, "design">,
  designOf: (judge: JudgeConfig) => Design
): Design => {
  const joined = members.map((member, at): Member => {
    const judge: JudgeConfig = { design: member.design, samples: member.samples ?? samples }
    return {
      name: memberName(member, at),
      judge,
      design: designOf(judge),
      ...(member.model === undefined ? {} : { model: member.model })
    }
  })
  return {
    name: "consensus",
    summary: `several judges, their scores joined by the ${join}, flags by majority`,
    modules: joined.flatMap(({ design, name }) =>
      design.modules.map((module): Module => ({ ...module, name: `${name}.${module.name}` }))
    ),
    stages: [],
    scale: shares,
    conclude: () => null,
    join: join === "median" ? median : mean,
    wordings: [],
    repeats: [1],
    members: joined
  }
}
