import { draw, pick } from "../noise.ts"
import type { ReflectionTask } from "./readPrompt.ts"
import { paragraphsOf } from "./revise.ts"
import { harsherOnly, padding, vague } from "./wordings.ts"

/** How often a reflection goes wrong, by kind. A rate is a share of all reflections. */
export const slipRates = {
  harsher: 0.05,
  long: 0.04,
  vague: 0.03,
  drops: 0.05,
  noMarkers: 0.008,
  truncated: 0.008,
  copies: 0.01,
  placeholder: 0.006
} as const
export type Slip = keyof typeof slipRates

/** The slip that this reflection makes, if any. */
export const slipOf = (seed: number): Slip | undefined => {
  let luck = draw(seed, "slip")
  for (const [slip, rate] of Object.entries(slipRates)) {
    if (luck < rate) return slip as Slip
    luck -= rate
  }
  return undefined
}

const longest = 40

/** Filler up to somewhat below the limit. */
const padded = (instruction: string, limit: number, seed: number): string => {
  const goal = Math.min(limit - 200, Math.max(4500, instruction.length + 2500))
  const parts = [instruction]
  let length = instruction.length
  for (let count = 0; count < longest && length < goal; count++) {
    const next = padding[(count + Math.floor(draw(seed, "padding") * padding.length)) % padding.length]!
    parts.push(next)
    length += next.length + 2
  }
  return parts.join("\n\n")
}

const withoutAParagraph = (instruction: string, seed: number): string => {
  const paragraphs = paragraphsOf(instruction)
  if (paragraphs.length < 2) return pick(vague, seed, "vague")
  const dropped = Math.floor(draw(seed, "what to drop") * paragraphs.length)
  return paragraphs.filter((_, index) => index !== dropped).join("\n\n")
}

/** What a slip makes of the instruction. `good` is what would have been written without it. */
export const slipped = (slip: Slip, good: string, task: ReflectionTask, seed: number): string => {
  switch (slip) {
    case "harsher":
      return `${task.instruction}\n\n${pick(harsherOnly, seed, "harsher")}`
    case "long":
      return padded(good, task.lengthLimit, seed)
    case "vague":
      return pick(vague, seed, "vague")
    case "drops":
      return withoutAParagraph(task.instruction, seed)
    case "copies": {
      const shown = task.traces.find((trace) => !trace.right && trace.content !== "")
      return shown === undefined ? good : `${good}\n\nFor example, a note must not fail to say: ${shown.content}`
    }
    case "placeholder":
      return `Read the transcript {{transcript}} and then the note {{note}}.\n\n${good}`
    case "noMarkers":
    case "truncated":
      return good
  }
}
