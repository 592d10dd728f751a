import type { Api } from "./address.ts"
import { fieldsOf } from "./openaiUsage.ts"

/** The JSON of each event of a stream (server-sent events); undefined where one is no JSON. `[DONE]` is left out. */
const eventsOf = (text: string): { readonly events: ReadonlyArray<unknown>; readonly done: boolean } | undefined => {
  const events: Array<unknown> = []
  let done = false
  for (const block of text.split(/\r?\n\r?\n/)) {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n")
    if (data === "") continue
    if (data.trim() === "[DONE]") {
      done = true
      continue
    }
    try {
      events.push(JSON.parse(data))
    } catch {
      return undefined
    }
  }
  return { events, done }
}

const chatBodyOf = (events: ReadonlyArray<unknown>, done: boolean): unknown => {
  let content = ""
  let refusal = ""
  let finish: unknown
  const toolCalls: Array<unknown> = []
  let usage: unknown
  let model: unknown
  for (const event of events) {
    const chunk = fieldsOf(event)
    usage = chunk.usage ?? usage
    model = chunk.model ?? model
    // Azure begins with a chunk that has no choices.
    const choice = fieldsOf(Array.isArray(chunk.choices) ? chunk.choices[0] : undefined)
    const delta = fieldsOf(choice.delta ?? choice.message)
    if (typeof delta.content === "string") content += delta.content
    if (typeof delta.refusal === "string") refusal += delta.refusal
    if (Array.isArray(delta.tool_calls)) toolCalls.push(...delta.tool_calls)
    finish = choice.finish_reason ?? finish
  }
  if (!done && finish === undefined) return undefined
  const message = { content, ...(refusal === "" ? {} : { refusal }), tool_calls: toolCalls }
  return { choices: [{ message, finish_reason: finish }], usage, model }
}

const ended: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete", "response.failed"])

/**
 * What a stream of events says in one body, for gateways that stream whether asked to or not; undefined when it breaks
 * off or holds no answer. An event that is an error is given back as it is.
 */
export const bodyOfEvents = (text: string, api: Api): unknown => {
  const read = eventsOf(text)
  if (read === undefined) return undefined
  const failed = read.events.find((event) => {
    const { error, type } = fieldsOf(event)
    return type === "error" || (error !== undefined && error !== null)
  })
  if (failed !== undefined) return fieldsOf(failed).error === undefined ? { error: failed } : failed
  return api === "responses"
    ? fieldsOf(read.events.find((event) => ended.has(fieldsOf(event).type))).response
    : chatBodyOf(read.events, read.done)
}
