import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { messages } from "../../../src/judge/wholeNoteScore.ts"
import { answer } from "../../../src/model/embedded/answer.ts"
import { type ServeOptions, serve } from "../../../src/model/simulate/server.ts"

const asked = messages(
  { transcript: "Doctor: Any pain?\nPatient: My left knee.", note: "Left knee pain." },
  "Decide whether the note is complete."
)
const body = { model: "lexical-1", messages: asked, seed: 42 }

interface Answer {
  readonly status: number
  readonly json: {
    readonly error?: { readonly message: string; readonly type: string; readonly code: string | null }
    readonly [field: string]: unknown
  }
}

const fetched = (url: string, init?: RequestInit) =>
  Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(url, init)
    return { status: response.status, json: (await response.json()) as Answer["json"] }
  })

const post = (url: string, value: unknown, headers: Record<string, string> = {}) =>
  fetched(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof value === "string" ? value : JSON.stringify(value)
  })

const started = (options: Partial<ServeOptions> = {}) => serve({ port: 0, latencyMs: 0, ...options })

/** A request that its sender can walk away from. */
const abandonable = (url: string) => {
  const controller = new AbortController()
  const sent = fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    signal: controller.signal
  }).catch(() => undefined)
  return { sent, leave: () => controller.abort() }
}

describe("the simulated server", () => {
  it.live("answers as the embedded model does, in OpenAI's shape", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      const { json, status } = yield* post(url, body)
      const reply = answer({ messages: asked, seed: 42 })
      assert.strictEqual(status, 200)
      assert.match(String(json["id"]), /^chatcmpl-/)
      assert.isAtMost(Math.abs(Number(json["created"]) - Date.now() / 1000), 60)
      assert.deepStrictEqual(
        { ...json, id: "", created: 0 },
        {
          id: "",
          object: "chat.completion",
          created: 0,
          model: "lexical-1 (embedded)",
          system_fingerprint: "fp_lexical_1",
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: reply.text, refusal: null },
              logprobs: null,
              finish_reason: "stop"
            }
          ],
          usage: {
            prompt_tokens: reply.usage!.input,
            completion_tokens: reply.usage!.output,
            total_tokens: reply.usage!.input + reply.usage!.output,
            prompt_tokens_details: { cached_tokens: 0 },
            completion_tokens_details: { reasoning_tokens: 0 }
          }
        }
      )
    })
  )

  it.live("serves the same with and without /v1, and honours the seed", () =>
    Effect.gen(function* () {
      const { url } = yield* started({ seed: 7 })
      const content = ({ json }: Answer) =>
        (json["choices"] as ReadonlyArray<{ message: { content: string } }>)[0]!.message.content
      const bare = yield* fetched(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) })
      assert.strictEqual(content(bare), content(yield* post(url, body)))
      for (const seed of [1, 2, 3]) {
        assert.strictEqual(content(yield* post(url, { ...body, seed })), answer({ messages: asked, seed }).text)
      }
      const { seed: _, ...unseeded } = body
      assert.strictEqual(content(yield* post(url, unseeded)), answer({ messages: asked, seed: 7 }).text)
      const parts = asked.map(({ content: text, role }) => ({ role, content: [{ type: "text", text }] }))
      assert.strictEqual(
        content(yield* post(url, { ...body, messages: parts })),
        answer({ messages: asked, seed: 42 }).text
      )
    })
  )

  it.live("cuts the answer at either token limit and says so", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      for (const name of ["max_tokens", "max_completion_tokens"]) {
        const { json } = yield* post(url, { ...body, [name]: 4 })
        const [choice] = json["choices"] as ReadonlyArray<{ finish_reason: string; message: { content: string } }>
        assert.strictEqual(choice!.finish_reason, "length")
        assert.strictEqual(choice!.message.content.length, 16)
      }
    })
  )

  it.live("lists its model and says that it is well", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      const models = yield* fetched(`${url}/v1/models`)
      assert.deepStrictEqual(
        (models.json["data"] as ReadonlyArray<{ id: string }>).map(({ id }) => id),
        ["lexical-1"]
      )
      assert.deepStrictEqual(yield* fetched(`${url}/healthz`), { status: 200, json: { status: "ok" } })
    })
  )

  it.live("refuses what it cannot answer, in OpenAI's error shape", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* started()
      const unknown = yield* post(url, { ...body, model: "gpt-x" })
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.json.error?.code, "model_not_found")
      assert.strictEqual(unknown.json.error?.type, "invalid_request_error")
      for (const bad of [
        "",
        "{",
        "[]",
        {},
        { model: "lexical-1" },
        { ...body, messages: [] },
        { ...body, messages: [{ role: "robot", content: "x" }] },
        { ...body, seed: 1.5 },
        { ...body, max_tokens: 0 },
        { ...body, n: 2 },
        { ...body, stream: true }
      ]) {
        const { json, status } = yield* post(url, bad)
        assert.strictEqual(status, 400, JSON.stringify(bad))
        assert.isNotEmpty(json.error?.message)
      }
      assert.strictEqual((yield* fetched(`${url}/v1/nothing`)).status, 404)
      assert.strictEqual((yield* fetched(`${url}/v1/chat/completions`)).status, 405)
      assert.deepStrictEqual(stats().refused, { "400": 11, "404": 2, "405": 1 })
      assert.strictEqual(stats().requests, 0)
    })
  )

  it.live("refuses a body above 10 MB, declared or streamed", () =>
    Effect.gen(function* () {
      const { url } = yield* started()
      const big = JSON.stringify({ ...body, messages: [{ role: "user", content: "x".repeat(11 * 1024 * 1024) }] })
      const streamed = new ReadableStream({
        start(controller) {
          const part = new TextEncoder().encode("x".repeat(1024 * 1024))
          for (let count = 0; count < 12; count++) controller.enqueue(part)
          controller.close()
        }
      })
      const status = (init: RequestInit) =>
        Effect.promise(() =>
          fetch(`${url}/v1/chat/completions`, { method: "POST", ...init }).then(
            (response) => response.status,
            // The server may close the connection while the client is still sending.
            () => 413
          )
        )
      assert.strictEqual(yield* status({ body: big }), 413)
      assert.strictEqual(yield* status({ body: streamed, duplex: "half" } as RequestInit), 413)
      assert.strictEqual((yield* post(url, body)).status, 200)
    })
  )

  it.live("asks for the key when it has one", () =>
    Effect.gen(function* () {
      const { url } = yield* started({ apiKey: "right" })
      assert.strictEqual((yield* post(url, body)).status, 401)
      const wrong = yield* post(url, body, { authorization: "Bearer wrong" })
      assert.strictEqual(wrong.status, 401)
      assert.strictEqual(wrong.json.error?.code, "invalid_api_key")
      assert.notInclude(JSON.stringify(wrong.json), "right")
      assert.strictEqual((yield* post(url, body, { authorization: "Bearer right" })).status, 200)
      assert.strictEqual((yield* fetched(`${url}/v1/models`)).status, 401)
      assert.strictEqual((yield* fetched(`${url}/healthz`)).status, 200)
    })
  )

  it.live("serves 64 slow requests side by side and counts them", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* started({ latencyMs: 200 })
      const begun = performance.now()
      const answers = yield* Effect.forEach(
        Array.from({ length: 64 }, (_, index) => index),
        // Every request is sent twice; `user` cannot change an answer.
        (index) => post(url, { ...body, seed: index % 32, user: `u${index}` }),
        { concurrency: "unbounded" }
      )
      const took = performance.now() - begun
      assert.isTrue(answers.every(({ status }) => status === 200))
      assert.isAtLeast(took, 200)
      // One after the other they would take 12.8 s.
      assert.isBelow(took, 3000)
      const { perSecond, ...counts } = stats()
      assert.deepStrictEqual(counts, {
        requests: 64,
        distinct: 32,
        answered: 64,
        duplicates: 32,
        maxInFlight: 64,
        inFlight: 0,
        rateLimited: 0,
        faults: {},
        refused: {}
      })
      assert.strictEqual(
        perSecond.served.reduce((sum, count) => sum + count, 0),
        64
      )
      const { perSecond: _, ...told } = (yield* fetched(`${url}/stats`)).json
      assert.deepStrictEqual(told, { ...counts })
    })
  )

  it.live("writes each request to the log before it answers", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const log = join(folder, "requests.jsonl")
      const { url } = yield* started({ log })
      yield* post(url, { ...body, user: "somebody" }, { authorization: "Bearer secret-key" })
      const text = readFileSync(log, "utf8")
      const lines = text.trimEnd().split("\n")
      assert.strictEqual(lines.length, 1)
      const entry = JSON.parse(lines[0]!) as { time: string; hash: string; body: unknown }
      assert.deepStrictEqual(entry.body, { ...body, user: "somebody" })
      assert.match(entry.hash, /^[0-9a-f]{64}$/)
      assert.notInclude(text, "secret-key")
    })
  )

  it.live("forgets a client that goes away while it waits", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* started({ latencyMs: 60_000 })
      const { leave, sent } = abandonable(url)
      while (stats().requests === 0) yield* Effect.sleep("5 millis")
      leave()
      yield* Effect.promise(() => sent)
      while (stats().inFlight > 0) yield* Effect.sleep("5 millis")
      assert.strictEqual(stats().maxInFlight, 1)
    })
  )

  it.live("closes at once, with answers under way and idle connections open", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { port, stats, url } = yield* started({ latencyMs: 60_000 }).pipe(Effect.provideService(Scope.Scope, scope))
      const pending = fetch(`${url}/v1/chat/completions`, { method: "POST", body: JSON.stringify(body) }).then(
        () => "answered",
        () => "cut off"
      )
      const idle = connect(port, "127.0.0.1")
      idle.on("error", () => undefined)
      while (stats().requests === 0) yield* Effect.sleep("5 millis")
      const begun = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - begun, 1000)
      assert.strictEqual(yield* Effect.promise(() => pending), "cut off")
      idle.destroy()
      const again = yield* serve({ port, latencyMs: 0 })
      assert.strictEqual(again.port, port)
    })
  )

  it.live("says that the port is taken", () =>
    Effect.gen(function* () {
      const { port } = yield* started()
      const error = yield* Effect.flip(serve({ port, latencyMs: 0 }))
      assert.include(error.message, `port ${port}`)
    })
  )
})
