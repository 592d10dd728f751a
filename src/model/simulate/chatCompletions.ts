import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Message, Reply } from "../LanguageModel.ts"
import { type AnswerFacts, type Api, type Asked, sameModel } from "./Api.ts"
import { refusal } from "./protocol.ts"

const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })

const ChatMessage = Schema.Struct({
  role: Schema.Literals(["system", "developer", "user", "assistant"]),
  content: Schema.Union([Schema.String, Schema.Array(TextPart)])
})

export const TokenLimit = Schema.optional(Schema.NullOr(Schema.Int.check(Schema.isGreaterThan(0))))
export const Temperature = Schema.optional(
  Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }, { expected: "a number from 0 to 2" })))
)
export const SchemaName = Schema.String.check(
  Schema.isPattern(/^[a-zA-Z0-9_-]{1,64}$/, { expected: "a name of letters, digits, _ and -" })
)

const ResponseFormat = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["text", "json_object"]) }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    json_schema: Schema.Struct({
      name: SchemaName,
      strict: Schema.optional(Schema.NullOr(Schema.Boolean)),
      schema: Schema.optional(Schema.Record(Schema.String, Schema.Unknown))
    })
  })
])

/** The body, as far as the simulated server speaks it. Other fields are without effect. */
export const ChatRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  messages: Schema.NonEmptyArray(ChatMessage),
  seed: Schema.optional(Schema.NullOr(Schema.Int)),
  temperature: Temperature,
  max_tokens: TokenLimit,
  max_completion_tokens: TokenLimit,
  response_format: Schema.optional(Schema.NullOr(ResponseFormat)),
  n: Schema.optional(Schema.NullOr(Schema.Literal(1))),
  stream: Schema.optional(Schema.NullOr(Schema.Literal(false)))
})
export type ChatRequest = typeof ChatRequest.Type

const decode = Schema.decodeUnknownResult(ChatRequest)

const messagesOf = (request: ChatRequest): ReadonlyArray<Message> =>
  request.messages.map(({ content, role }) => ({
    role: role === "developer" ? "system" : role,
    content: typeof content === "string" ? content : content.map((part) => part.text).join("")
  }))

const formatOf = ({ response_format: format }: ChatRequest): Asked["format"] =>
  format === undefined || format === null
    ? undefined
    : format.type === "json_schema"
      ? { type: format.type, ...format.json_schema }
      : { type: format.type }

const finishReasons = {
  stop: "stop",
  other: "stop",
  empty: "stop",
  length: "length",
  refusal: "stop",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls"
} as const

export const toolCall = { name: "lookup", arguments: '{"query":"guidelines"}' }

const messageOf = ({ finish, text }: Reply, id: string) => {
  if (finish === "refusal") return { role: "assistant", content: null, refusal: text }
  if (finish !== "tool-calls") return { role: "assistant", content: text, refusal: null }
  const calls = [{ id: `call_${id}`, type: "function", function: toolCall }]
  return { role: "assistant", content: null, refusal: null, tool_calls: calls }
}

const usageOf = ({ usage }: Reply) =>
  usage === null
    ? {}
    : {
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cachedInput },
          completion_tokens_details: { reasoning_tokens: usage.reasoning }
        }
      }

const frame = (reply: Pick<Reply, "servedModel">, { asked, created, id }: AnswerFacts, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created,
  model: reply.servedModel ?? asked.model,
  system_fingerprint: "fp_lexical_1"
})

const providerError = { message: "Provider returned error", code: 502, metadata: { provider_name: "simulated" } }

export const chatCompletions: Api = {
  name: "chat-completions",
  path: "/chat/completions",
  formatParameter: "response_format",
  read: (body) =>
    decode(body).pipe(
      Result.mapError((error) => refusal(400, null, `The body is not a chat-completions request: ${error.message}`)),
      Result.map((request) => ({
        model: request.model,
        messages: messagesOf(request),
        seed: request.seed ?? undefined,
        temperature: request.temperature ?? undefined,
        tokenLimit: request.max_completion_tokens ?? request.max_tokens ?? undefined,
        format: formatOf(request)
      })),
      Result.flatMap(sameModel)
    ),
  body: (reply, facts) => ({
    ...frame(reply, facts, "chat.completion"),
    choices: [
      {
        index: 0,
        message: messageOf(reply, facts.id),
        logprobs: null,
        finish_reason: finishReasons[reply.finish]
      }
    ],
    ...usageOf(reply)
  }),
  events: (reply, facts) => {
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ ...frame(reply, facts, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    return `${chunk({ role: "assistant", content: reply.text }, null)}${chunk({}, "stop")}data: [DONE]\n\n`
  },
  errorInside: (facts, way) =>
    way === 0
      ? { error: providerError }
      : {
          ...frame({ servedModel: null }, facts, "chat.completion"),
          choices: [
            { index: 0, message: { role: "assistant", content: "" }, finish_reason: "error", error: providerError }
          ]
        }
}
