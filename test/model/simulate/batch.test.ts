import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { OpenAI } from "openai"
import { answer } from "../../../src/model/embedded/answer.ts"
import { parseFaults } from "../../../src/model/simulate/faults.ts"
import { type ServeOptions, serve } from "../../../src/model/simulate/server.ts"
import { asked, chatBody, responsesBody } from "./rawClient.ts"

const faults = (spec: string) => Result.getOrThrow(parseFaults(spec))

/** A server and the client that OpenAI itself ships. */
const started = (options: Partial<ServeOptions> = {}) =>
  Effect.map(serve({ port: 0, latencyMs: 0, batchMs: 100, ...options }), (server) => ({
    ...server,
    client: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "sk-canary", maxRetries: 0, logLevel: "off" })
  }))
type Client = OpenAI

const line = (id: number, body: object = { ...chatBody, seed: id }, fields: object = {}) =>
  JSON.stringify({ custom_id: `line-${id}`, method: "POST", url: "/v1/chat/completions", body, ...fields })
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

const submit = async (
  client: Client,
  text: string,
  endpoint: "/v1/chat/completions" | "/v1/responses" = "/v1/chat/completions"
) => {
  const file = await client.files.create({ file: new File([text], "in.jsonl"), purpose: "batch" })
  return client.batches.create({ input_file_id: file.id, endpoint, completion_window: "24h", metadata: { run: "r1" } })
}

const over: ReadonlyArray<string> = ["completed", "failed", "expired", "cancelled"]

/** The batch at its end, and every status on the way as it was seen. */
const ended = async (client: Client, id: string) => {
  const statuses: Array<string> = []
  while (true) {
    const batch = await client.batches.retrieve(id)
    if (batch.status !== statuses.at(-1)) statuses.push(batch.status)
    if (over.includes(batch.status)) return { batch, statuses }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

interface Body {
  readonly choices: ReadonlyArray<{ readonly message: { readonly content: string } }>
  readonly output: ReadonlyArray<{ readonly content: ReadonlyArray<{ readonly text: string }> }>
  readonly usage: { readonly completion_tokens: number }
  readonly error: { readonly message: string }
}

interface Outcome {
  readonly custom_id: string
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: Body } | null
  readonly error: { readonly code: string } | null
}

const linesOf = async (client: Client, file: string | null | undefined) =>
  file === null || file === undefined ? [] : (await (await client.files.content(file)).text()).trimEnd().split("\n")
const outcomesOf = async (client: Client, file: string | null | undefined) =>
  (await linesOf(client, file)).map((text) => JSON.parse(text) as Outcome)

const run = <A>(work: () => Promise<A>) => Effect.promise(work)

describe("the batch API", () => {
  it.live("answers every line as the same request would be, in another order", () =>
    Effect.gen(function* () {
      const { client, stats } = yield* started({ batchMs: 300 })
      const created = yield* run(() =>
        submit(
          client,
          `${numbers(40)
            .map((id) => line(id))
            .join("\n")}\n`
        )
      )
      assert.strictEqual(created.status, "validating")
      assert.deepStrictEqual(created.metadata, { run: "r1" })
      const { batch, statuses } = yield* run(() => ended(client, created.id))
      assert.deepStrictEqual(statuses.at(-1), "completed")
      const order = ["validating", "in_progress", "finalizing", "completed"]
      assert.deepStrictEqual(
        statuses,
        order.filter((status) => statuses.includes(status))
      )
      assert.deepStrictEqual(batch.request_counts, { total: 40, completed: 40, failed: 0 })
      assert.isNull(batch.error_file_id)
      const outcomes = yield* run(() => outcomesOf(client, batch.output_file_id))
      const ids = outcomes.map(({ custom_id }) => custom_id)
      assert.notDeepEqual(
        ids,
        numbers(40).map((id) => `line-${id}`)
      )
      assert.deepStrictEqual(new Set(ids), new Set(numbers(40).map((id) => `line-${id}`)))
      for (const { custom_id, error, response } of outcomes) {
        const seed = Number(custom_id.replace("line-", ""))
        assert.isNull(error)
        assert.strictEqual(response?.status_code, 200)
        assert.strictEqual(response?.body.choices[0]?.message.content, answer({ messages: asked, seed }).text)
      }
      const written = outcomes.reduce((sum, { response }) => sum + response!.body.usage.completion_tokens, 0)
      assert.strictEqual(batch.usage?.output_tokens, written)
      assert.deepStrictEqual([stats().requests, stats().answered, stats().duplicates], [40, 40, 0])
    })
  )

  it.live("speaks responses too", () =>
    Effect.gen(function* () {
      const { client } = yield* started()
      const text = line(1, responsesBody, { url: "/v1/responses" })
      const { batch } = yield* run(async () => ended(client, (await submit(client, text, "/v1/responses")).id))
      const [outcome] = yield* run(() => outcomesOf(client, batch.output_file_id))
      assert.strictEqual(
        outcome!.response!.body.output[0]!.content[0]!.text,
        answer({ messages: asked, seed: 42 }).text
      )
    })
  )

  it.live("puts refused lines into the error file, which may be the only one", () =>
    Effect.gen(function* () {
      const { client } = yield* started()
      const lines = [line(0, { ...chatBody, n: 2 }), line(1, { ...chatBody, messages: [] })]
      const { batch } = yield* run(async () => ended(client, (await submit(client, lines.join("\n"))).id))
      assert.strictEqual(batch.status, "completed")
      assert.deepStrictEqual(batch.request_counts, { total: 2, completed: 0, failed: 2 })
      assert.isNull(batch.output_file_id)
      const outcomes = yield* run(() => outcomesOf(client, batch.error_file_id))
      assert.deepStrictEqual(
        outcomes.map(({ response }) => [response?.status_code, typeof response?.body.error.message]),
        [
          [400, "string"],
          [400, "string"]
        ]
      )
    })
  )

  it.live("fails a file that is not one of requests, with every line that is wrong", () =>
    Effect.gen(function* () {
      const { client, stats } = yield* started()
      const failed = async (text: string) => {
        const { batch } = await ended(client, (await submit(client, text)).id)
        assert.strictEqual(batch.status, "failed")
        return batch.errors?.data?.map(({ code, line: number }) => [code, number])
      }
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const text = [
        line(0),
        "{",
        line(0),
        line(2, chatBody, { url: "/v1/responses" }),
        line(3, { ...chatBody, model: "other" }),
        JSON.stringify({ custom_id: "x", method: "GET", url: "/v1/chat/completions", body: chatBody }),
        `{"custom_id":"y","method":"POST","url":"/v1/chat/completions","body":{"model":"lexical-1","x":${deep}}}`
      ].join("\n")
      assert.deepStrictEqual(yield* run(() => failed(text)), [
        ["invalid_json_line", 2],
        ["duplicate_custom_id", 3],
        ["url_mismatch", 4],
        ["model_mismatch", 5],
        ["invalid_request", 6],
        ["invalid_json_line", 7]
      ])
      assert.deepStrictEqual(yield* run(() => failed("\n")), [["empty_file", null]])
      assert.strictEqual(stats().requests, 0)
    })
  )

  it.live("gives lines the faults of requests, and loses those whose connection would break", () =>
    Effect.gen(function* () {
      const text = numbers(200)
        .map((id) => line(id))
        .join("\n")
      const outcome = (spec: string) =>
        Effect.gen(function* () {
          const { client } = yield* started({ faults: faults(spec), seed: 3 })
          const { batch } = yield* run(async () => ended(client, (await submit(client, text)).id))
          const output = yield* run(() => linesOf(client, batch.output_file_id))
          const errors = yield* run(() => outcomesOf(client, batch.error_file_id))
          return { batch, output, errors }
        })
      const { batch, errors, output } = yield* outcome("server-error=20%,hang=10%,truncated-json=10%,refusal=10%")
      assert.isTrue(errors.length > 0 && errors.every(({ response }) => response?.status_code === 500))
      const { completed, failed, total } = batch.request_counts!
      assert.deepStrictEqual([completed, failed, total], [output.length, errors.length, 200])
      assert.isBelow(output.length + errors.length, 200)
      const isBroken = (one: string) => {
        try {
          JSON.parse(one)
          return false
        } catch {
          return true
        }
      }
      assert.isAbove(output.filter(isBroken).length, 0)
      assert.isAbove(output.filter((one) => one.includes("I'm sorry")).length, 0)
      const again = yield* outcome("server-error=20%,hang=10%,truncated-json=10%,refusal=10%")
      const plain = (lines: ReadonlyArray<string>) => lines.map((one) => one.replace(/"created":\d+/, ""))
      assert.deepStrictEqual(plain(again.output), plain(output))
    })
  )

  it.live("fails, expires or is lost as a whole when that is asked for", () =>
    Effect.gen(function* () {
      const text = numbers(10)
        .map((id) => line(id))
        .join("\n")
      const failing = yield* started({ faults: faults("batch-failed=100%"), faultsAtMost: 1 })
      const first = yield* run(async () => ended(failing.client, (await submit(failing.client, text)).id))
      assert.strictEqual(first.batch.status, "failed")
      const second = yield* run(async () => ended(failing.client, (await submit(failing.client, text)).id))
      assert.strictEqual(second.batch.status, "completed")

      const { client } = yield* started({ faults: faults("batch-expired=100%") })
      const { batch } = yield* run(async () => ended(client, (await submit(client, text)).id))
      assert.strictEqual(batch.status, "expired")
      assert.deepStrictEqual(batch.request_counts, { total: 10, completed: 5, failed: 5 })
      const output = yield* run(() => outcomesOf(client, batch.output_file_id))
      const errors = yield* run(() => outcomesOf(client, batch.error_file_id))
      assert.deepStrictEqual(
        errors.map(({ error, response }) => [error?.code, response]),
        errors.map(() => ["batch_expired", null])
      )
      assert.strictEqual(new Set([...output, ...errors].map(({ custom_id }) => custom_id)).size, 10)

      const losing = yield* started({ faults: faults("batch-lost=100%") })
      const lost = yield* run(() =>
        submit(losing.client, text).then(
          () => "told",
          () => "lost"
        )
      )
      assert.strictEqual(lost, "lost")
      const { data } = yield* run(() => losing.client.batches.list())
      assert.deepStrictEqual(
        data.map(({ metadata }) => metadata),
        [{ run: "r1" }]
      )
    })
  )

  it.live("stops when it is cancelled, with what was answered by then", () =>
    Effect.gen(function* () {
      const { client } = yield* started({ batchMs: 2000 })
      const text = numbers(100)
        .map((id) => line(id))
        .join("\n")
      const { id } = yield* run(() => submit(client, text))
      yield* run(async () => {
        while ((await client.batches.retrieve(id)).request_counts?.completed === 0)
          await new Promise((go) => setTimeout(go, 10))
      })
      assert.strictEqual((yield* run(() => client.batches.cancel(id))).status, "cancelling")
      const { batch } = yield* run(() => ended(client, id))
      assert.strictEqual(batch.status, "cancelled")
      const output = yield* run(() => linesOf(client, batch.output_file_id))
      assert.strictEqual(output.length, batch.request_counts?.completed)
      assert.isAbove(output.length, 0)
      assert.isBelow(output.length, 100)
      const whole = yield* run(async () => ended(client, (await submit(client, line(1))).id))
      const refused = yield* run(() =>
        client.batches.cancel(whole.batch.id).then(
          () => 200,
          (error: { status: number }) => error.status
        )
      )
      assert.strictEqual(refused, 409)
    })
  )

  it.live("keeps its files and batches apart, and lists them newest first by pages", () =>
    Effect.gen(function* () {
      const { client, url } = yield* started()
      const made: Array<string> = []
      for (const id of numbers(5)) made.push((yield* run(() => submit(client, line(id)))).id)
      const listed: Array<string> = []
      yield* run(async () => {
        for await (const batch of client.batches.list({ limit: 2 })) listed.push(batch.id)
      })
      assert.deepStrictEqual(listed, made.toReversed())
      const [file] = (yield* run(() => client.files.list())).data
      assert.strictEqual(file?.purpose === "batch" || file?.purpose === "batch_output", true)
      const source = (yield* run(() => client.batches.retrieve(made[0]!))).input_file_id
      assert.isTrue((yield* run(() => client.files.delete(source))).deleted)
      const status = (path: string, init?: RequestInit) =>
        run(() => fetch(`${url}/v1${path}`, init).then((response) => response.status))
      assert.strictEqual(yield* status(`/files/${source}`), 404)
      assert.strictEqual(yield* status("/files/nothing/content"), 404)
      assert.strictEqual(yield* status("/batches/nothing"), 404)
      assert.strictEqual(yield* status("/batches/nothing/cancel", { method: "POST" }), 404)
      assert.strictEqual(yield* status("/batches", { method: "PUT" }), 404)
      assert.strictEqual(yield* status("/files", { method: "POST", body: "x" }), 400)
      for (const body of [
        "{",
        "{}",
        JSON.stringify({ input_file_id: source, endpoint: "/v1/chat/completions", completion_window: "24h" })
      ]) {
        assert.strictEqual(yield* status("/batches", { method: "POST", body }), 400)
      }
    })
  )
})
