import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { EmbeddedModel, type ModelConfig, OpenAiModel } from "../../src/domain/Campaign.ts"
import { requestKey } from "../../src/model/key.ts"
import type { ModelRequest } from "../../src/model/LanguageModel.ts"

/**
 * Every field of a model's configuration, with some of its values. Those of `changing` can change an answer, so each
 * value makes another key; those of `harmless` cannot, so that an answer bought under one value serves under all.
 */
interface Fields {
  readonly changing: Readonly<Record<string, ReadonlyArray<unknown>>>
  readonly harmless: Readonly<Record<string, ReadonlyArray<unknown>>>
}

const sampling = {
  temperature: [0, 0.7, 1],
  reasoningEffort: ["none", "minimal", "low", "medium", "high", "xhigh"],
  maxOutputTokens: [16, 1024, 1025]
}
const flow = {
  timeout: ["1 s", "2 minutes"],
  concurrency: [1, 64],
  requestsPerMinute: [1, 600],
  tokensPerMinute: [1000, 2e6],
  retries: [0, 9],
  price: [
    { input: 0, output: 0 },
    { input: 1.25, cachedInput: 0.125, output: 10, batch: 0.5 }
  ]
}

const embedded: Fields = {
  changing: sampling,
  harmless: flow
}

const openai: Fields = {
  changing: {
    ...sampling,
    api: ["responses"],
    baseUrl: ["http://127.0.0.1:8377", "https://gateway.example/v1", "https://gateway.example/v1?api-version=2"],
    structuredOutput: [false],
    headers: [{ "x-route": "a" }, { "x-route": "b" }, { "x-other": "a" }],
    body: [{ top_p: 0.5 }, { top_p: 0.6 }, { provider: { order: ["one"] } }]
  },
  harmless: {
    ...flow,
    apiKeyEnv: ["OPENAI_API_KEY", "OTHER"],
    // The second, larger request is one of its own, with its own key.
    raiseOutputTokensTo: [2048, 8192],
    batch: [true, false],
    connectTimeout: ["5 s"],
    firstByteTimeout: ["30 s"]
  }
}

/** A request that asks for an answer of a known shape, as judges do. */
const keyOf = (model: ModelConfig): string => {
  const request: ModelRequest = {
    role: "judge",
    model,
    messages: [{ role: "user", content: "Is it complete?" }],
    seed: 11,
    answer: { name: "verdict", schema: { type: "object" } }
  }
  return requestKey(request).key
}

const cases: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, ModelConfig, Fields]> = [
  ["embedded", EmbeddedModel.fields, { provider: "embedded", model: "lexical-1" }, embedded],
  ["openai", OpenAiModel.fields, { provider: "openai", model: "tiny-1" }, openai]
]

describe.each(cases)("the key of a request to the %s provider", (_, schema, bare, fields) => {
  it("knows of every field of the configuration whether it can change an answer", () => {
    const classified = ["provider", "model", ...Object.keys(fields.changing), ...Object.keys(fields.harmless)]
    assert.deepStrictEqual([...classified].sort(), Object.keys(schema).sort())
  })

  /** Any configuration: each field left out or at one of its values. */
  const configs = fc
    .record(
      Object.fromEntries(
        [...Object.entries(fields.changing), ...Object.entries(fields.harmless)].map(([name, values]) => [
          name,
          fc.constantFrom(...values)
        ])
      ),
      { requiredKeys: [] }
    )
    .map((extra) => ({ ...extra, ...bare }) as ModelConfig)

  const without = (config: ModelConfig, name: string): ModelConfig =>
    Object.fromEntries(Object.entries(config).filter(([field]) => field !== name)) as unknown as ModelConfig

  it.each(Object.entries(fields.changing))("is another one for each %s, and without any", (name, values) => {
    fc.assert(
      fc.property(configs, (config) => {
        const rest = without(config, name)
        const keys = [rest, ...values.map((value) => ({ ...rest, [name]: value }) as ModelConfig)].map(keyOf)
        assert.strictEqual(new Set(keys).size, values.length + 1)
      })
    )
  })

  it.each(Object.entries(fields.harmless))("is the same for every %s, and without any", (name, values) => {
    fc.assert(
      fc.property(configs, (config) => {
        const rest = without(config, name)
        const keys = [rest, ...values.map((value) => ({ ...rest, [name]: value }) as ModelConfig)].map(keyOf)
        assert.strictEqual(new Set(keys).size, 1)
      })
    )
  })

  it("is another one for another model, and for another provider", () => {
    assert.notStrictEqual(keyOf({ ...bare, model: "other-1" } as ModelConfig), keyOf(bare))
    const keys = cases.map(([, , config]) => keyOf({ ...config, model: "lexical-1" } as ModelConfig))
    assert.strictEqual(new Set(keys).size, cases.length)
  })
})
