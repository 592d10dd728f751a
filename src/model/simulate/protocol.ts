import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { hashOf } from "../../domain/hash.ts"
import type { Message, Reply } from "../LanguageModel.ts"

/** OpenAI's chat-completions bodies, as far as the simulated server speaks them. */
const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })

const ChatMessage = Schema.Struct({
  role: Schema.Literals(["system", "developer", "user", "assistant"]),
  content: Schema.Union([Schema.String, Schema.Array(TextPart)])
})

const TokenLimit = Schema.optional(Schema.NullOr(Schema.Int.check(Schema.isGreaterThan(0))))

export const ChatRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  messages: Schema.NonEmptyArray(ChatMessage),
  seed: Schema.optional(Schema.NullOr(Schema.Int)),
  temperature: Schema.optional(
    Schema.NullOr(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }, { expected: "a number from 0 to 2" }))
    )
  ),
  max_tokens: TokenLimit,
  max_completion_tokens: TokenLimit,
  n: Schema.optional(Schema.NullOr(Schema.Literal(1))),
  stream: Schema.optional(Schema.NullOr(Schema.Literal(false)))
})
export type ChatRequest = typeof ChatRequest.Type

/** A refusal in OpenAI's shape. */
export interface Refusal {
  readonly status: number
  readonly type: "invalid_request_error" | "server_error"
  readonly code: string | null
  readonly message: string
}

export const refusal = (
  status: number,
  code: string | null,
  message: string,
  type: Refusal["type"] = "invalid_request_error"
): Refusal => ({ status, type, code, message })

export const refusalBody = ({ code, message, type }: Refusal) => ({ error: { message, type, param: null, code } })

const decode = Schema.decodeUnknownResult(ChatRequest)

/** The JSON value of a body, or why there is none. */
export const parseBody = (text: string): Result.Result<unknown, Refusal> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: () => refusal(400, null, "The body is no JSON. Send one JSON object with model and messages.")
  })

export const readChatRequest = (body: unknown): Result.Result<ChatRequest, Refusal> =>
  Result.mapError(decode(body), (error) =>
    refusal(400, null, `The body is not a chat-completions request: ${error.message}`)
  )

export const messagesOf = (request: ChatRequest): ReadonlyArray<Message> =>
  request.messages.map(({ content, role }) => ({
    role: role === "developer" ? "system" : role,
    content: typeof content === "string" ? content : content.map((part) => part.text).join("")
  }))

/** Fields that can differ between two sendings of one request. */
const volatileFields: ReadonlySet<string> = new Set([
  "user",
  "metadata",
  "service_tier",
  "store",
  "safety_identifier",
  "prompt_cache_key"
])

/** The same for two bodies that ask the same. */
export const requestHash = (body: unknown): string =>
  typeof body === "object" && body !== null && !Array.isArray(body)
    ? hashOf(Object.fromEntries(Object.entries(body).filter(([name]) => !volatileFields.has(name))))
    : hashOf(body)

const fingerprint = "fp_lexical_1"

/** A reply as the body of a `chat.completion`. `created` is in seconds since 1970. */
export const completionBody = (reply: Reply, model: string, id: string, created: number) => ({
  id,
  object: "chat.completion",
  created,
  model: reply.servedModel ?? model,
  system_fingerprint: fingerprint,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: reply.text, refusal: null },
      logprobs: null,
      finish_reason: reply.finish === "length" ? "length" : "stop"
    }
  ],
  ...(reply.usage === null
    ? {}
    : {
        usage: {
          prompt_tokens: reply.usage.input,
          completion_tokens: reply.usage.output,
          total_tokens: reply.usage.input + reply.usage.output,
          prompt_tokens_details: { cached_tokens: reply.usage.cachedInput },
          completion_tokens_details: { reasoning_tokens: reply.usage.reasoning }
        }
      })
})

export const modelsBody = (model: string) => ({
  object: "list",
  data: [{ id: model, object: "model", created: 0, owned_by: "assize" }]
})
