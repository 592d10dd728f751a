import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import { checkKeys } from "../../src/model/checkKeys.ts"
import type { Finish, ModelFailure } from "../../src/model/LanguageModel.ts"
import * as openai from "../../src/model/openai.ts"
import { serverError } from "../../src/model/openaiError.ts"
import { type Answer, chatServer, completion, error, json, text } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

const canary = 'sk-canary/with+odd"signs-0123456789'
const keys = ConfigProvider.layer(
  ConfigProvider.fromUnknown({ THE_KEY: canary, BLANK: "  ", OPENAI_API_KEY: "sk-default" })
)
const quiet = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.provide(keys), Effect.provideService(References.MinimumLogLevel, "None"))

type Config = Parameters<typeof openaiModel>[0]

/** What the provider makes of a server's answer, and what the server saw. */
const ask = (answer: Answer, config: Config = {}, prompt = "Is the note complete?") =>
  Effect.gen(function* () {
    const server = yield* chatServer(answer)
    const provider = yield* openai.make
    const model = openaiModel({ baseUrl: server.url, ...config })
    const result = yield* Effect.exit(provider(request(model, prompt)))
    return { server, result, reply: Effect.suspend(() => result), failure: Effect.suspend(() => Effect.flip(result)) }
  }).pipe(quiet)

describe("openai requests", () => {
  it.live("sends model, messages, seed and what is set, to the completions below the address", () =>
    Effect.gen(function* () {
      const { server } = yield* ask(json(completion("x")), {
        temperature: 0.5,
        maxOutputTokens: 64,
        reasoningEffort: "low"
      })
      assert.strictEqual(server.received[0]!.url, "/v1/chat/completions")
      assert.deepStrictEqual(server.received[0]!.body, {
        model: "tiny-1",
        messages: [{ role: "user", content: "Is the note complete?" }],
        max_tokens: 64,
        temperature: 0.5,
        reasoning_effort: "low",
        seed: 1
      })
      assert.isUndefined(server.received[0]!.headers.authorization)
    })
  )

  it.live("leaves out what is not set, and mends half character pairs", () =>
    Effect.gen(function* () {
      const { server } = yield* ask(json(completion("x")), {}, "a\ud83d")
      assert.deepStrictEqual(server.received[0]!.body, {
        model: "tiny-1",
        messages: [{ role: "user", content: "a\ufffd" }],
        seed: 1
      })
    })
  )

  it.live.each(["", "/", "/v1", "/v1/", "/v1/chat/completions"])(
    "reaches the same place with the address ending in “%s”",
    (path) =>
      Effect.gen(function* () {
        const server = yield* chatServer(json(completion("x")))
        const provider = yield* openai.make
        yield* provider(request(openaiModel({ baseUrl: `${server.url}${path}` })))
        assert.strictEqual(server.received[0]!.url, "/v1/chat/completions")
      }).pipe(quiet)
  )

  it.live("sends the key of the variable that is named, and the query of the address", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(json(completion("x")))
      const provider = yield* openai.make
      yield* provider(
        request(openaiModel({ baseUrl: `${server.url}/openai/deployments/d?api-version=7`, apiKeyEnv: "THE_KEY" }))
      )
      assert.strictEqual(server.received[0]!.headers.authorization, `Bearer ${canary}`)
      assert.strictEqual(server.received[0]!.url, "/openai/deployments/d/chat/completions?api-version=7")
    }).pipe(quiet)
  )
})

describe("openai keys", () => {
  it.live.each([
    [{ apiKeyEnv: "NOT_SET" }, "NOT_SET"],
    [{ apiKeyEnv: "BLANK" }, "BLANK"]
  ] as const)("fails without sending anything when %o is not set", ([config, name]) =>
    Effect.gen(function* () {
      const { server, failure } = yield* ask(json(completion("x")), config)
      const { kind, message } = yield* failure
      assert.strictEqual(kind, "no-key")
      assert.include(message, `the environment variable ${name} is not set`)
      assert.strictEqual(server.received.length, 0)
    })
  )

  it.effect(
    "are checked before anything is spent: OpenAI's own address needs one, another only where one is named",
    () =>
      Effect.gen(function* () {
        const own: ModelConfig = { provider: "openai", model: "gpt-5" }
        const local = openaiModel()
        assert.deepStrictEqual(
          yield* checkKeys({ judge: local, reflection: { provider: "embedded", model: "lexical-1" } }),
          []
        )
        const problems = yield* checkKeys(
          { judge: own, reflection: openaiModel({ apiKeyEnv: "NOT_SET" }) },
          "campaign.yaml"
        )
        assert.deepStrictEqual(
          problems.map(({ field, what }) => [field, what]),
          [
            ["models.judge", "the environment variable OPENAI_API_KEY, which is to hold the key for gpt-5, is not set"],
            [
              "models.reflection.apiKeyEnv",
              "the environment variable NOT_SET, which is to hold the key for tiny-1, is not set"
            ]
          ]
        )
        const [inAddress] = yield* checkKeys({ judge: openaiModel({ baseUrl: "http://me:pw@host/v1" }) })
        assert.strictEqual(inAddress?.what, "the address holds a user name or password")
      }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))
  )
})

describe("openai dialects", () => {
  const refuseOnce =
    (refuses: (body: Readonly<Record<string, unknown>>) => object | undefined): Answer =>
    (received, response, n) => {
      const refusal = refuses(received.body)
      return refusal === undefined
        ? json(completion("x"))(received, response, n)
        : json(refusal, 400)(received, response, n)
    }
  /** Asks twice and gives the bodies that the server saw. */
  const bodies = (answer: Answer, config: Config) =>
    Effect.gen(function* () {
      const server = yield* chatServer(answer)
      const provider = yield* openai.make
      const model = openaiModel({ baseUrl: server.url, ...config })
      yield* provider(request(model))
      yield* provider(request(model, "another"))
      return server.received.map(({ body }) =>
        Object.keys(body).filter((name) => name !== "model" && name !== "messages")
      )
    }).pipe(quiet)

  it.live("learns the other name for the token limit once", () =>
    Effect.gen(function* () {
      const message =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
      const answer = refuseOnce((body) =>
        "max_tokens" in body ? error(message, { code: "unsupported_parameter", param: "max_tokens" }) : undefined
      )
      assert.deepStrictEqual(yield* bodies(answer, { maxOutputTokens: 9 }), [
        ["max_tokens", "seed"],
        ["max_completion_tokens", "seed"],
        ["max_completion_tokens", "seed"]
      ])
    })
  )

  it.live("learns which of temperature, seed and reasoning effort are refused, one after the other", () =>
    Effect.gen(function* () {
      const answer = refuseOnce((body) =>
        "temperature" in body
          ? error(
              "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."
            )
          : "reasoning_effort" in body
            ? error("Unrecognized request argument supplied: reasoning_effort")
            : "seed" in body
              ? { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] }
              : undefined
      )
      const sent = yield* bodies(answer, { temperature: 0.2, reasoningEffort: "low" })
      assert.deepStrictEqual(sent, [
        ["temperature", "reasoning_effort", "seed"],
        ["reasoning_effort", "seed"],
        ["seed"],
        [],
        []
      ])
    })
  )

  it.live.each([
    ["'max_tokens' is too large: 9. This model supports at most 4 completion tokens.", { maxOutputTokens: 9 }],
    [
      "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
      { reasoningEffort: "none" as const }
    ],
    ["messages: at least one is required", { temperature: 1 }]
  ] as const)("does not try to mend: %s", ([message, config]) =>
    Effect.gen(function* () {
      const { server, failure } = yield* ask(json(error(message), 400), config)
      const { kind, message: said } = yield* failure
      assert.strictEqual(kind, "bad-request")
      assert.include(said, message)
      assert.strictEqual(server.received.length, 1)
    })
  )

  it.live("comes to an end with a server that refuses everything", () =>
    Effect.gen(function* () {
      const said = "unsupported: max_tokens max_completion_tokens temperature seed reasoning_effort"
      const { server, failure } = yield* ask(json(error(said), 400), {
        maxOutputTokens: 9,
        temperature: 1,
        reasoningEffort: "low"
      })
      assert.strictEqual((yield* failure).kind, "bad-request")
      assert.isAtMost(server.received.length, 5)
    })
  )
})

describe("openai replies", () => {
  const tools = { tool_calls: [{ id: "t", type: "function", function: { name: "f", arguments: "{}" } }] }

  it.live.each<readonly [string, object, string, Finish]>([
    ["an answer", completion("7"), "7", "stop"],
    ["one cut short", completion("7", { finish: "length" }), "7", "length"],
    ["one that thought until it was cut short", completion(null, { finish: "length" }), "", "length"],
    ["no content", completion(null), "", "empty"],
    ["nothing but white space", completion(" \n"), " \n", "empty"],
    [
      "content in parts",
      completion([
        { type: "text", text: "7" },
        { type: "text", text: "/10" }
      ]),
      "7/10",
      "stop"
    ],
    ["a refusal", completion(null, { message: { refusal: "I cannot." } }), "I cannot.", "refusal"],
    ["a filtered one", completion("", { finish: "content_filter" }), "", "content-filter"],
    ["a tool call only", completion(null, { finish: "tool_calls", message: tools }), "", "tool-calls"],
    ["a tool call only that says stop", completion(null, { message: tools }), "", "tool-calls"],
    ["an unheard-of ending", completion("7", { finish: "tired" }), "7", "other"],
    ["Gemini’s way of saying that it was cut short", completion("7", { finish: "MAX_TOKENS" }), "7", "length"],
    ["an ending left out", completion("7", { finish: null }), "7", "stop"]
  ])("reads %s", ([, body, words, finish]) =>
    Effect.gen(function* () {
      const { reply } = yield* ask(json(body))
      const { text: said, finish: ended, servedModel } = yield* reply
      assert.deepStrictEqual([said, ended, servedModel], [words, finish, "tiny-1-served"])
    })
  )

  it.live.each([
    [
      {
        prompt_tokens: 20,
        completion_tokens: 9,
        prompt_tokens_details: { cached_tokens: 16 },
        completion_tokens_details: { reasoning_tokens: 4 }
      },
      { input: 20, cachedInput: 16, output: 9, reasoning: 4 }
    ],
    [
      { input_tokens: 20, output_tokens: 9 },
      { input: 20, cachedInput: 0, output: 9, reasoning: 0 }
    ],
    [
      {
        prompt_tokens: 20,
        completion_tokens: 9,
        total_tokens: 129,
        completion_tokens_details: { reasoning_tokens: 100 }
      },
      { input: 20, cachedInput: 0, output: 109, reasoning: 100 }
    ],
    [{ prompt_tokens: 20 }, null],
    [null, null],
    [undefined, null]
  ] as const)("reads the usage %o", ([usage, read]) =>
    Effect.gen(function* () {
      const { reply } = yield* ask(json(completion("7", { usage })))
      assert.deepStrictEqual((yield* reply).usage, read)
    })
  )

  it.live("takes “ran out while thinking”, which OpenAI reports as an error, for a cut-off answer", () =>
    Effect.gen(function* () {
      const { reply } = yield* ask(
        json(error("Could not finish the message because max_tokens or model output limit was reached."), 400)
      )
      assert.deepStrictEqual(yield* reply, { text: "", finish: "length", usage: null, servedModel: null })
    })
  )
})

describe("openai failures", () => {
  const html = "<!doctype html><html><head><style>p{}</style></head><body><h1>502 Bad Gateway</h1></body></html>"
  const cutShort: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [{"mess')
  }
  const hangUp: Answer = (_, response) => {
    response.destroy()
  }
  const hangUpHalfWay: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
    response.write('{"choices":')
    setTimeout(() => response.destroy(), 20)
  }

  it.live.each<readonly [string, Answer, ModelFailure, string]>([
    [
      "401",
      json(error(`Incorrect API key provided: ${canary}.`), 401),
      "unauthorised",
      "refuses the key in THE_KEY for tiny-1 (status 401)"
    ],
    [
      "403",
      json(error("Project has no access"), 403),
      "unauthorised",
      "refuses the key in THE_KEY for tiny-1 (status 403)"
    ],
    [
      "404",
      json(error("The model `tiny-1` does not exist", { code: "model_not_found" }), 404),
      "unknown-model",
      "/v1/chat/completions knows no model tiny-1 (status 404)"
    ],
    ["400 for a model", json(error("tiny-1 is not a valid model ID"), 400), "unknown-model", "knows no model tiny-1"],
    ["402", json(error("Insufficient credits"), 402), "no-credit", "has no credit left for tiny-1"],
    ["429", json(error("Rate limit reached"), 429), "rate-limited", "throttles tiny-1"],
    [
      "429 quota",
      json(error("You exceeded your current quota", { code: "insufficient_quota" }), 429),
      "no-credit",
      "has no credit left for tiny-1"
    ],
    [
      "400 length",
      json(error("x", { code: "context_length_exceeded" }), 400),
      "context-too-long",
      "is longer than tiny-1"
    ],
    [
      "400 length of vLLM",
      json({ object: "error", message: "This model's maximum context length is 8192 tokens." }, 400),
      "context-too-long",
      "is longer than tiny-1"
    ],
    ["413", json(error("big"), 413), "context-too-long", "is longer than tiny-1"],
    [
      "308",
      json({}, 308, { location: "https://elsewhere/" }),
      "bad-request",
      "sends tiny-1's requests elsewhere (status 308)"
    ],
    ["400", json(error("bad"), 400), "bad-request", "refuses the request to tiny-1 (status 400)"],
    ["500", json(error("oops"), 500), "server-error", "failed while serving tiny-1 (status 500)"],
    ["502 as a web page", text(html, "text/html", 502), "server-error", "“502 Bad Gateway”"],
    ["503", json({ detail: "loading model" }, 503), "server-error", "“loading model”"],
    [
      "200 whose answer ended with an error",
      json(completion("7", { finish: "error" })),
      "server-error",
      "ended with error"
    ],
    ["200 with an error inside", json(error("upstream busy", { code: 429 })), "rate-limited", "“upstream busy”"],
    ["200 as a web page", text(html, "text/html"), "wrong-content-type", "answered for tiny-1 with a web page"],
    ["200 as a stream", text("data: {}\n\n", "text/event-stream"), "malformed-response", "a stream of events"],
    ["200 empty", text("", "application/json"), "malformed-response", "answered for tiny-1 with nothing"],
    ["200 as text", text("It is complete.", "text/plain"), "wrong-content-type", "text that is no JSON"],
    ["200 that is something else", json({ models: [] }), "malformed-response", "JSON that is no chat completion"],
    ["200 without choices", json({ choices: [] }), "malformed-response", "JSON that is no chat completion"],
    ["200 that breaks off", cutShort, "malformed-response", "JSON that breaks off"],
    ["a connection closed", hangUp, "unreachable", "the connection broke off"],
    ["a connection closed half way", hangUpHalfWay, "unreachable", "the connection broke off"]
  ])("tells %s from other failures", ([, answer, kind, words]) =>
    Effect.gen(function* () {
      const { server, failure } = yield* ask(answer, { apiKeyEnv: "THE_KEY" })
      const failed = yield* failure
      assert.strictEqual(failed.kind, kind)
      assert.include(failed.message, words)
      assert.include(failed.message, "tiny-1")
      assert.include(failed.message, server.url)
      assert.notInclude(failed.message, "canary")
      assert.strictEqual(server.received.length, 1)
    })
  )

  it.live("names an address where nobody listens", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(json({}))
      server.close()
      const provider = yield* openai.make
      const failed = yield* Effect.flip(provider(request(openaiModel({ baseUrl: server.url }))))
      assert.strictEqual(failed.kind, "unreachable")
      assert.strictEqual(
        failed.message,
        `cannot reach tiny-1 at ${server.url}/v1 (connection refused: is the server running?)`
      )
    }).pipe(quiet)
  )

  it.live.each([
    ["retry-after", "7", 7000],
    ["retry-after", "1.5", 1500],
    ["retry-after-ms", "250", 250],
    ["retry-after", "soon", undefined]
  ] as const)("heeds %s: %s", ([header, value, ms]) =>
    Effect.gen(function* () {
      const { failure } = yield* ask(json(error("slow"), 429, { [header]: value }))
      assert.strictEqual((yield* failure).retryAfterMs, ms)
    })
  )

  it("heeds retry-after dates, also those that have passed", () => {
    const now = Date.UTC(2026, 2, 4, 10, 32)
    const heeded = (date: string) => serverError(503, {}, { "retry-after": date }, now).retryAfterMs
    assert.strictEqual(heeded("Wed, 04 Mar 2026 10:32:20 GMT"), 20_000)
    assert.strictEqual(heeded("Wed, 04 Mar 2026 10:31:00 GMT"), 0)
  })

  it.live("never shows the key, however the server echoes it, nor markup or terminal codes", () =>
    Effect.gen(function* () {
      const echo = `\u001b[2J<b>${canary}</b> ${encodeURIComponent(canary)} ${JSON.stringify(canary)} \u009b31m`
      const failed = yield* Effect.flatMap(
        ask(json(error(echo), 500), { apiKeyEnv: "THE_KEY" }),
        ({ failure }) => failure
      )
      assert.notInclude(JSON.stringify(failed), "canary")
      assert.match(failed.message, /“\[2J \[key\] \[key\] "\[key\]" 31m”$/)
    })
  )

  it.live("cuts off a call that takes too long, and the connection with it", () =>
    Effect.gen(function* () {
      const dripping: Answer = (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const drip = setInterval(() => response.write(" "), 20)
        response.on("close", () => clearInterval(drip))
      }
      for (const answer of [dripping, () => {}]) {
        const { server, failure } = yield* ask(answer, { timeout: "500 ms" })
        const failed = yield* failure
        assert.strictEqual(failed.kind, "timeout")
        assert.strictEqual(
          failed.message,
          `tiny-1 at ${server.url}/v1 did not answer within 0.5 s: raise timeout, or lower concurrency if the server is overloaded`
        )
        while (server.cut() === 0) yield* Effect.sleep(5)
      }
    })
  )

  it.live("aborts the request when it is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(() => {})
      const provider = yield* openai.make
      const fiber = yield* Effect.forkChild(provider(request(openaiModel({ baseUrl: server.url }))))
      while (server.received.length === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
      while (server.cut() === 0) yield* Effect.sleep(5)
    }).pipe(quiet)
  )
})
