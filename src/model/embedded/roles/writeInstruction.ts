import { draw, hashText, pick } from "../noise.ts"
import { needsOf } from "../reflect/needs.ts"
import type { ReflectionTask } from "../reflect/readPrompt.ts"
import { readReflectionPrompt } from "../reflect/readPrompt.ts"
import { chosen, extended, fitted, joined, rewritten } from "../reflect/revise.ts"
import { slipOf, slipped } from "../reflect/slips.ts"
import type { EmbeddedRole } from "../role.ts"

/** How often a revision is written afresh, or tidied, rather than appended to the current text. */
const rewriteRate = 0.15
const joinRate = 0.1

const revision = (task: ReflectionTask, seed: number): string => {
  const skills = chosen(needsOf(task), seed)
  const manner = draw(seed, "manner")
  const write = manner < rewriteRate ? rewritten : manner < rewriteRate + joinRate ? joined : extended
  return fitted(write(task.instruction, skills, seed), task.lengthLimit, seed)
}

const introductions = [
  "The errors have a kind of content in common that the instruction does not ask for.",
  "Most of the wrong decisions come from things that the judge never looked for.",
  "The judge went by its impression where it should have compared the two texts."
]

/** Rewrites a judge's instruction from the traces of what it got wrong; now and then badly. */
export const writeInstruction: EmbeddedRole = {
  name: "write an instruction",
  answer(messages, given) {
    const task = messages.flatMap((message) =>
      message.role === "assistant" ? [] : (readReflectionPrompt(message.content) ?? [])
    )[0]
    if (task === undefined) return undefined
    // Another prompt is another train of thought, also where a caller sends one seed with all of them.
    const seed = (given ^ hashText(messages.map((message) => message.content).join("\n"))) >>> 0
    const slip = slipOf(seed)
    const good = revision(task, seed)
    const text = slip === undefined ? good : slipped(slip, good, task, seed)
    const introduction = pick(introductions, seed, "introduction")
    if (slip === "noMarkers") return `${introduction} I would write:\n\n${text}`
    if (slip === "truncated") return `${introduction}\n\n<<<INSTRUCTION\n${text.slice(0, Math.ceil(text.length * 0.7))}`
    return `${introduction}\n\n<<<INSTRUCTION\n${text}\nINSTRUCTION>>>`
  }
}
