import type { Skill } from "../instruction.ts"
import { readInstruction } from "../instruction.ts"
import { contents } from "../text/content.ts"
import { sentences } from "../text/tokens.ts"
import type { ReadTrace, ReflectionTask } from "./readPrompt.ts"

/** A skill that would have helped, and how much the traces speak for it. */
export interface Need {
  readonly skill: Skill
  readonly weight: number
}

const wordCues: ReadonlyArray<readonly [Skill, RegExp]> = [
  ["allergies", /\ballerg|\bintoleran|\breaction/i],
  [
    "safetyNet",
    /\b(?:999|911|111|a&e|ER|emergency|ring|call|return|same day)\b.*\bif\b|\bif\b.*\b(?:999|911|a&e|ring|call|return)\b|\bred flag/i
  ],
  [
    "plan",
    /\b(?:start|stop|continue|increase|refer\w*|review|follow|book\w*|advised|recheck|repeat|pause|prescri\w+|vaccin\w+)\b/i
  ],
  ["findings", /\b(?:o\/e|exam\w*|bp|pulse|temp|sats|tender\w*|normal|clear|test|result|creatinine|a1c|score)\b/i],
  ["timing", /\b(?:since|ago|for about|days?|weeks?|months?|years?|started|began|last)\b/i],
  ["social", /\b(?:works?|job|lives?|smok\w+|drinks?|alcohol|wine|beer|school|nursery|drives?|plays?|alone)\b/i],
  ["people", /\b(?:mother|father|sister|brother|daughter|son|wife|husband|partner|carer|family|FH)\b/i]
]

/** What kinds of content a passage is made of. */
const topicsOf = (text: string): ReadonlySet<Skill> => {
  const found = new Set<Skill>()
  for (const sentence of sentences(text)) {
    for (const content of contents(sentence, "note")) {
      if (content.kind === "number" && content.weight >= 1) found.add("numbers")
      if (content.kind === "medicine") found.add("medicines")
      if (content.kind === "side") found.add("sides")
      if (content.kind === "clinical" && content.negated) found.add("negatives")
      if (content.kind === "clinical") found.add("symptoms")
    }
  }
  for (const [skill, cue] of wordCues) if (cue.test(text)) found.add(skill)
  return found
}

const methodsFor = (trace: ReadTrace): ReadonlyArray<Need> => {
  if (trace.kind === "clean") {
    return [
      { skill: "paraphrase", weight: 0.8 },
      { skill: "smallTalk", weight: 0.5 },
      { skill: "importance", weight: 0.4 },
      { skill: "decimals", weight: 0.3 }
    ]
  }
  if (trace.kind !== "omission") return [{ skill: "additions", weight: 1 }]
  return [
    { skill: "enumerate", weight: 1.1 },
    { skill: "omissions", weight: 0.9 },
    { skill: "partial", weight: trace.survives ? 1 : 0.1 },
    { skill: "importance", weight: 0.25 },
    { skill: "decimals", weight: 0.25 }
  ]
}

/** What is already asked for plainly needs no more words; what an attempt tried in vain is tried again rarely. */
const whenAsked = 0.05
const whenTriedInVain = 0.3

/** The skills that the errors call for and the current instruction does not ask for, most called for first. */
export const needsOf = (task: ReflectionTask): ReadonlyArray<Need> => {
  const weights = new Map<Skill, number>()
  const add = (skill: Skill, weight: number) => weights.set(skill, (weights.get(skill) ?? 0) + weight)
  for (const trace of task.traces) {
    if (trace.right) continue
    for (const { skill, weight } of methodsFor(trace)) add(skill, weight)
    if (trace.kind === "clean") continue
    const topics = topicsOf(trace.content)
    for (const topic of topics) add(topic, 1.6 / Math.sqrt(topics.size))
  }
  const current = readInstruction(task.instruction)
  const failed = task.attempts
    .filter((attempt) => !attempt.accepted)
    .map((attempt) => readInstruction(attempt.instruction))
  return [...weights]
    .map(([skill, weight]) => {
      const asked = current.asked(skill) >= 0.6
      const inVain = !asked && failed.some((attempt) => attempt.asked(skill) >= 0.6)
      return { skill, weight: weight * (asked ? whenAsked : 1) * (inVain ? whenTriedInVain : 1) }
    })
    .sort((a, b) => b.weight - a.weight)
}
