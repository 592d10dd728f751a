import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Finish, ModelFailure } from "../../src/model/LanguageModel.ts"
import * as openai from "../../src/model/openai.ts"
import { type Answer, chatServer, completion, error, json, text } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

type Config = Parameters<typeof openaiModel>[0]

const ask = (answer: Answer, config: Config = {}, times = 1) =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const server = yield* chatServer(answer)
    const provider = yield* openai.make
    const model = openaiModel({ baseUrl: server.url, ...config })
    const listening = Logger.make(({ message }) => said.push(String(message)))
    const results = yield* Effect.forEach(Array.from({ length: times }), () =>
      Effect.exit(provider(request(model)))
    ).pipe(Effect.provide(Logger.layer([listening])))
    return { server, said, result: results[0]!, results }
  })

const usage = (fields: object) => ({ prompt_tokens: 20, completion_tokens: 9, ...fields })

describe("numbers of tokens", () => {
  it.live.each([
    usage({ prompt_tokens: 2 ** 53 }),
    usage({ prompt_tokens: 1e16 }),
    usage({ completion_tokens: 1e300 }),
    usage({ completion_tokens: -9 }),
    usage({ prompt_tokens: 20.5 }),
    usage({ completion_tokens_details: { reasoning_tokens: 2 ** 53 + 2 } }),
    usage({ prompt_tokens_details: { cached_tokens: -1 } })
  ])("that cannot be count as not reported, and are said once: %j", (counted) =>
    Effect.gen(function* () {
      const { results, said, server } = yield* ask(json(completion("7", { usage: counted })), {}, 2)
      for (const result of results) assert.isNull((yield* result).usage)
      assert.deepStrictEqual(said, [
        `tiny-1 at ${server.url}/v1 reports numbers of tokens that cannot be; they count as not reported`
      ])
    })
  )

  it.live("that are missing are not reported, and nothing is said of it", () =>
    Effect.gen(function* () {
      const { result, said } = yield* ask(json(completion("7", { usage: undefined })))
      assert.isNull((yield* result).usage)
      assert.deepStrictEqual(said, [])
    })
  )
})

describe("what is refused for the prompt's sake", () => {
  it.live.each<readonly [string, Answer, Finish]>([
    [
      "Azure's filter",
      json(
        error("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {
          code: "content_filter",
          status: 400,
          innererror: { code: "ResponsibleAIPolicyViolation" }
        }),
        400
      ),
      "content-filter"
    ],
    [
      "OpenAI's",
      json(
        error("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", {
          code: "invalid_prompt"
        }),
        400
      ),
      "content-filter"
    ],
    [
      "OpenRouter's moderation",
      json(
        error('anthropic/claude requires moderation on Anthropic. Your input was flagged for "x"', { code: 403 }),
        403
      ),
      "content-filter"
    ]
  ])("is an outcome of that prompt: %s", ([, answer, finish]) =>
    Effect.gen(function* () {
      const { result } = yield* ask(answer)
      assert.deepStrictEqual(yield* result, { text: "", finish, usage: null, servedModel: null })
    })
  )
})

describe("a prompt that is too long", () => {
  it.live.each<readonly [string, number, object]>([
    ["OpenAI", 400, error("x", { code: "context_length_exceeded" })],
    [
      "vLLM",
      400,
      error(
        "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion)."
      )
    ],
    [
      "vLLM's engine",
      400,
      error("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", { code: 400 })
    ],
    [
      "llama.cpp",
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size. try increasing the context size",
          type: "exceed_context_size_error",
          n_prompt_tokens: 14429,
          n_ctx: 8192
        }
      }
    ],
    ["llama.cpp of old", 500, { error: { code: 500, message: "x", type: "exceed_context_size_error" } }],
    ["llama.cpp, with status 200", 200, { error: { code: 400, message: "x", type: "exceed_context_size_error" } }],
    ["LM Studio, with status 200", 200, { error: "The number of tokens to keep is greater than the context length." }],
    [
      "Anthropic",
      400,
      {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 208310 tokens > 200000 maximum" }
      }
    ],
    [
      "Anthropic, with the output",
      400,
      error("input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000")
    ],
    [
      "OpenRouter",
      400,
      error("This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens.")
    ],
    ["Gemini", 400, [error("The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).")]],
    ["a gateway by its status", 413, {}],
    ["FastAPI", 422, { detail: "Input is longer: exceeds the maximum context of 4096 tokens" }],
    [
      "OpenAI, for the account",
      429,
      error("Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 20000.", {
        code: "rate_limit_exceeded"
      })
    ]
  ])("is told by %s", ([, status, body]) =>
    Effect.gen(function* () {
      const { result, server } = yield* ask(json(body, status))
      assert.strictEqual((yield* Effect.flip(result)).kind, "context-too-long")
      assert.strictEqual(server.received.length, 1)
    })
  )
})

describe("bodies", () => {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    `data: ${JSON.stringify({ model: "tiny-1-served", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`
  const opening = `: PROCESSING\n\ndata: {"choices":[],"prompt_filter_results":[]}\n\n`
  const said = chunk({ role: "assistant", content: "7" }) + chunk({ content: "/10" })
  const counted = `data: ${JSON.stringify({ choices: [], usage: usage({}) })}\n\n`
  const stream = (body: string) => text(body, "text/event-stream")

  it.live.each<readonly [string, Answer, string, Finish, boolean]>([
    ["a stream", stream(`${opening}${said}${chunk({}, "stop")}${counted}data: [DONE]\n\n`), "7/10", "stop", true],
    [
      "a stream with other line ends",
      stream((said + chunk({}, "stop")).replaceAll("\n", "\r\n")),
      "7/10",
      "stop",
      false
    ],
    ["a stream cut short", stream(`${said}${chunk({}, "length")}data: [DONE]\n\n`), "7/10", "length", false],
    ["a stream without a reason", stream(`${said}data: [DONE]\n\n`), "7/10", "stop", false],
    ["a stream that refuses", stream(`${chunk({ refusal: "No." })}${chunk({}, "stop")}`), "No.", "refusal", false],
    [
      "a stream that calls a tool",
      stream(chunk({ tool_calls: [{ index: 0 }] }) + chunk({}, "tool_calls")),
      "",
      "tool-calls",
      false
    ],
    ["JSON that calls itself text", text(JSON.stringify(completion("7")), "text/plain"), "7", "stop", true],
    [
      "JSON after a mark of byte order",
      text(`\uFEFF${JSON.stringify(completion("7"))}`, "application/json"),
      "7",
      "stop",
      true
    ],
    ["JSON after white space", text(`\n \n${JSON.stringify(completion("7"))}`, "application/json"), "7", "stop", true]
  ])("are read: %s", ([, answer, words, finish, hasUsage]) =>
    Effect.gen(function* () {
      const { result } = yield* ask(answer)
      const reply = yield* result
      assert.deepStrictEqual([reply.text, reply.finish, reply.usage !== null], [words, finish, hasUsage])
    })
  )

  const compressed: Answer = (_, response) => {
    response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(gzipSync(JSON.stringify(completion("7"))))
  }
  const endless: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" })
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(1 << 20)));
    }
    response.on("drain", more)
    more()
  }
  const announced: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": String(2 ** 40) }).write("{")
  }

  it.live.each<readonly [string, Answer, ModelFailure, string]>([
    ["a stream that breaks off", stream(opening + said), "malformed-response", "holds no whole answer"],
    ["a stream with half an event", stream(`${said}data: {"choi`), "malformed-response", "holds no whole answer"],
    [
      "a stream with an error",
      stream(`event: error\ndata: {"error":{"message":"upstream busy","code":429}}\n\n`),
      "rate-limited",
      "“upstream busy”"
    ],
    ["a compressed one", compressed, "wrong-content-type", "a compressed body"],
    ["an endless one", endless, "malformed-response", "more than 20 MB"],
    ["one that is announced to be too long", announced, "malformed-response", "more than 20 MB"]
  ])("are told from answers: %s", ([, answer, kind, words]) =>
    Effect.gen(function* () {
      const { result, server } = yield* ask(answer)
      const failed = yield* Effect.flip(result)
      assert.strictEqual(failed.kind, kind)
      assert.include(failed.message, words)
      if (answer === endless || answer === announced) while (server.cut() === 0) yield* Effect.sleep(5)
    })
  )
})

describe("time limits", () => {
  it.live("cut off a server that does not begin to answer", () =>
    Effect.gen(function* () {
      const { result, server } = yield* ask(() => {}, { firstByteTimeout: "200 ms" })
      const failed = yield* Effect.flip(result)
      assert.strictEqual(failed.kind, "timeout")
      assert.include(failed.message, "did not begin to answer within 0.2 s: raise firstByteTimeout")
      while (server.cut() === 0) yield* Effect.sleep(5)
    })
  )

  it.live("may be longer than a timer can wait", () =>
    Effect.gen(function* () {
      const years = "36500 days"
      const slow: Answer = (received, response, n) => {
        setTimeout(() => json(completion("7"))(received, response, n), 50)
      }
      const { result } = yield* ask(slow, { timeout: years, firstByteTimeout: years, connectTimeout: years })
      assert.strictEqual((yield* result).text, "7")
    })
  )
})
