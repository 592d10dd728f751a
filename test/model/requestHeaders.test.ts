import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { checkKeys } from "../../src/model/checkKeys.ts"
import { modelPin, requestKey } from "../../src/model/key.ts"
import * as openai from "../../src/model/openai.ts"
import { chatServer, completion, json } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

type Config = Parameters<typeof openaiModel>[0]

const environment = ConfigProvider.layer(
  ConfigProvider.fromUnknown({ TENANT: "tenant-7", TOKEN: "t0ken-abcdefgh", ODD: "two\nlines", THE_KEY: "k-123456789" })
)

const ask = (config: Config) =>
  Effect.gen(function* () {
    const server = yield* chatServer(json(completion("x")))
    const provider = yield* openai.make
    const result = yield* Effect.exit(provider(request(openaiModel({ baseUrl: server.url, ...config }))))
    return { server, result }
  }).pipe(Effect.provide(environment))

describe("headers of the campaign", () => {
  it.live("are sent with the variables that they name, and may take the key's place", () =>
    Effect.gen(function* () {
      const { server } = yield* ask({
        apiKeyEnv: "THE_KEY",
        headers: { "X-Tenant": "$TENANT", Authorization: "Basic $TOKEN", "x-price": "$$5 $TENANT/$TOKEN" }
      })
      const { headers } = server.received[0]!
      assert.strictEqual(headers["x-tenant"], "tenant-7")
      assert.strictEqual(headers.authorization, "Basic t0ken-abcdefgh")
      assert.strictEqual(headers["x-price"], "$5 tenant-7/t0ken-abcdefgh")
    })
  )

  it.live.each(["NOT_SET", "ODD"])("are not sent without their variable: %s", (variable) =>
    Effect.gen(function* () {
      const headers = { "x-tenant": `$${variable}` }
      const { result, server } = yield* ask({ headers })
      const { kind, message } = yield* Effect.flip(result)
      assert.strictEqual(kind, "no-key")
      assert.include(message, `the header x-tenant for tiny-1`)
      assert.include(message, `the environment variable ${variable} is not set`)
      assert.strictEqual(server.received.length, 0)
      const problems = yield* checkKeys({ judge: openaiModel({ headers }) })
      assert.deepStrictEqual(
        problems.map(({ field, what }) => [field, what]),
        [
          [
            "models.judge.headers",
            `the environment variable ${variable}, which the header x-tenant for tiny-1 names, is not set or holds what no header can carry`
          ]
        ]
      )
    }).pipe(Effect.provide(environment))
  )

  it.effect("of an authorization spare OpenAI's address its key", () =>
    Effect.gen(function* () {
      const model = { provider: "openai", model: "gpt-5", headers: { authorization: "Bearer $TOKEN" } } as const
      assert.deepStrictEqual(yield* checkKeys({ judge: model }), [])
    }).pipe(Effect.provide(environment))
  )
})

describe("fields of the campaign in the body", () => {
  it.live("are added, and go before what assize would send", () =>
    Effect.gen(function* () {
      const body = { provider: { order: ["a"] }, seed: 7, top_p: null }
      const { server } = yield* ask({ body })
      assert.deepStrictEqual(server.received[0]!.body, {
        model: "tiny-1",
        messages: [{ role: "user", content: "Is the note complete?" }],
        ...body
      })
    })
  )
})

describe("what the campaign adds to requests", () => {
  const base = openaiModel()
  const keyOf = (config: Config) => requestKey(request({ ...base, ...config })).key

  it("is part of a request's address", () => {
    const keys = [
      {},
      { api: "responses" as const },
      { headers: { "x-a": "1" } },
      { headers: { "x-a": "2" } },
      { headers: { "x-a": "$NAME" } },
      { body: { top_p: 1 } },
      { body: { top_p: 0.5 } }
    ].map(keyOf)
    assert.strictEqual(new Set(keys).size, keys.length)
  })

  it("is the same in whatever order and case it is written, and empty as left out", () => {
    assert.strictEqual(keyOf({ headers: { "X-A": "1", b: "2" } }), keyOf({ headers: { b: "2", "x-a": "1" } }))
    assert.strictEqual(keyOf({ body: { b: { d: 1, c: 2 }, a: 1 } }), keyOf({ body: { a: 1, b: { c: 2, d: 1 } } }))
    assert.strictEqual(keyOf({ headers: {}, body: {}, api: "chat-completions" }), keyOf({}))
    assert.strictEqual(
      keyOf({ baseUrl: "http://127.0.0.1:1/v1/responses" }),
      keyOf({ baseUrl: "http://127.0.0.1:1", api: "responses" })
    )
  })

  it("does not show a header's value", () => {
    const model = openaiModel({ headers: { "x-a": "something secret" } })
    assert.notInclude(JSON.stringify([modelPin(model), requestKey(request(model))]), "secret")
  })

  it("is not what limits the time", () => {
    assert.strictEqual(keyOf({ connectTimeout: "3 s", firstByteTimeout: "9 s" }), keyOf({}))
  })

  it("includes the schema of the answer where it is asked for, of an openai model", () => {
    const answer = { name: "judgement", schema: { type: "object" } }
    const asked = (config: Config, with_ = answer) =>
      requestKey({ ...request({ ...base, ...config }), answer: with_ }).key
    assert.notStrictEqual(asked({}), keyOf({}))
    assert.notStrictEqual(asked({}), asked({}, { name: "judgement", schema: { type: "string" } }))
    assert.strictEqual(asked({ structuredOutput: false }), keyOf({ structuredOutput: false }))
    assert.strictEqual(keyOf({ structuredOutput: false }), keyOf({}))
    const embedded = request({ provider: "embedded", model: "lexical-1" })
    assert.strictEqual(requestKey({ ...embedded, answer }).key, requestKey(embedded).key)
  })
})
