import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Finish, ModelFailure, ModelRequest } from "../../src/model/LanguageModel.ts"
import * as openai from "../../src/model/openai.ts"
import { type Answer, chatServer, error, json, text } from "./chatServer.ts"
import { openaiModel } from "./fixtures.ts"

type Config = Parameters<typeof openaiModel>[0]

const message = (...content: ReadonlyArray<object>) => ({ type: "message", role: "assistant", content })
const words = (said: string) => ({ type: "output_text", text: said, annotations: [] })
const response = (output: ReadonlyArray<object>, fields: object = {}) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  error: null,
  incomplete_details: null,
  model: "tiny-1-served",
  output,
  usage: {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 16 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 29
  },
  ...fields
})
const incomplete = (reason: string, output: ReadonlyArray<object> = []) =>
  response(output, { status: "incomplete", incomplete_details: { reason } })
const thoughts = { type: "reasoning", summary: [] }

const ask = (answer: Answer, config: Config = {}, asked: Partial<ModelRequest> = {}) =>
  Effect.gen(function* () {
    const server = yield* chatServer(answer)
    const provider = yield* openai.make
    const model = openaiModel({ baseUrl: server.url, api: "responses", ...config })
    const request: ModelRequest = {
      role: "judge",
      model,
      messages: [
        { role: "system", content: "Be strict." },
        { role: "user", content: "Is it complete?" },
        { role: "assistant", content: "(empty)" },
        { role: "user", content: "Again." }
      ],
      seed: 1,
      ...asked
    }
    return { server, result: yield* Effect.exit(provider(request)) }
  }).pipe(Effect.provide(Logger.layer([])))

describe("the responses API", () => {
  it.live("is asked with instructions, input, limit, effort, schema, and not to keep anything", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: {}, required: [], additionalProperties: false }
      const { server } = yield* ask(
        json(response([message(words("7"))])),
        { temperature: 0.5, maxOutputTokens: 64, reasoningEffort: "low" },
        { answer: { name: "judgement", schema } }
      )
      assert.strictEqual(server.received[0]!.url, "/v1/responses")
      assert.deepStrictEqual(server.received[0]!.body, {
        model: "tiny-1",
        instructions: "Be strict.",
        input: [
          { role: "user", content: "Is it complete?" },
          { role: "assistant", content: "(empty)" },
          { role: "user", content: "Again." }
        ],
        max_output_tokens: 64,
        temperature: 0.5,
        reasoning: { effort: "low" },
        text: { format: { type: "json_schema", name: "judgement", strict: true, schema } },
        store: false
      })
    })
  )

  it.live("is meant by an address that ends so, whatever else it says", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(json(response([message(words("7"))])))
      const provider = yield* openai.make
      const messages = [{ role: "user" as const, content: "?" }]
      for (const path of ["/v1/responses", "/responses/", "/openai/responses?api-version=2025-04-01-preview"]) {
        const model = openaiModel({ baseUrl: `${server.url}${path}` })
        yield* provider({ role: "judge", model, messages, seed: 1 })
      }
      assert.deepStrictEqual(
        server.received.map(({ url }) => url),
        ["/v1/responses", "/v1/responses", "/openai/responses?api-version=2025-04-01-preview"]
      )
    })
  )

  const call = { type: "function_call", name: "f", arguments: "{}" }
  it.live.each<readonly [string, object, string, Finish]>([
    ["an answer", response([thoughts, message(words("7"))]), "7", "stop"],
    ["an answer in parts", response([message(words("7"), words("/10")), message(words("!"))]), "7/10!", "stop"],
    ["a refusal", response([message({ type: "refusal", refusal: "I cannot." })]), "I cannot.", "refusal"],
    ["one cut short", incomplete("max_output_tokens", [message(words("7"))]), "7", "length"],
    ["one that thought until it was cut short", incomplete("max_output_tokens", [thoughts]), "", "length"],
    ["a filtered one", incomplete("content_filter"), "", "content-filter"],
    ["one that is incomplete for no known reason", incomplete("tired"), "", "other"],
    ["nothing but thoughts", response([thoughts]), "", "empty"],
    ["no output", response([]), "", "empty"],
    ["a tool call only", response([thoughts, call]), "", "tool-calls"],
    ["a server that gives no status", response([message(words("7"))], { status: undefined }), "7", "stop"]
  ])("reads %s", ([, body, said, finish]) =>
    Effect.gen(function* () {
      const { result } = yield* ask(json(body))
      const reply = yield* result
      assert.deepStrictEqual([reply.text, reply.finish, reply.servedModel], [said, finish, "tiny-1-served"])
      assert.deepStrictEqual(reply.usage, { input: 20, cachedInput: 16, output: 9, reasoning: 4 })
    })
  )

  it.live.each<readonly [string, Answer, ModelFailure, string]>([
    [
      "an input that is too long",
      json(error("Your input exceeds the context window of this model.", { code: "context_length_exceeded" }), 400),
      "context-too-long",
      "is longer than tiny-1"
    ],
    [
      "one that failed",
      json(response([], { status: "failed", error: { code: "server_error", message: "Sorry about that." } })),
      "server-error",
      "“Sorry about that.”"
    ],
    [
      "one that failed for its rate",
      json(response([], { status: "failed", error: { code: "rate_limit_exceeded", message: "slow" } })),
      "rate-limited",
      "throttles tiny-1"
    ],
    [
      "one that is not finished",
      json(response([message(words("7"))], { status: "in_progress" })),
      "malformed-response",
      "JSON that is no finished response"
    ],
    ["a chat completion", json({ choices: [] }), "malformed-response", "JSON that is no finished response"],
    ["no such API", json({ detail: "Not Found" }, 404), "unknown-model", "check model, baseUrl and api"]
  ])("tells %s from an answer", ([, answer, kind, said]) =>
    Effect.gen(function* () {
      const { result } = yield* ask(answer)
      const failed = yield* Effect.flip(result)
      assert.strictEqual(failed.kind, kind)
      assert.include(failed.message, said)
    })
  )

  it.live("is read from a stream that is whole", () =>
    Effect.gen(function* () {
      const events = [
        ["response.created", { type: "response.created", response: { status: "in_progress" } }],
        ["response.output_text.delta", { type: "response.output_text.delta", delta: "7" }],
        ["response.completed", { type: "response.completed", response: response([message(words("7"))]) }]
      ].map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      const { result } = yield* ask(text(events.join(""), "text/event-stream"))
      assert.strictEqual((yield* result).text, "7")
      const broken = yield* ask(text(events.slice(0, 2).join(""), "text/event-stream"))
      assert.strictEqual((yield* Effect.flip(broken.result)).kind, "malformed-response")
    })
  )
})
