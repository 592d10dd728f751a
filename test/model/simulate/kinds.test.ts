import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { answer } from "../../../src/model/embedded/answer.ts"
import { parseFaults } from "../../../src/model/simulate/faults.ts"
import { type FaultKind, kindNames, natureOf } from "../../../src/model/simulate/kinds.ts"
import { type ServeOptions, serve } from "../../../src/model/simulate/server.ts"
import { asked, chatBody, type Raw, rawPost, responsesBody } from "./rawClient.ts"

const faults = (spec: string) => Result.getOrThrow(parseFaults(spec))
const started = (spec: string, options: Partial<ServeOptions> = {}) =>
  serve({ port: 0, latencyMs: 0, faults: faults(spec), dripMs: 1, ...options })

const right = answer({ messages: asked, seed: 42 })

interface Error {
  readonly message: string
  readonly type: string
  readonly code: unknown
  readonly param: string | null
}
interface Choice {
  readonly finish_reason: string
  readonly message: {
    readonly content: string | null
    readonly refusal?: string
    readonly tool_calls?: ReadonlyArray<unknown>
  }
  readonly error?: Error
}
interface Body {
  readonly choices: ReadonlyArray<Choice>
  readonly usage?: Readonly<Record<string, number>> & {
    readonly completion_tokens_details: { readonly reasoning_tokens: number }
  }
  readonly error: Error
}

/** An answer of the responses API. */
interface Response {
  readonly status: string
  readonly incomplete_details: unknown
  readonly error: { readonly code: string } | null
  readonly output: ReadonlyArray<{ readonly type: string; readonly content?: ReadonlyArray<{ readonly type: string }> }>
}

const bodyOf = (raw: Raw) => JSON.parse(raw.body) as Body
const choiceOf = (raw: Raw) => bodyOf(raw).choices[0]!
const isJson = (raw: Raw) => {
  assert.match(raw.headers["content-type"]!, /^application\/json/)
  return raw
}
const whole = (raw: Raw) => {
  assert.strictEqual(raw.ended, "end")
  assert.strictEqual(Buffer.byteLength(raw.body), Number(raw.headers["content-length"]))
  return raw
}
const broken = (raw: Raw) => {
  whole(isJson(raw))
  assert.strictEqual(raw.status, 200)
  assert.throws(() => JSON.parse(raw.body), SyntaxError)
  assert.include(raw.body, "lexical-1")
}
const refused = (status: number, raw: Raw) => {
  whole(isJson(raw))
  assert.strictEqual(raw.status, status)
  return bodyOf(raw).error
}
const half = (raw: Raw) => {
  assert.strictEqual(raw.status, 200)
  assert.isAbove(raw.body.length, 0)
  assert.isBelow(Buffer.byteLength(raw.body), Number(raw.headers["content-length"]))
}

/** What a client sees of each kind. */
const seen: Readonly<Record<Exclude<FaultKind, `batch-${string}`>, (raw: Raw) => void>> = {
  "rate-limited": (raw) => {
    assert.strictEqual(refused(429, raw).code, "rate_limit_exceeded")
    assert.strictEqual(raw.headers["retry-after"], "1")
  },
  "rate-limited-date": (raw) => {
    refused(429, raw)
    const wait = Date.parse(raw.headers["retry-after"]!) - Date.parse(raw.headers["date"]!)
    assert.isAtLeast(wait, 1000)
    assert.isAtMost(wait, 3000)
  },
  "server-error": (raw) => assert.strictEqual(refused(500, raw).type, "server_error"),
  "bad-gateway": (raw) => {
    assert.strictEqual(whole(raw).status, 502)
    assert.match(raw.headers["content-type"]!, /^text\/html/)
    assert.include(raw.body, "<title>502 Bad Gateway</title>")
  },
  unavailable: (raw) => {
    refused(503, raw)
    assert.strictEqual(raw.headers["retry-after"], "1")
  },
  reset: (raw) => assert.deepStrictEqual([raw.ended, raw.status], ["reset", undefined]),
  cut: (raw) => {
    assert.strictEqual(raw.ended, "reset")
    half(raw)
  },
  drip: (raw) => assert.strictEqual(choiceOf(whole(raw)).message.content, right.text),
  hang: (raw) => assert.deepStrictEqual([raw.ended, raw.status], ["open", undefined]),
  stall: (raw) => {
    assert.strictEqual(raw.ended, "open")
    half(raw)
  },
  "truncated-json": broken,
  "malformed-json": broken,
  "empty-content": (raw) =>
    assert.deepStrictEqual([choiceOf(raw).message.content, choiceOf(raw).finish_reason], ["", "stop"]),
  "empty-body": (raw) => assert.deepStrictEqual([raw.status, raw.body, raw.ended], [200, "", "end"]),
  "html-page": (raw) => {
    assert.strictEqual(whole(raw).status, 200)
    assert.match(raw.headers["content-type"]!, /^text\/html/)
    assert.match(raw.body, /^<!DOCTYPE html>/)
  },
  "wrong-type": (raw) => {
    assert.strictEqual(raw.headers["content-type"], "application/octet-stream")
    assert.strictEqual(choiceOf(raw).message.content, right.text)
  },
  "event-stream": (raw) => {
    assert.strictEqual(raw.headers["content-type"], "text/event-stream")
    assert.match(whole(raw).body, /^data: \{[\s\S]*\n\ndata: \[DONE\]\n\n$/)
  },
  "tool-calls": (raw) => {
    assert.deepStrictEqual([choiceOf(raw).message.content, choiceOf(raw).finish_reason], [null, "tool_calls"])
    assert.strictEqual(choiceOf(raw).message.tool_calls?.length, 1)
  },
  "missing-usage": (raw) => {
    assert.strictEqual(choiceOf(raw).message.content, right.text)
    assert.notProperty(bodyOf(raw), "usage")
  },
  "absurd-usage": (raw) => {
    assert.strictEqual(choiceOf(raw).message.content, right.text)
    const { completion_tokens, prompt_tokens } = bodyOf(raw).usage!
    assert.isFalse(prompt_tokens === right.usage!.input && completion_tokens === right.usage!.output)
  },
  "error-inside": (raw) => {
    assert.strictEqual(whole(isJson(raw)).status, 200)
    const body = bodyOf(raw)
    assert.strictEqual((body.error ?? choiceOf(raw).error)?.code, 502)
  },
  "key-echo": (raw) => assert.include(refused(500, raw).message, "Bearer sk-canary-0123456789"),
  refusal: (raw) => {
    assert.isNull(choiceOf(raw).message.content)
    assert.isNotEmpty(choiceOf(raw).message.refusal)
  },
  "content-filter": (raw) => assert.strictEqual(choiceOf(raw).finish_reason, "content_filter"),
  "prompt-filter": (raw) => assert.strictEqual(refused(400, raw).code, "content_filter"),
  length: (raw) => {
    assert.deepStrictEqual([choiceOf(raw).message.content, choiceOf(raw).finish_reason], ["", "length"])
    const { completion_tokens, completion_tokens_details } = bodyOf(raw).usage!
    assert.strictEqual(completion_tokens, 100)
    assert.strictEqual(completion_tokens_details.reasoning_tokens, 100)
  },
  "context-too-long": (raw) => {
    const { code, message } = refused(400, raw)
    assert.strictEqual(code, "context_length_exceeded")
    assert.match(message, /maximum context length is \d+ tokens/)
  },
  "unsupported-parameter": (raw) => {
    const { message, param } = refused(400, raw)
    assert.include(["temperature", "seed", "max_tokens"], param)
    assert.include(message, param!)
  },
  unauthorised: (raw) => {
    const { code, message } = refused(401, raw)
    assert.strictEqual(code, "invalid_api_key")
    assert.notInclude(message, "canary")
  },
  "no-credit": (raw) => assert.strictEqual(refused(429, raw).code, "insufficient_quota"),
  "payment-required": (raw) => assert.strictEqual(refused(402, raw).code, 402)
}

const full = { ...chatBody, temperature: 0.5, max_tokens: 100 }
const headers = { authorization: "Bearer sk-canary-0123456789" }

describe("each kind of fault over HTTP", () => {
  for (const [kind, check] of Object.entries(seen)) {
    it.live(kind, () =>
      Effect.gen(function* () {
        const { stats, url } = yield* started(`${kind}=100%`)
        const raw = yield* rawPost(url, full, { headers })
        check(raw)
        const { answered, faults: given, refused: statuses } = stats()
        assert.deepStrictEqual(given, { [kind]: 1 })
        assert.strictEqual(answered, ["drip", "missing-usage", "absurd-usage"].includes(kind) ? 1 : 0)
        const counted = raw.status !== undefined && raw.status >= 400 ? { [raw.status]: 1 } : {}
        assert.deepStrictEqual(statuses, counted)
      })
    )
  }

  it.live("comes again to the same request only where it lasts", () =>
    Effect.gen(function* () {
      const kinds = kindNames.filter((kind) => natureOf(kind) !== "batch" && !["hang", "stall"].includes(kind))
      const again = yield* Effect.forEach(kinds, (kind) =>
        Effect.gen(function* () {
          const { stats, url } = yield* started(`${kind}=100%`, { faultsAtMost: 1 })
          yield* rawPost(url, full, { headers })
          const { status } = yield* rawPost(url, full, { headers })
          return { kind, twice: stats().faults[kind] === 2, right: status === 200 && stats().answered >= 1 }
        })
      )
      for (const { kind, right, twice } of again) {
        assert.deepStrictEqual([kind, twice, right], [kind, natureOf(kind) === "lasting", natureOf(kind) !== "lasting"])
      }
    })
  )

  it.live("is the same whatever came in between, and however many came at once", () =>
    Effect.gen(function* () {
      const spec = "passing=40%,lasting=20%,hang=0%,stall=0%"
      const ask = (url: string, seed: number) =>
        Effect.map(rawPost(url, { ...chatBody, seed }), ({ body, ended, status }) => {
          // How much arrives before a connection breaks is the network's doing.
          return `${status} ${ended} ${ended === "end" ? body.replaceAll(/"created":\d+/g, "") : ""}`
        })
      const one = yield* started(spec, { seed: 5 })
      const two = yield* started(spec, { seed: 5 })
      const seeds = Array.from({ length: 40 }, (_, seed) => seed)
      const inOrder = yield* Effect.forEach(seeds, (seed) => ask(one.url, seed))
      const backwards = yield* Effect.forEach(seeds.toReversed(), (seed) => ask(two.url, seed), { concurrency: 16 })
      assert.deepStrictEqual(backwards.toReversed(), inOrder)
      assert.deepStrictEqual(two.stats().faults, one.stats().faults)
      const other = yield* started(spec, { seed: 6 })
      assert.notDeepEqual(yield* Effect.forEach(seeds, (seed) => ask(other.url, seed)), inOrder)
    })
  )

  it.live("ends a length fault at twice the first allowance", () =>
    Effect.gen(function* () {
      const { url } = yield* started("length=100%")
      const finish = (max_tokens: number) =>
        Effect.map(rawPost(url, { ...chatBody, max_tokens }), (raw) => choiceOf(raw).finish_reason)
      assert.strictEqual(yield* finish(100), "length")
      assert.strictEqual(yield* finish(199), "length")
      assert.strictEqual(yield* finish(200), "stop")
      assert.strictEqual(yield* finish(100), "length")
    })
  )

  it.live("leaves alone what has no parameter to refuse", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* started("unsupported-parameter=100%")
      const { seed: _, ...bare } = chatBody
      assert.strictEqual((yield* rawPost(url, bare)).status, 200)
      assert.deepStrictEqual(stats().faults, {})
    })
  )

  it.live("is the same in the responses API, in its own shape", () =>
    Effect.gen(function* () {
      const ask = (kind: FaultKind) =>
        Effect.gen(function* () {
          const { url } = yield* started(`${kind}=100%`)
          const raw = yield* rawPost(url, { ...responsesBody, max_output_tokens: 100 }, { path: "/v1/responses" })
          return { raw, json: JSON.parse(raw.body.startsWith("{") ? raw.body : "{}") as Response }
        })
      const refusal = yield* ask("refusal")
      assert.strictEqual(refusal.json.output[0]?.content?.[0]?.type, "refusal")
      const length = yield* ask("length")
      assert.strictEqual(length.json.status, "incomplete")
      assert.deepStrictEqual(length.json.incomplete_details, { reason: "max_output_tokens" })
      assert.deepStrictEqual(
        length.json.output.map(({ type }) => type),
        ["reasoning"]
      )
      const filtered = yield* ask("content-filter")
      assert.deepStrictEqual(filtered.json.incomplete_details, { reason: "content_filter" })
      assert.strictEqual((yield* ask("tool-calls")).json.output[0]?.type, "function_call")
      const inside = yield* ask("error-inside")
      assert.deepStrictEqual([inside.raw.status, inside.json.status], [200, "failed"])
      assert.strictEqual(inside.json.error?.code, "server_error")
      assert.notProperty((yield* ask("missing-usage")).json, "usage")
      assert.match((yield* ask("event-stream")).raw.body, /^event: response\.output_text\.delta\ndata: /)
      assert.strictEqual((yield* ask("server-error")).raw.status, 500)
    })
  )
})

describe("faults of a time", () => {
  it.live("hit everything, models too, and come to an end", () =>
    Effect.gen(function* () {
      const { url } = yield* started("unauthorised=0s..300ms")
      assert.strictEqual((yield* rawPost(url, chatBody)).status, 401)
      const models = yield* Effect.promise(() => fetch(`${url}/v1/models`))
      assert.strictEqual(models.status, 401)
      let status: number | undefined = 401
      while (status === 401) {
        yield* Effect.sleep("20 millis")
        status = (yield* rawPost(url, chatBody)).status
      }
      assert.strictEqual(status, 200)
    })
  )

  it.live("take the host away and bring it back", () =>
    Effect.gen(function* () {
      const { url } = yield* started("outage=100ms..400ms", { latencyMs: 250 })
      const cut = yield* rawPost(url, chatBody, { quietMs: 5000 })
      assert.include(["reset", "end"], cut.ended)
      assert.isUndefined(cut.status)
      assert.strictEqual((yield* rawPost(url, chatBody)).ended, "refused")
      let raw = yield* rawPost(url, chatBody)
      while (raw.ended === "refused") {
        yield* Effect.sleep("20 millis")
        raw = yield* rawPost(url, chatBody, { quietMs: 5000 })
      }
      assert.strictEqual(raw.status, 200)
    })
  )
})
