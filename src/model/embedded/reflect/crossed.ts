import type { Skill } from "../instruction.ts"
import { leftAsideBy, readInstruction } from "../instruction.ts"
import { draw } from "../noise.ts"
import { sentences } from "../text/tokens.ts"
import type { MergeTask } from "./readMergePrompt.ts"
import { fitted, paragraphsOf } from "./revise.ts"
import { wordings } from "./wordings.ts"

const skills = Object.keys(wordings) as ReadonlyArray<Skill>

/** The skills that a text asks for plainly. */
const askedIn = (text: string): ReadonlySet<Skill> => {
  const { asked } = readInstruction(text)
  return new Set(skills.filter((skill) => asked(skill) >= 0.6))
}

/** A paragraph without the sentences that say to leave aside what the other instruction asks for. */
const reconciled = (paragraph: string, wanted: ReadonlySet<Skill>): string =>
  sentences(paragraph)
    .filter((sentence) => !leftAsideBy(sentence).some((skill) => wanted.has(skill)))
    .join(" ")

/**
 * One instruction of two: the one that was right more often, and those paragraphs of the other that ask for something
 * which it does not ask for. Where they are even, chance decides which comes first.
 */
export const crossed = (task: MergeTask, seed: number): string => {
  const lead = task.firstRight - task.secondRight
  const firstLeads = lead > 0 || (lead === 0 && draw(seed, "which leads") < 0.5)
  const [base, other] = firstLeads ? [task.first, task.second] : [task.second, task.first]
  const wanted = askedIn(other)
  const kept = paragraphsOf(base)
    .map((paragraph) => reconciled(paragraph, wanted))
    .filter((paragraph) => paragraph !== "")
  const have = new Set(askedIn(kept.join("\n\n")))
  for (const paragraph of paragraphsOf(other)) {
    const brings = [...askedIn(paragraph)].filter((skill) => !have.has(skill))
    if (brings.length === 0) continue
    for (const skill of brings) have.add(skill)
    kept.push(paragraph)
  }
  return fitted(kept.join("\n\n"), task.lengthLimit, seed)
}
