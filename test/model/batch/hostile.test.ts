import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { CallGate } from "../../../src/model/CallGate.ts"
import { batchAddress } from "../../../src/model/openaiBatch.ts"
import { openaiModel } from "../fixtures.ts"
import { type Answered, json, parse, proxy, text } from "./proxy.ts"
import { answers, batchModel, requests, rows, server, sitting, storeFile } from "./support.ts"

const count = 40
const isContent = /^\/v1\/files\/[^/]+\/content$/
const isBatch = /^\/v1\/batches\/[^/]+$/

const texts = (results: ReadonlyArray<unknown>) =>
  results.map((result) => (result as { readonly success: { readonly text: string } }).success.text)

const linesOf = ({ body }: Answered) => body.toString("utf8").trimEnd().split("\n")

/** The answers without anything in between. */
const undisturbed = (url: string) => {
  const { batch: _, ...plain } = batchModel(url)
  return Effect.map(answers(requests(plain, count)).pipe(sitting({ file: storeFile(), model: plain })), texts)
}

describe("a batch's results", () => {
  it.live("are read from lines in any order, once each, past lines that are none and ids that are nobody's", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const right = yield* undisturbed(url)
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        const answer = await forward()
        if (method !== "GET" || !isContent.test(path)) return answer
        const lines = linesOf(answer).reverse()
        const first = JSON.parse(lines[0]!) as {
          response: { body: { choices: Array<{ message: { content: string } }> } }
        }
        const wrong = structuredClone(first)
        wrong.response.body.choices[0]!.message.content = "a second answer to the same"
        const strange = ["__proto__", "constructor", "../../etc/passwd", "x".repeat(100_000), "\u001b[2J", 7, null].map(
          (custom_id) => JSON.stringify({ ...wrong, custom_id })
        )
        const broken = ["{", "null", "[]", '"text"', lines[0]!.slice(0, 80), "\u0000", "[".repeat(100_000)]
        return text([...strange, ...broken, ...lines, JSON.stringify(wrong)].join("\r\n"))
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(texts(yield* answers(requests(model, count))), right)
        assert.deepStrictEqual(yield* rows("SELECT count(*) AS n FROM judgements"), [{ n: count }])
        assert.deepStrictEqual(yield* rows("SELECT key FROM batch_requests"), [])
      }).pipe(sitting({ file: storeFile(), model }))
      assert.strictEqual(between.seen.filter((one) => one === "POST /v1/batches").length, 1)
      // The files go when all is read.
      assert.strictEqual(between.seen.filter((one) => one.startsWith("DELETE /v1/files/")).length, 2)
    })
  )

  it.live("that hold nothing leave everything to another batch, and then the model is taken for broken", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        const answer = await forward()
        if (method !== "GET" || !isBatch.test(path)) return answer
        return json({ ...parse(answer), output_file_id: null, error_file_id: null })
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(answers(requests(model, count)))
        assert.include(error.message, "has answered nothing, 2 times in a row")
        const outcomes = yield* rows("SELECT outcome, count(*) AS n FROM calls GROUP BY outcome ORDER BY outcome")
        assert.deepStrictEqual(outcomes, [
          { outcome: "malformed-response", n: 2 * (count - 1) },
          { outcome: "ok", n: 1 }
        ])
      }).pipe(sitting({ file: storeFile(), model }))
    })
  )

  it.live("that refuse a request for good are not asked for again", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server()
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        const answer = await forward()
        if (method !== "GET" || !isContent.test(path)) return answer
        const [first, ...rest] = linesOf(answer)
        const error = { message: "This model's maximum context length is 10 tokens.", code: "context_length_exceeded" }
        const refused = { ...JSON.parse(first!), response: { status_code: 400, request_id: "r", body: { error } } }
        return text([JSON.stringify(refused), ...rest].join("\n"))
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        const failed = (yield* answers(requests(model, count))).filter(({ _tag }) => _tag === "Failure")
        assert.strictEqual(failed.length, 1)
        assert.include(JSON.stringify(failed), "is longer than lexical-1")
        assert.deepStrictEqual(
          yield* rows("SELECT charged_tokens, charged_usd FROM calls WHERE outcome = 'context-too-long'"),
          [{ charged_tokens: 0, charged_usd: 0 }]
        )
      }).pipe(sitting({ file: storeFile(), model }))
      assert.strictEqual(stats().requests, count)
    })
  )

  it.live("end the evaluation, with what was answered kept, where the account has no credit left", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        const answer = await forward()
        if (method !== "GET" || !isContent.test(path)) return answer
        const body = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }
        return text(
          linesOf(answer)
            .map((line, at) =>
              at < 10 ? line : JSON.stringify({ ...JSON.parse(line), response: { status_code: 429, body } })
            )
            .join("\n")
        )
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(answers(requests(model, count)))
        assert.include(error.message, "has no credit left")
        assert.deepStrictEqual(yield* rows("SELECT count(*) AS n FROM judgements"), [{ n: 11 }])
      }).pipe(sitting({ file: storeFile(), model }))
    })
  )
})

describe("a server of batches", () => {
  it.live("without any is named, with what to do", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const between = yield* proxy(url, async ({ path }, forward) =>
        path.startsWith("/v1/files") ? json({ detail: "Not Found" }, 404) : forward()
      )
      const model = batchModel(between.url)
      const error = yield* Effect.flip(answers(requests(model, count))).pipe(sitting({ file: storeFile(), model }))
      assert.include(error.message, "has no batch API: leave batch out of lexical-1's settings")
      assert.isTrue(error._tag === "ModelError" && error.fatal)
    })
  )

  it.live("that fails now and then is asked again, by every kind of its requests", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server()
      const failed = new Map<string, number>()
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        if (path.endsWith("/completions")) return forward()
        const kind = `${method} ${path.replace(/(files|batches)\/[^/]+/, "$1/id")}`
        const number = failed.get(kind) ?? 0
        failed.set(kind, number + 1)
        if (number > 1) return forward()
        if (number === 0) return json({ error: { message: "busy" } }, 503)
        await forward()
        return "reset"
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        assert.isTrue((yield* answers(requests(model, count))).every(({ _tag }) => _tag === "Success"))
      }).pipe(sitting({ file: storeFile(), model }))
      // The second attempt made the batch and was not heard of: the third found it.
      assert.strictEqual(between.seen.filter((one) => one === "POST /v1/batches").length, 2)
      assert.deepStrictEqual([stats().requests, stats().duplicates], [count, 0])
    })
  )

  it.live("whose queue is full gets smaller batches", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server()
      const sizes: Array<number> = []
      const files = new Map<string, number>()
      const tooMany = new Set<string>()
      const between = yield* proxy(url, async ({ body, method, path }, forward) => {
        if (method === "POST" && path === "/v1/files") {
          const answer = await forward()
          files.set(String(parse(answer)["id"]), body.toString("utf8").split('"custom_id"').length - 1)
          return answer
        }
        if (method === "POST" && path === "/v1/batches") {
          const size = files.get(String(parse({ body })["input_file_id"]))!
          sizes.push(size)
          if (size <= 50) return forward()
          const id = `full-${sizes.length}`
          tooMany.add(id)
          return json({ id, status: "validating" })
        }
        const id = path.split("/").at(-1)!
        if (method !== "GET" || !tooMany.has(id)) return forward()
        const data = [{ code: "token_limit_exceeded", message: "Enqueued token limit reached" }]
        return json({ id, status: "failed", errors: { object: "list", data } })
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        assert.isTrue((yield* answers(requests(model, 101))).every(({ _tag }) => _tag === "Success"))
        assert.deepStrictEqual((yield* rows<{ n: number }>("SELECT count(*) AS n FROM calls"))[0]!.n, 101)
      }).pipe(sitting({ file: storeFile(), model }))
      assert.strictEqual(sizes[0], 100)
      assert.isTrue(sizes.slice(1).every((size) => size <= 50))
      assert.deepStrictEqual([stats().requests, stats().duplicates], [101, 0])
    })
  )

  it.live("that cancels a batch ends the evaluation with what is left said", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        const answer = await forward()
        if (method === "GET" && isBatch.test(path) && parse(answer)["status"] === "completed")
          return json({ ...parse(answer), status: "cancelled" })
        if (method !== "GET" || !isContent.test(path)) return answer
        return text(linesOf(answer).slice(0, 19).join("\n"))
      })
      const model = batchModel(between.url)
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(answers(requests(model, count)))
        assert.include(error.message, "was cancelled with 20 requests left")
        assert.deepStrictEqual(yield* rows("SELECT count(*) AS n FROM judgements"), [{ n: 20 }])
      }).pipe(sitting({ file: storeFile(), model }))
    })
  )

  it.live("that is gone is waited for with people told, and given up when the patience is over", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const between = yield* proxy(url, async ({ path }, forward) =>
        isBatch.test(path) ? json({ error: { message: "down" } }, 503) : forward()
      )
      const model = batchModel(between.url)
      const gate = new CallGate()
      const said: Array<string | undefined> = []
      gate.watch((trouble) => said.push(trouble?.message))
      const error = yield* Effect.flip(answers(requests(model, count))).pipe(
        sitting({ file: storeFile(), model, gate, patienceMs: 2500 })
      )
      assert.isTrue(error._tag === "ModelError" && error.fatal)
      assert.include(said[0], "failed while serving lexical-1")
      assert.isUndefined(said.at(-1))
    })
  )

  it.live("shows nothing of its own that a terminal would obey, and never the key", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const key = "sk-canary-0123456789"
      const between = yield* proxy(url, async ({ method, path }, forward) => {
        if (method !== "GET" || !isBatch.test(path)) return forward()
        const data = [{ code: "x", message: `\u001b[31mno\u0007 ${key} <b>here</b>` }]
        return json({ id: "b\u001b[2J", status: "failed", errors: { data } })
      })
      const model = batchModel(between.url, { apiKeyEnv: "BATCH_TEST_KEY" })
      const error = yield* Effect.flip(answers(requests(model, count))).pipe(
        sitting({ file: storeFile(), model }),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ BATCH_TEST_KEY: key }))
      )
      assert.match(error.message, /^[^\p{Cc}]*$/u)
      assert.notInclude(error.message, key)
      assert.include(error.message, "no [key]")
    })
  )
})

describe("where a model's batches are", () => {
  const at = (baseUrl: string, model = "m") => batchAddress(openaiModel({ model, baseUrl }))

  it("is beside its completions, and beside its deployments at Azure", () => {
    assert.deepStrictEqual(at("https://api.openai.com/v1"), {
      root: "/v1",
      query: "",
      url: "/v1/chat/completions",
      model: "m"
    })
    assert.deepStrictEqual(at("http://localhost:8000/v1/responses"), {
      root: "/v1",
      query: "",
      url: "/v1/responses",
      model: "m"
    })
    assert.deepStrictEqual(
      at("https://x.openai.azure.com/openai/deployments/my%20judge/chat/completions?api-version=2025-04-01"),
      { root: "/openai", query: "?api-version=2025-04-01", url: "/chat/completions", model: "my judge" }
    )
    assert.deepStrictEqual(at("https://x.openai.azure.com/openai/v1"), {
      root: "/openai/v1",
      query: "",
      url: "/chat/completions",
      model: "m"
    })
  })
})
