import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Message, Reply } from "../LanguageModel.ts"
import { type AnswerFacts, type Api, type Asked, sameModel } from "./Api.ts"
import { SchemaName, Temperature, TokenLimit, toolCall } from "./chatCompletions.ts"
import { refusal } from "./protocol.ts"

const InputText = Schema.Struct({ type: Schema.Literals(["input_text", "output_text"]), text: Schema.String })

const InputMessage = Schema.Struct({
  type: Schema.optional(Schema.Literal("message")),
  role: Schema.Literals(["system", "developer", "user", "assistant"]),
  content: Schema.Union([Schema.String, Schema.Array(InputText)])
})

const TextFormat = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["text", "json_object"]) }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    name: SchemaName,
    strict: Schema.optional(Schema.NullOr(Schema.Boolean)),
    schema: Schema.Record(Schema.String, Schema.Unknown)
  })
])

/** The body, as far as the simulated server speaks it. OpenAI has no seed here; other servers do, and so has this one. */
export const ResponsesRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  input: Schema.Union([Schema.NonEmptyString, Schema.NonEmptyArray(InputMessage)]),
  instructions: Schema.optional(Schema.NullOr(Schema.String)),
  seed: Schema.optional(Schema.NullOr(Schema.Int)),
  temperature: Temperature,
  max_output_tokens: TokenLimit,
  text: Schema.optional(Schema.NullOr(Schema.Struct({ format: Schema.optional(Schema.NullOr(TextFormat)) }))),
  stream: Schema.optional(Schema.NullOr(Schema.Literal(false)))
})
export type ResponsesRequest = typeof ResponsesRequest.Type

const decode = Schema.decodeUnknownResult(ResponsesRequest)

const messagesOf = ({ input, instructions }: ResponsesRequest): ReadonlyArray<Message> => [
  ...(typeof instructions === "string" ? [{ role: "system" as const, content: instructions }] : []),
  ...(typeof input === "string"
    ? [{ role: "user" as const, content: input }]
    : input.map(({ content, role }) => ({
        role: role === "developer" ? ("system" as const) : role,
        content: typeof content === "string" ? content : content.map((part) => part.text).join("")
      })))
]

const formatOf = ({ text }: ResponsesRequest): Asked["format"] => text?.format ?? undefined

const messageItem = (reply: Reply, id: string) => ({
  type: "message",
  id: `msg_${id}`,
  status: reply.finish === "length" || reply.finish === "content-filter" ? "incomplete" : "completed",
  role: "assistant",
  content: [
    reply.finish === "refusal"
      ? { type: "refusal", refusal: reply.text }
      : { type: "output_text", text: reply.text, annotations: [], logprobs: [] }
  ]
})

/** A model that spent everything on reasoning, or was filtered at once, writes no message at all. */
const itemsOf = (reply: Reply, id: string): ReadonlyArray<object> => {
  const cut = reply.finish === "length" || reply.finish === "content-filter"
  const reasoning = reply.usage !== null && reply.usage.reasoning > 0
  return [
    ...(reasoning ? [{ type: "reasoning", id: `rs_${id}`, summary: [] }] : []),
    ...(reply.finish === "tool-calls"
      ? [{ type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, status: "completed", ...toolCall }]
      : cut && reply.text === ""
        ? []
        : [messageItem(reply, id)])
  ]
}

const incomplete = { length: { reason: "max_output_tokens" }, "content-filter": { reason: "content_filter" } }

const usageOf = ({ usage }: Reply) =>
  usage === null
    ? {}
    : {
        usage: {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cachedInput },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output
        }
      }

const frame = (model: string, { asked, created, id }: AnswerFacts) => ({
  id: `resp_${id}`,
  object: "response",
  created_at: created,
  error: null as object | null,
  incomplete_details: null as object | null,
  instructions: null,
  max_output_tokens: asked.tokenLimit ?? null,
  model,
  parallel_tool_calls: true,
  previous_response_id: null,
  temperature: asked.temperature ?? 1,
  text: { format: { type: asked.format?.type ?? "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  metadata: {}
})

const body = (reply: Reply, facts: AnswerFacts) => {
  const cut = reply.finish === "length" || reply.finish === "content-filter" ? reply.finish : undefined
  return {
    ...frame(reply.servedModel ?? facts.asked.model, facts),
    status: cut === undefined ? "completed" : "incomplete",
    ...(cut === undefined ? {} : { incomplete_details: incomplete[cut] }),
    output: itemsOf(reply, facts.id),
    ...usageOf(reply)
  }
}

export const responses: Api = {
  name: "responses",
  path: "/responses",
  formatParameter: "text.format",
  read: (value) =>
    decode(value).pipe(
      Result.mapError((error) => refusal(400, null, `The body is not a responses request: ${error.message}`)),
      Result.map((request) => ({
        model: request.model,
        messages: messagesOf(request),
        seed: request.seed ?? undefined,
        temperature: request.temperature ?? undefined,
        tokenLimit: request.max_output_tokens ?? undefined,
        format: formatOf(request)
      })),
      Result.flatMap(sameModel)
    ),
  body,
  events: (reply, facts) => {
    const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    return `${event("response.output_text.delta", { delta: reply.text })}${event("response.completed", { response: body(reply, facts) })}`
  },
  errorInside: (facts) => ({
    ...frame(facts.asked.model, facts),
    status: "failed",
    error: { code: "server_error", message: "The model had an error while it was answering." },
    output: []
  })
}
