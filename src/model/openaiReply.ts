import type { Finish, Reply } from "./LanguageModel.ts"
import { chargedOf, fieldsOf, usageOf } from "./openaiUsage.ts"

/** A reply, and whether it came with counts of tokens that cannot be. */
export interface ReadReply {
  readonly reply: Reply
  readonly oddUsage: boolean
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

const stopped = (text: string, toolCalls: boolean): Finish =>
  text.trim() !== "" ? "stop" : toolCalls ? "tool-calls" : "empty"

const finishOf = (reason: unknown, message: Readonly<Record<string, unknown>>, text: string): Finish => {
  if (typeof message.refusal === "string" && message.refusal !== "") return "refusal"
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.length > 0 : message.function_call != null
  switch (typeof reason === "string" ? reason.toLowerCase() : reason) {
    // Some servers give no reason for an answer that is whole.
    case null:
    case undefined:
    case "stop":
    case "eos":
    case "end_turn":
    case "stop_sequence":
      // Some servers say `stop` for a reply that is nothing but a call of a tool.
      return stopped(text, calls)
    case "length":
    case "max_tokens":
    case "model_length":
      return "length"
    case "content_filter":
    case "safety":
    case "recitation":
    case "blocklist":
    case "prohibited_content":
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

const served = (model: unknown): string | null => (typeof model === "string" && model !== "" ? model : null)

/** A chat completion as a reply; undefined when the body is none. A refusal's words become the text. */
export const chatReply = (body: unknown): ReadReply | undefined => {
  const { choices, usage, model } = fieldsOf(body)
  if (!Array.isArray(choices) || choices.length === 0) return undefined
  const choice = fieldsOf(choices[0])
  if (typeof choice.message !== "object" || choice.message === null) return undefined
  const message = fieldsOf(choice.message)
  const text = textOf(message.content)
  const counted = usageOf(usage)
  return {
    reply: {
      text: text === "" && typeof message.refusal === "string" ? message.refusal : text,
      finish: finishOf(choice.finish_reason, message, text),
      usage: counted.usage,
      ...chargedOf(usage),
      servedModel: served(model)
    },
    oddUsage: counted.odd
  }
}

const responseFinish = (
  status: unknown,
  reason: unknown,
  text: string,
  refusal: string,
  toolCalls: boolean
): Finish | undefined => {
  if (status === "incomplete") {
    if (reason === "content_filter") return "content-filter"
    return reason === "max_output_tokens" || reason === "max_tokens" ? "length" : "other"
  }
  // Queued, still in progress, cancelled: there is no answer.
  if (status !== undefined && status !== null && status !== "completed") return undefined
  return refusal === "" ? stopped(text, toolCalls) : "refusal"
}

/** What the responses API answers, as a reply; undefined when the body is none, or not finished. */
export const responseReply = (body: unknown): ReadReply | undefined => {
  const { output, status, incomplete_details, usage, model } = fieldsOf(body)
  if (!Array.isArray(output)) return undefined
  const items = output.map(fieldsOf)
  const parts = items
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) =>
      Array.isArray(content) ? content.map(fieldsOf) : [{ type: "output_text", text: content }]
    )
  const joined = (type: string, field: string) =>
    parts
      .filter((part) => part.type === type)
      .map((part) => part[field])
      .filter((text) => typeof text === "string")
      .join("")
  const text = joined("output_text", "text")
  const refusal = joined("refusal", "refusal")
  const calls = items.some(({ type }) => typeof type === "string" && type.endsWith("_call"))
  const finish = responseFinish(status, fieldsOf(incomplete_details).reason, text, refusal, calls)
  if (finish === undefined) return undefined
  const counted = usageOf(usage)
  return {
    reply: {
      text: text === "" ? refusal : text,
      finish,
      usage: counted.usage,
      ...chargedOf(usage),
      servedModel: served(model)
    },
    oddUsage: counted.odd
  }
}
