import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import { canonicalJson, sha256 } from "../../src/domain/hash.ts"
import { addressOf } from "../../src/model/address.ts"
import { modelPin, requestKey } from "../../src/model/key.ts"
import type { ModelRequest } from "../../src/model/LanguageModel.ts"

type OpenAi = Extract<ModelConfig, { provider: "openai" }>

const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })
const defined = <A extends object>(value: A): A =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as A

const models = fc
  .record({
    provider: fc.constant("openai" as const),
    model: fc.string({ minLength: 1 }),
    baseUrl: optional(
      fc.constantFrom("http://localhost:8000", "https://openrouter.ai/api", "https://api.openai.com/v1")
    ),
    temperature: optional(fc.double({ min: 0, max: 2, noNaN: true })),
    maxOutputTokens: optional(fc.integer({ min: 1, max: 9999 })),
    reasoningEffort: optional(fc.constantFrom("none" as const, "low" as const))
  })
  .map((config) => defined(config) as OpenAi)
const requests: fc.Arbitrary<ModelRequest> = fc.record({
  role: fc.constantFrom("judge" as const, "reflection" as const),
  model: models,
  messages: fc.array(
    fc.record({ role: fc.constantFrom("system" as const, "user" as const), content: fc.string({ unit: "grapheme" }) })
  ),
  seed: fc.nat()
})

const keyOf = (request: ModelRequest) => requestKey(request).key
const withModel = (request: ModelRequest, change: Partial<OpenAi>): ModelRequest => ({
  ...request,
  model: { ...(request.model as OpenAi), ...change }
})

describe("requestKey", () => {
  it("is the hash of its text, and the same whatever the order of fields", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { key, text } = requestKey(request)
        assert.strictEqual(key, sha256(text))
        assert.strictEqual(text, canonicalJson(JSON.parse(text)))
        const reversed = Object.fromEntries(Object.entries(request.model).reverse()) as OpenAi
        assert.strictEqual(
          keyOf({ seed: request.seed, messages: request.messages, model: reversed, role: request.role }),
          key
        )
      })
    )
  })

  it("does not depend on what cannot change the answer", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const same = withModel(
          { ...request, role: "reflection" },
          {
            timeout: "7 s",
            concurrency: 3,
            requestsPerMinute: 9,
            retries: 0,
            price: { input: 1, output: 1 },
            apiKeyEnv: "OTHER"
          }
        )
        assert.strictEqual(keyOf(same), keyOf(request))
      })
    )
  })

  it("depends on everything that can", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const model = request.model as OpenAi
        const others = [
          { ...request, seed: request.seed + 1 },
          { ...request, messages: [...request.messages, { role: "user" as const, content: "" }] },
          { ...request, messages: [{ role: "assistant" as const, content: "x" }, ...request.messages] },
          withModel(request, { model: `${model.model}x` }),
          withModel(request, { baseUrl: "http://elsewhere:1" }),
          withModel(request, { temperature: (model.temperature ?? 0) + 0.5 }),
          withModel(request, { maxOutputTokens: (model.maxOutputTokens ?? 0) + 1 }),
          withModel(request, { reasoningEffort: "high" })
        ]
        const keys = new Set([request, ...others].map(keyOf))
        assert.strictEqual(keys.size, others.length + 1)
      })
    )
  })

  it("is equal for two requests only if what counts in them is equal", () => {
    fc.assert(
      fc.property(requests, requests, (a, b) => {
        const content = (r: ModelRequest) =>
          JSON.stringify([r.messages.map((m) => [m.role, m.content]), r.seed, modelPin(r.model)])
        assert.strictEqual(keyOf(a) === keyOf(b), content(a) === content(b))
      })
    )
  })
})

describe("addressOf", () => {
  const base = (baseUrl?: string) =>
    addressOf({ provider: "openai", model: "m", ...(baseUrl === undefined ? {} : { baseUrl }) }).base

  it("is the same however the address is written", () => {
    for (const written of ["", "/", "/v1", "/v1/", "/v1//", "/v1/chat/completions"]) {
      assert.strictEqual(base(`http://LocalHost:8000${written}`), "http://localhost:8000/v1")
    }
    assert.strictEqual(base(), "https://api.openai.com/v1")
    assert.strictEqual(base("https://api.openai.com"), "https://api.openai.com/v1")
    assert.strictEqual(base("https://openrouter.ai/api"), "https://openrouter.ai/api/v1")
    assert.strictEqual(base("https://host/v1beta/openai/"), "https://host/v1beta/openai")
    assert.strictEqual(base("https://host/openai/deployments/x?api-version=2"), "https://host/openai/deployments/x")
  })

  it("shows no user, password or query", () => {
    const model = { provider: "openai", model: "m", baseUrl: "https://me:secret@host/v1?key=secret" } as const
    assert.strictEqual(addressOf(model).base, "https://host/v1")
    assert.notInclude(requestKey({ role: "judge", model, messages: [], seed: 1 }).text, "secret")
    assert.isTrue(addressOf(model).holdsCredentials)
  })
})
