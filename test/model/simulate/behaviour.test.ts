import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { answer } from "../../../src/model/embedded/answer.ts"
import { makeCounters } from "../../../src/model/simulate/Counters.ts"
import { chatCompletions } from "../../../src/model/simulate/chatCompletions.ts"
import { makeExchange } from "../../../src/model/simulate/exchange.ts"
import { noFaults, parseFaults } from "../../../src/model/simulate/faults.ts"
import { parseRefused } from "../../../src/model/simulate/parameters.ts"
import { parseRateLimit } from "../../../src/model/simulate/rateLimit.ts"
import { type ServeOptions, serve } from "../../../src/model/simulate/server.ts"
import { asked, chatBody, type Raw, type RawRequest, rawPost, responsesBody } from "./rawClient.ts"

const started = (options: Partial<ServeOptions> = {}) => serve({ port: 0, latencyMs: 0, ...options })
const right = answer({ messages: asked, seed: 42 })

interface Answered {
  readonly error?: { readonly message: string; readonly param: string | null; readonly code: string | null }
  readonly [field: string]: unknown
}
const json = (raw: Raw) => JSON.parse(raw.body) as Answered
const post = (url: string, value: unknown, request: RawRequest = {}) =>
  Effect.map(rawPost(url, value, { quietMs: 10_000, ...request }), (raw) => ({ ...raw, json: json(raw) }))
const respond = (url: string, value: unknown) => post(url, value, { path: "/v1/responses" })

const scoreSchema = {
  type: "object",
  properties: { score: { type: "number" } },
  required: ["score"],
  additionalProperties: false
}
const format = (schema: unknown) => ({
  type: "json_schema",
  json_schema: { name: "score", strict: true, schema }
})

describe("the responses API", () => {
  it.live("answers as chat completions do, in its own shape", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      const { json: body, status } = yield* respond(url, responsesBody)
      assert.strictEqual(status, 200)
      const rules = "Be brief."
      const before = yield* respond(url, { ...responsesBody, input: [{ role: "developer", content: rules }, ...asked] })
      const parts = asked.map(({ content, role }) => ({
        type: "message",
        role,
        content: [{ type: "input_text", text: content }]
      }))
      const apart = yield* respond(url, { ...responsesBody, instructions: rules, input: parts })
      const without = ({ created_at: _, id: __, output, ...fields }: Answered) => ({
        ...fields,
        output: (output as ReadonlyArray<object>).map((item) => ({ ...item, id: "" }))
      })
      assert.deepStrictEqual(without(apart.json), without(before.json))
      assert.deepStrictEqual(body["output"], [
        {
          type: "message",
          id: String(body["id"]).replace("resp_", "msg_"),
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: right.text, annotations: [], logprobs: [] }]
        }
      ])
      assert.deepStrictEqual(body["usage"], {
        input_tokens: right.usage!.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: right.usage!.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: right.usage!.input + right.usage!.output
      })
      assert.strictEqual(body["status"], "completed")
      const cut = yield* respond(url, { ...responsesBody, max_output_tokens: 4 })
      assert.deepStrictEqual(
        [cut.json["status"], cut.json["incomplete_details"]],
        ["incomplete", { reason: "max_output_tokens" }]
      )
    })
  )

  it.live("refuses what is no such request", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* started()
      for (const bad of [
        chatBody,
        { ...responsesBody, input: [] },
        { ...responsesBody, input: 3 },
        { ...responsesBody, stream: true },
        { ...responsesBody, text: { format: format(scoreSchema) } }
      ]) {
        assert.strictEqual((yield* respond(url, bad)).status, 400, JSON.stringify(bad))
      }
      assert.strictEqual((yield* respond(url, { ...responsesBody, model: "x" })).status, 404)
      assert.strictEqual(stats().requests, 0)
    })
  )
})

describe("what a server refuses", () => {
  it.live("names the parameter as OpenAI does, and takes the request without it", () =>
    Effect.gen(function* () {
      const refuses = Result.getOrThrow(parseRefused("temperature, seed,max_tokens,response_format,reasoning_effort"))
      const { stats, url } = yield* started({ refuses })
      const { seed: _, ...bare } = chatBody
      const message = (fields: object) => Effect.map(post(url, { ...bare, ...fields }), ({ json: body }) => body.error)
      const temperature = yield* message({ temperature: 0.2 })
      assert.strictEqual(
        temperature?.message,
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."
      )
      assert.deepStrictEqual([temperature?.param, temperature?.code], ["temperature", "unsupported_value"])
      assert.strictEqual(
        (yield* message({ max_tokens: 9 }))?.message,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
      )
      assert.strictEqual((yield* message({ seed: 1 }))?.param, "seed")
      assert.strictEqual((yield* message({ response_format: format(scoreSchema) }))?.param, "response_format")
      const { seed: __, ...response } = responsesBody
      const effort = yield* respond(url, { ...response, reasoning: { effort: "low" } })
      assert.strictEqual(effort.json.error?.param, "reasoning.effort")
      const text = yield* respond(url, { ...response, text: { format: { type: "json_object" } } })
      assert.strictEqual(text.json.error?.param, "text.format")
      assert.strictEqual(stats().requests, 0)
      assert.strictEqual(
        (yield* post(url, { ...bare, temperature: 1, seed: null, max_completion_tokens: 99 })).status,
        200
      )
    })
  )

  it("knows the parameters by name", () => {
    const result = parseRefused("temperature,heat")
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.strictEqual(result.failure.found, '"heat"')
  })

  it.live("takes a closed schema with everything required, or none where it has no structured output", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      const plain = yield* started({ jsonSchema: false })
      const asking = (schema: unknown, at = url) => post(at, { ...chatBody, response_format: format(schema) })
      assert.strictEqual((yield* asking(scoreSchema)).status, 200)
      const { additionalProperties: _, ...open } = scoreSchema
      const list = { ...scoreSchema, properties: { score: { type: "array", items: open } } }
      for (const loose of [open, { ...scoreSchema, required: [] }, list]) {
        const { json: body, status } = yield* asking(loose)
        assert.strictEqual(status, 400)
        assert.match(body.error!.message, /^Invalid schema for response_format 'score': In context=\(.*\), /)
      }
      const refused = yield* asking(scoreSchema, plain.url)
      assert.strictEqual(refused.status, 400)
      assert.include(refused.json.error?.message, "'response_format' of type 'json_schema' is not supported")
      assert.strictEqual(
        (yield* post(plain.url, { ...chatBody, response_format: { type: "json_object" } })).status,
        200
      )
    })
  )

  it.live("survives a body that is nested beyond measure", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`
      const text = JSON.stringify(chatBody).replace(/\}$/, `,"x":${deep}}`)
      const status = yield* Effect.promise(() =>
        fetch(`${url}/v1/chat/completions`, { method: "POST", body: text }).then((response) => response.status)
      )
      assert.strictEqual(status, 400)
      assert.strictEqual((yield* post(url, chatBody)).status, 200)
    })
  )
})

describe("a server with a rate limit", () => {
  it.live("refuses beyond it, without counting as asked, and says what is left", () =>
    Effect.gen(function* () {
      const rateLimit = Result.getOrThrow(parseRateLimit("2/h,100000t/min"))
      const faults = Result.getOrThrow(parseFaults("server-error=100%"))
      const { stats, url } = yield* started({ rateLimit, faults, faultsAtMost: 1, retryForm: "seconds" })
      const one = yield* post(url, chatBody)
      assert.deepStrictEqual([one.status, one.headers["x-ratelimit-remaining-requests"]], [500, "1"])
      const other = yield* post(url, { ...chatBody, seed: 1 })
      assert.deepStrictEqual([other.status, other.headers["x-ratelimit-remaining-requests"]], [500, "0"])
      const limited = yield* post(url, chatBody)
      assert.strictEqual(limited.status, 429)
      assert.isAtLeast(Number(limited.headers["retry-after"]), 1700)
      const { perSecond, ...counts } = stats()
      assert.deepStrictEqual([counts.requests, counts.rateLimited, counts.refused], [2, 1, { "429": 1, "500": 2 }])
      assert.strictEqual(
        perSecond.rateLimited.reduce((sum, count) => sum + count, 0),
        1
      )
    })
  )
})

describe("a server's other ways", () => {
  it.live("reasons out of the allowance", () =>
    Effect.gen(function* () {
      const { url } = yield* started({ reasoning: 200 })
      const usage = (body: Answered) =>
        body["usage"] as { completion_tokens: number; completion_tokens_details: { reasoning_tokens: number } }
      const free = yield* post(url, chatBody)
      const reasoned = usage(free.json).completion_tokens_details.reasoning_tokens
      assert.isAtLeast(reasoned, 100)
      assert.isAtMost(reasoned, 300)
      assert.strictEqual(usage(free.json).completion_tokens, reasoned + right.usage!.output)
      const short = yield* post(url, { ...chatBody, max_completion_tokens: 100 })
      const [choice] = short.json["choices"] as ReadonlyArray<{ finish_reason: string; message: { content: string } }>
      assert.deepStrictEqual([choice!.finish_reason, choice!.message.content], ["length", ""])
      assert.strictEqual(usage(short.json).completion_tokens_details.reasoning_tokens, 100)
    })
  )

  it("takes latency and up to the jitter more, drawn for each attempt", () => {
    const exchange = () =>
      makeExchange({
        latencyMs: 50,
        jitterMs: 400,
        seed: 3,
        reasoning: 0,
        faults: noFaults,
        faultsAtMost: 3,
        limiter: undefined,
        refuses: [],
        jsonSchema: true,
        counters: makeCounters(() => 0),
        log: () => undefined,
        now: () => 0,
        clockSkewMs: 0,
        startedAt: 0
      })
    const delays = () => {
      const ask = exchange()
      const sender = { authorization: "", batch: false }
      return [1, 2, 3, 1].map((seed) => ask(chatCompletions, JSON.stringify({ ...chatBody, seed }), sender).delayMs)
    }
    const first = delays()
    assert.deepStrictEqual(delays(), first)
    assert.strictEqual(new Set(first).size, 4)
    assert.isTrue(first.every((delay) => delay >= 50 && delay < 450))
  })

  it.live("shows a clock that is wrong", () =>
    Effect.gen(function* () {
      const { url } = yield* started({ clockSkewMs: -3600_000 })
      const { headers, json: body } = yield* post(url, chatBody)
      for (const time of [Date.parse(headers["date"]!), Number(body["created"]) * 1000]) {
        assert.closeTo(time - Date.now(), -3600_000, 60_000)
      }
    })
  )

  it.live("logs every attempt with its fault, and counts answers that are bought twice", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const log = join(folder, "requests.jsonl")
      const faults = Result.getOrThrow(parseFaults("reset=100%"))
      const { stats, url } = yield* started({ log, faults, faultsAtMost: 1 })
      yield* rawPost(url, chatBody)
      for (let time = 0; time < 3; time++) yield* rawPost(url, { ...chatBody, user: `u${time}` })
      yield* rawPost(url, responsesBody, { path: "/v1/responses" })
      const lines = readFileSync(log, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      assert.deepStrictEqual(
        lines.map(({ api, attempt, batch, fault, status }) => [api, attempt, batch, fault, status]),
        [
          ["chat-completions", 0, false, "reset", null],
          ["chat-completions", 1, false, null, 200],
          ["chat-completions", 2, false, "reset", null],
          ["chat-completions", 3, false, null, 200],
          ["responses", 0, false, "reset", null]
        ]
      )
      assert.strictEqual(new Set(lines.map(({ hash }) => hash)).size, 2)
      const { answered, distinct, duplicates, requests } = stats()
      assert.deepStrictEqual([requests, distinct, answered, duplicates], [5, 2, 2, 1])
    })
  )
})
