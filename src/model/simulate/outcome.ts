import { uniform } from "../../domain/Random.ts"
import { answer } from "../embedded/answer.ts"
import type { Reply, Usage } from "../LanguageModel.ts"
import type { Asked } from "./Api.ts"
import type { FaultKind } from "./kinds.ts"

export interface Answering {
  /** For requests without a seed, and for how much is reasoned. */
  readonly seed: number
  /** Reasoning tokens of an average answer. 0 for a model that does not reason. */
  readonly reasoning: number
}

const noUsage: Usage = { input: 0, cachedInput: 0, output: 0, reasoning: 0 }

/** An answer that was cut off before its first word. */
const spentOnReasoning = (reply: Reply, tokens: number): Reply => ({
  ...reply,
  text: "",
  finish: "length",
  usage: { ...(reply.usage ?? noUsage), output: tokens, reasoning: tokens }
})

/** What the model has to say, after as much reasoning as half to one and a half times the average. */
export const replyTo = (asked: Asked, { reasoning, seed }: Answering, identity: string): Reply => {
  const { messages, temperature, tokenLimit } = asked
  const request = {
    messages,
    seed: Math.abs(asked.seed ?? seed),
    ...(temperature === undefined ? {} : { temperature })
  }
  if (reasoning === 0)
    return answer({ ...request, ...(tokenLimit === undefined ? {} : { maxOutputTokens: tokenLimit }) })
  const thought = Math.round(reasoning * (0.5 + uniform(seed, "reasoning", identity)))
  if (tokenLimit !== undefined && thought >= tokenLimit) return spentOnReasoning(answer(request), tokenLimit)
  const reply = answer({ ...request, ...(tokenLimit === undefined ? {} : { maxOutputTokens: tokenLimit - thought }) })
  const usage = reply.usage ?? noUsage
  return { ...reply, usage: { ...usage, output: usage.output + thought, reasoning: thought } }
}

/** Counts that cannot be, in five ways. */
const absurdUsages: ReadonlyArray<(usage: Usage) => Usage> = [
  (usage) => ({ ...usage, input: -usage.input }),
  (usage) => ({ ...usage, output: 9e15 }),
  (usage) => ({ ...usage, input: usage.input + 0.5 }),
  (usage) => ({ ...usage, cachedInput: usage.input * 10 + 1, reasoning: usage.output * 10 + 1 }),
  // NaN becomes null in JSON.
  (usage) => ({ ...usage, output: Number.NaN })
]

/** A token limit for reasoning that was given none. */
const unlimited = 16_384

/** The reply as a fault of the model itself makes it; the reply as it is for other kinds. */
export const faultedReply = (
  kind: FaultKind | undefined,
  reply: Reply,
  { tokenLimit }: Asked,
  identity: string
): Reply => {
  switch (kind) {
    case "empty-content":
      return { ...reply, text: "" }
    case "refusal":
      return { ...reply, text: "I'm sorry, but I can't assist with that request.", finish: "refusal" }
    case "content-filter":
      return { ...reply, text: "", finish: "content-filter" }
    case "length":
      return spentOnReasoning(reply, tokenLimit ?? unlimited)
    case "tool-calls":
      return { ...reply, text: "", finish: "tool-calls" }
    case "missing-usage":
      return { ...reply, usage: null }
    case "absurd-usage": {
      const way = Math.floor(uniform(0, "absurd usage", identity) * absurdUsages.length)
      return { ...reply, usage: absurdUsages[way]!(reply.usage ?? noUsage) }
    }
    default:
      return reply
  }
}
