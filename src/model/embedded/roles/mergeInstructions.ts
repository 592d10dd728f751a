import { hashText, pick } from "../noise.ts"
import { crossed } from "../reflect/crossed.ts"
import { readMergePrompt } from "../reflect/readMergePrompt.ts"
import { slipOf, slipped } from "../reflect/slips.ts"
import type { EmbeddedRole } from "../role.ts"

const introductions = [
  "Each of the two looks for something that the other passes over.",
  "The second instruction is right where the first is silent, and the other way round.",
  "Both ways of working can stand in one instruction."
]

/** Makes one judge's instruction of two; now and then badly. */
export const mergeInstructions: EmbeddedRole = {
  name: "merge instructions",
  answer(messages, given) {
    const task = messages.flatMap((message) =>
      message.role === "assistant" ? [] : (readMergePrompt(message.content) ?? [])
    )[0]
    if (task === undefined) return undefined
    // Another prompt is another train of thought, also where a caller sends one seed with all of them.
    const seed = (given ^ hashText(messages.map((message) => message.content).join("\n"))) >>> 0
    const slip = slipOf(seed)
    const good = crossed(task, seed)
    const { first, lengthLimit } = task
    const text =
      slip === undefined
        ? good
        : slipped(slip, good, { instruction: first, attempts: [], traces: [], lengthLimit }, seed)
    const introduction = pick(introductions, seed, "introduction")
    if (slip === "noMarkers") return `${introduction} I would write:\n\n${text}`
    if (slip === "truncated") return `${introduction}\n\n<<<INSTRUCTION\n${text.slice(0, Math.ceil(text.length * 0.7))}`
    return `${introduction}\n\n<<<INSTRUCTION\n${text}\nINSTRUCTION>>>`
  }
}
