import type { Finish, Reply, Usage } from "./LanguageModel.ts"

type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {}

const tokens = (...values: ReadonlyArray<unknown>): number | undefined => {
  const value = values.find((one) => typeof one === "number" && Number.isFinite(one) && one >= 0)
  return typeof value === "number" ? Math.round(value) : undefined
}

/** Null unless both input and output are counted. Under either of the two sets of names that servers use. */
const usageOf = (value: unknown): Usage | null => {
  const usage = fieldsOf(value)
  const input = tokens(usage.prompt_tokens, usage.input_tokens)
  const written = tokens(usage.completion_tokens, usage.output_tokens)
  if (input === undefined || written === undefined) return null
  const cached = tokens(
    fieldsOf(usage.prompt_tokens_details).cached_tokens,
    fieldsOf(usage.input_tokens_details).cached_tokens
  )
  const reasoning =
    tokens(
      fieldsOf(usage.completion_tokens_details).reasoning_tokens,
      fieldsOf(usage.output_tokens_details).reasoning_tokens
    ) ?? 0
  // Some servers count reasoning beside the output; their total gives it away.
  const beside = reasoning > 0 && usage.total_tokens === input + written + reasoning
  const output = beside ? written + reasoning : written
  return { input, cachedInput: Math.min(cached ?? 0, input), output, reasoning: Math.min(reasoning, output) }
}

/** The text, also where it comes in parts. Null and missing content are empty. */
const textOf = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .map((part) => fieldsOf(part).text)
    .filter((text) => typeof text === "string")
    .join("")
}

const finishOf = (reason: unknown, message: Fields, text: string): Finish => {
  if (typeof message.refusal === "string" && message.refusal !== "") return "refusal"
  switch (reason) {
    // Some servers give no reason for an answer that is whole.
    case null:
    case undefined:
    case "stop":
    case "eos":
    case "end_turn":
    case "stop_sequence":
      // Some servers say `stop` for a reply that is nothing but a call of a tool.
      return text === "" && Array.isArray(message.tool_calls) && message.tool_calls.length > 0 ? "tool-calls" : "stop"
    case "length":
    case "max_tokens":
      return "length"
    case "content_filter":
    case "safety":
      return "content-filter"
    case "refusal":
      return "refusal"
    case "tool_calls":
    case "function_call":
      return "tool-calls"
    default:
      return "other"
  }
}

/** A chat completion as a reply; undefined when the body is none. A refusal's words become the text. */
export const replyOf = (body: unknown): Reply | undefined => {
  const { choices, usage, model } = fieldsOf(body)
  if (!Array.isArray(choices) || choices.length === 0) return undefined
  const choice = fieldsOf(choices[0])
  if (typeof choice.message !== "object" || choice.message === null) return undefined
  const message = fieldsOf(choice.message)
  const text = textOf(message.content)
  const finish = finishOf(choice.finish_reason, message, text)
  return {
    text: text === "" && typeof message.refusal === "string" ? message.refusal : text,
    finish,
    usage: usageOf(usage),
    servedModel: typeof model === "string" && model !== "" ? model : null
  }
}
