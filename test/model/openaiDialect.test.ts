import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import type { ModelRequest } from "../../src/model/LanguageModel.ts"
import * as openai from "../../src/model/openai.ts"
import { makeProviders } from "../../src/model/providers.ts"
import { type Answer, chatServer, completion, error, json } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

type Config = Parameters<typeof openaiModel>[0]

const answer = {
  name: "judgement",
  schema: {
    type: "object",
    properties: { score: { type: "number" } },
    required: ["score"],
    additionalProperties: false
  }
}

const everything: Config = { temperature: 0.2, maxOutputTokens: 64, reasoningEffort: "low" }

const response = {
  status: "completed",
  output: [{ type: "message", content: [{ type: "output_text", text: "x" }] }]
}

/** Refuses with `status` and `body` for as long as a request has the field. */
const refusing =
  (field: string, status: number, body: object): Answer =>
  (received, reply, n) =>
    (field in received.body
      ? json(body, status)
      : json(received.url.endsWith("/responses") ? response : completion("x")))(received, reply, n)

const asking = (model: ReturnType<typeof openaiModel>, prompt = "Is the note complete?"): ModelRequest => ({
  ...request(model, prompt),
  answer
})

/** Asks twice with all that can be asked for, and gives what was learned, said and sent. */
const taught = (server: Answer, config: Config = {}) =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const listening = Logger.make(({ message }) => said.push(String(message)))
    const { received, url } = yield* chatServer(server)
    const provider = yield* openai.make
    const model = openaiModel({ baseUrl: url, ...everything, ...config })
    const first = yield* Effect.exit(provider(asking(model))).pipe(Effect.provide(Logger.layer([listening])))
    yield* Effect.exit(provider(asking(model, "another")))
    return { first, learned: provider.learned!(model)!, said, received, name: `tiny-1 at ${url}/v1` }
  })

const validation = (field: string, msg: string, type: string) => ({
  object: "error",
  message: `[{'type': '${type}', 'loc': ('body', '${field}'), 'msg': '${msg}', 'input': 1}]`,
  type: "BadRequestError",
  param: null,
  code: 400
})

describe("openai dialects, by what servers say", () => {
  it.live.each<readonly [string, string, number, object, string]>([
    [
      "OpenAI: a temperature it does not support",
      "temperature",
      400,
      error(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        { type: "invalid_request_error", param: "temperature", code: "unsupported_value" }
      ),
      "temperature"
    ],
    [
      "OpenAI: temperature at all",
      "temperature",
      400,
      error("Unsupported parameter: 'temperature' is not supported with this model.", {
        param: "temperature",
        code: "unsupported_parameter"
      }),
      "temperature"
    ],
    [
      "OpenAI: a schema with an old model",
      "response_format",
      400,
      error("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", {
        param: null
      }),
      "answer"
    ],
    [
      "OpenAI: a schema that it does not like",
      "response_format",
      400,
      error("Invalid schema for response_format 'judgement': In context=(), 'required' is required to be supplied.", {
        param: "response_format"
      }),
      "answer"
    ],
    [
      "Azure: a schema with an old API version",
      "response_format",
      400,
      error("response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later", {
        code: "BadRequest",
        param: null
      }),
      "answer"
    ],
    [
      "Azure: reasoning effort",
      "reasoning_effort",
      400,
      error("Unrecognized request argument supplied: reasoning_effort", { type: "invalid_request_error", param: null }),
      "reasoning"
    ],
    [
      "Azure: reasoning effort, by its code",
      "reasoning_effort",
      400,
      error("Unknown parameter: 'reasoning_effort'.", { param: "reasoning_effort", code: "unknown_parameter" }),
      "reasoning"
    ],
    [
      "vLLM: a field it does not know",
      "seed",
      400,
      validation("seed", "Extra inputs are not permitted", "extra_forbidden"),
      "seed"
    ],
    [
      "vLLM: a schema it cannot compile",
      "response_format",
      400,
      {
        object: "error",
        message: "The provided JSON schema contains features not supported by xgrammar.",
        type: "BadRequestError",
        code: 400
      },
      "answer"
    ],
    [
      "Mistral: a field it does not know",
      "seed",
      422,
      { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted", input: 1 }] },
      "seed"
    ],
    [
      "llama.cpp: a schema",
      "response_format",
      400,
      {
        error: {
          code: 400,
          message: "Failed to initialize samplers: failed to parse grammar",
          type: "invalid_request_error"
        }
      },
      "answer"
    ],
    [
      "llama.cpp: an old one",
      "response_format",
      400,
      {
        error: {
          code: 400,
          message: 'response_format type must be one of "text" or "json_object", but got: json_schema',
          type: "invalid_request_error"
        }
      },
      "answer"
    ],
    [
      "Ollama: a model that does not think",
      "reasoning_effort",
      400,
      error('"llama3.2:1b" does not support thinking', { type: "api_error", param: null, code: null }),
      "reasoning"
    ],
    [
      "OpenRouter: what the provider behind it said",
      "temperature",
      400,
      error("Provider returned error", {
        code: 400,
        metadata: {
          provider_name: "OpenAI",
          raw: JSON.stringify(
            error("Unsupported parameter: 'temperature' is not supported with this model.", { param: "temperature" })
          )
        }
      }),
      "temperature"
    ],
    [
      "OpenRouter: the same, with status 200",
      "seed",
      200,
      error("Provider returned error", { code: 400, metadata: { raw: "seed: Extra inputs are not permitted" } }),
      "seed"
    ],
    [
      "Anthropic behind a gateway: temperature with thinking",
      "temperature",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation."
        }
      },
      "temperature"
    ],
    [
      "Anthropic behind a gateway: seed",
      "seed",
      400,
      { type: "error", error: { type: "invalid_request_error", message: "seed: Extra inputs are not permitted" } },
      "seed"
    ],
    [
      "LiteLLM: seed",
      "seed",
      400,
      error(
        "litellm.UnsupportedParamsError: anthropic does not support parameters: ['seed'], for model=claude. To drop these, set `litellm.drop_params=True`"
      ),
      "seed"
    ],
    [
      "LiteLLM of old: seed, as its own failure",
      "seed",
      500,
      error("ollama does not support parameters: {'seed': 1}, for model=llama3:latest.", { code: 500 }),
      "seed"
    ],
    [
      "DeepSeek: a schema",
      "response_format",
      400,
      error("This response_format type is unavailable now", { type: "invalid_request_error", param: null }),
      "answer"
    ],
    [
      "DeepSeek: temperature",
      "temperature",
      400,
      error("deepseek-reasoner does not support the parameter `temperature`"),
      "temperature"
    ],
    [
      "Gemini: seed, in a list",
      "seed",
      400,
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
            status: "INVALID_ARGUMENT"
          }
        }
      ],
      "seed"
    ],
    [
      "xAI: reasoning effort",
      "reasoning_effort",
      400,
      { code: "Client specified an invalid argument", error: "Argument not supported on this model: reasoningEffort" },
      "reasoning"
    ],
    [
      "Moonshot: temperature",
      "temperature",
      400,
      error("invalid temperature: only 1 is allowed for this model", { type: "invalid_request_error" }),
      "temperature"
    ]
  ])("learns once from %s", ([, field, status, body, leftOut]) =>
    Effect.gen(function* () {
      const { first, learned, name, received, said } = yield* taught(refusing(field, status, body))
      assert.strictEqual(first._tag, "Success")
      assert.deepStrictEqual(learned.leftOut, [leftOut])
      assert.strictEqual(received.length, 3)
      assert.deepStrictEqual(said, [`${name} ${learned.lessons[0]}`])
    })
  )

  it.live.each<readonly [string, object, string]>([
    [
      "max_tokens",
      error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { param: "max_tokens", code: "unsupported_parameter" }
      ),
      "max_completion_tokens"
    ]
  ])("learns that %s has another name", ([field, body, tokens]) =>
    Effect.gen(function* () {
      const { learned, received } = yield* taught(refusing(field, 400, body))
      assert.strictEqual(learned.tokens, tokens)
      assert.strictEqual(received[2]!.body[tokens], 64)
    })
  )

  it.live.each<readonly [string, number, object]>([
    [
      "vLLM: more output than there is room for",
      400,
      error(
        "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 8192 tokens and your request has 20 input tokens"
      )
    ],
    ["a temperature out of range", 400, error("temperature: range: 0..1")],
    ["a negative temperature", 400, error("temperature must be non-negative, got -1.0.", { param: "temperature" })],
    [
      "sglang: an effort it does not know",
      400,
      validation("reasoning_effort", "Input should be low, medium or high", "literal_error")
    ],
    ["Ollama: a level of thinking", 400, error('think value "low" is not supported for this model', { code: null })],
    ["words of the note", 400, error("the message “Temperature 38.2, seed warts removed” is not supported")],
    ["a busy server", 503, error("temperature not supported at the moment")]
  ])("learns nothing from %s", ([, status, body]) =>
    Effect.gen(function* () {
      const { first, learned, received } = yield* taught(json(body, status))
      assert.strictEqual(first._tag, "Failure")
      assert.deepStrictEqual([learned.leftOut, learned.lessons, received.length], [[], [], 2])
    })
  )

  it.live.each<readonly [string, string, object, string]>([
    [
      "the schema",
      "text",
      error("Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.", {
        param: "text.format"
      }),
      "answer"
    ],
    [
      "the reasoning effort",
      "reasoning",
      error("Unsupported parameter: 'reasoning.effort' is not supported with this model.", {
        param: "reasoning.effort",
        code: "unsupported_parameter"
      }),
      "reasoning"
    ],
    ["store, at other addresses than OpenAI's", "store", error("Unknown parameter: 'store'."), "store"]
  ])("learns of %s in the responses API", ([, field, body, leftOut]) =>
    Effect.gen(function* () {
      const { first, learned, received } = yield* taught(refusing(field, 400, body), { api: "responses" })
      assert.strictEqual(first._tag, "Success")
      assert.deepStrictEqual(learned.leftOut, [leftOut])
      assert.strictEqual(received.length, 3)
    })
  )

  it.live("lets one of many calls find out what else there is to learn, and the others wait for it", () =>
    Effect.gen(function* () {
      const calls = 16
      const fields = ["response_format", "temperature", "seed", "reasoning_effort"]
      let waiting: Array<() => void> = []
      const server = yield* chatServer((received, reply, n) => {
        const field = fields.find((name) => name in received.body)
        const respond = () =>
          (field === undefined ? json(completion("x")) : json(error(`Unknown parameter: '${field}'.`), 400))(
            received,
            reply,
            n
          )
        // The first calls are all under way before the first of them is refused.
        if (n >= calls) respond()
        else if (waiting.push(respond) === calls) {
          for (const each of waiting) each()
          waiting = []
        }
      })
      const provider = yield* openai.make
      const model = openaiModel({ baseUrl: server.url, ...everything })
      yield* Effect.forEach(
        Array.from({ length: calls }, (_, number) => number),
        (number) => provider(asking(model, `prompt ${number}`)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(provider.learned!(model)!.leftOut, ["answer", "temperature", "seed", "reasoning"])
      const refused = server.received.filter(({ body }) => fields.some((name) => name in body))
      assert.strictEqual(refused.length, calls + fields.length - 1)
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.live("goes on when the call that was finding out is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* chatServer((received, reply, n) => {
        // The second request is the one that tries what was learned: it gets no answer.
        if (n === 1) return
        refusing("seed", 400, error("Unknown parameter: 'seed'."))(received, reply, n)
      })
      const provider = yield* openai.make
      const model = openaiModel({ baseUrl: server.url })
      const first = yield* Effect.forkChild(provider(request(model)))
      while (server.received.length < 2) yield* Effect.sleep(5)
      const second = yield* Effect.forkChild(provider(request(model, "another")))
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(second)).text, "x")
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.live("shows what was learned to those who hold all providers, and nothing before the first call", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(refusing("seed", 400, error("Unknown parameter: 'seed'.")))
      const providers = yield* makeProviders
      const model = openaiModel({ baseUrl: server.url })
      assert.isUndefined(providers.openai.learned!(model))
      yield* providers.openai(request(model))
      assert.deepStrictEqual(providers.openai.learned!(model), {
        api: "chat-completions",
        tokens: "max_tokens",
        leftOut: ["seed"],
        lessons: ["refuses seed, which is left out from now on"]
      })
      assert.isUndefined(providers.openai.learned!({ provider: "embedded", model: "lexical-1" }))
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
