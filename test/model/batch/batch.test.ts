import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { CallGate, Halted } from "../../../src/model/CallGate.ts"
import { answer } from "../../../src/model/embedded/answer.ts"
import type { Completion } from "../../../src/model/LanguageModel.ts"
import { LanguageModel } from "../../../src/model/LanguageModel.ts"
import { RunBudget } from "../../../src/model/RunBudget.ts"
import { answers, batchModel, price, requests, rows, server, sitting, storeFile } from "./support.ts"

const count = 60
const completions = (results: ReadonlyArray<{ readonly _tag: string }>) =>
  results.map((result) => {
    assert.strictEqual(result._tag, "Success")
    return (result as unknown as { readonly success: Completion }).success
  })
const expected = (list: ReturnType<typeof requests>) =>
  Array.from({ length: list.length }, (_, index) => {
    const { maxOutputTokens } = list.get(index).model
    return answer({
      messages: list.get(index).messages,
      seed: list.get(index).seed,
      ...(maxOutputTokens === undefined ? {} : {})
    }).text
  })
const completionsOf = (list: ReturnType<typeof requests>) => Effect.map(answers(list), completions)
const calls = rows<{ outcome: string; cost: number | null; input: number; output: number; key: string }>(
  "SELECT outcome, cost, input, output, key FROM calls ORDER BY id"
)
const batches = rows<{ status: string; requests: number }>(
  "SELECT status, requests FROM batches ORDER BY created, rowid"
)
const open = rows<{ key: string }>("SELECT key FROM batch_requests")

describe("an evaluation by batches", () => {
  it.live("has the answers of single calls, at half of their price to the last digit but for the first", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server()
      const model = batchModel(url)
      const file = storeFile()
      const list = requests(model, count)
      yield* Effect.gen(function* () {
        const got = completions(yield* answers(list))
        assert.deepStrictEqual(
          got.map(({ text }) => text),
          expected(list)
        )
        const all = yield* calls
        assert.deepStrictEqual(new Set(all.map(({ outcome }) => outcome)), new Set(["ok"]))
        assert.strictEqual(all.length, count)
        const micros = all.map(({ input, output }) => input * price.input + output * price.output)
        assert.closeTo(all[0]!.cost! * 1e6, micros[0]!, 1e-6)
        for (const [at, { cost }] of all.slice(1).entries()) assert.closeTo(cost! * 1e6, micros[at + 1]! / 2, 1e-6)
        const { calls: sent, reserved, usd } = yield* Effect.flatMap(RunBudget, ({ used }) => used)
        assert.strictEqual(sent, count)
        assert.deepStrictEqual(reserved, { calls: 0, tokens: 0, usd: 0 })
        assert.closeTo(usd * 1e6, micros[0]! + micros.slice(1).reduce((sum, one) => sum + one / 2, 0), 1e-5)
        assert.deepStrictEqual(yield* batches, [{ status: "completed", requests: count - 1 }])
        assert.deepStrictEqual(yield* open, [])
      }).pipe(sitting({ file, model }))
      assert.deepStrictEqual([stats().requests, stats().duplicates], [count, 0])
    })
  )

  it.live("leaves a few to single calls, and everything where the model is not one with batch", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const few = batchModel(url)
      const file = storeFile()
      yield* answers(requests(few, 10)).pipe(sitting({ file, model: few }))
      const { batch: _, ...plain } = batchModel(url)
      yield* Effect.gen(function* () {
        yield* answers(requests(plain, 40))
        assert.deepStrictEqual(yield* batches, [])
      }).pipe(sitting({ file, model: plain }))
    })
  )

  it.live("asks again for what failed, is missing or cannot be read, and keeps what is an outcome", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server({
        spec: "server-error=20%,hang=10%,truncated-json=10%,refusal=10%,missing-usage=5%",
        seed: 5
      })
      const model = batchModel(url, { timeout: "1 s" })
      yield* Effect.gen(function* () {
        const list = requests(model, 150)
        const right = expected(list)
        const got = completions(yield* answers(list))
        const refused = got.filter(({ finish }) => finish === "refusal")
        assert.isAbove(refused.length, 3)
        assert.isTrue(got.every(({ finish, text }, at) => finish === "refusal" || text === right[at]))
        assert.isAtLeast((yield* batches).length, 2)
        assert.deepStrictEqual(yield* open, [])
        const sent = yield* calls
        assert.strictEqual(sent.filter(({ outcome }) => outcome === "sent").length, 0)
        assert.strictEqual(sent.filter(({ outcome }) => outcome === "ok" || outcome === "refusal").length, 150)
      }).pipe(sitting({ file: storeFile(), model }))
      assert.strictEqual(stats().duplicates, 0)
    })
  )

  it.live("finds a batch whose making was not heard of, and makes none beside it", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server({ spec: "batch-lost=100%" })
      const model = batchModel(url)
      yield* Effect.gen(function* () {
        completions(yield* answers(requests(model, count)))
        assert.deepStrictEqual(yield* batches, [{ status: "completed", requests: count - 1 }])
      }).pipe(sitting({ file: storeFile(), model }))
      assert.deepStrictEqual([stats().requests, stats().duplicates], [count, 0])
    })
  )

  it.live("takes what an expired batch has answered, and sends the rest again", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server({ spec: "batch-expired=100%", faultsAtMost: 1 })
      const model = batchModel(url)
      yield* Effect.gen(function* () {
        completions(yield* answers(requests(model, 101)))
        assert.deepStrictEqual(
          (yield* batches).map(({ requests: number }) => number),
          [100, 50, 25].slice(0, (yield* batches).length)
        )
        assert.strictEqual((yield* batches)[0]!.status, "expired")
        assert.deepStrictEqual(yield* open, [])
      }).pipe(sitting({ file: storeFile(), model }))
      assert.strictEqual(stats().duplicates, 0)
    })
  )

  it.live("says what the server says when no batch gets through, and counts none of its calls", () =>
    Effect.gen(function* () {
      const { url } = yield* server({ spec: "batch-failed=100%", faultsAtMost: 9 })
      const model = batchModel(url)
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(answers(requests(model, count)))
        assert.include(error.message, "answered nothing, 3 times in a row (“The batch could not be validated.”)")
        assert.isTrue(error._tag === "ModelError" && error.fatal)
        assert.strictEqual((yield* calls).length, 1)
        assert.deepStrictEqual((yield* Effect.flatMap(RunBudget, ({ used }) => used)).reserved.calls, 0)
        assert.deepStrictEqual(yield* open, [])
      }).pipe(sitting({ file: storeFile(), model }))
    })
  )

  it.live("sends nothing that the budget does not hold", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server()
      const model = batchModel(url)
      const file = storeFile()
      const inCalls = yield* Effect.flip(answers(requests(model, count))).pipe(
        sitting({ file, model, budget: { calls: count - 1 } })
      )
      assert.strictEqual(inCalls._tag, "BudgetExceeded")
      assert.include(inCalls.message, "the next batch has 60")
      const inMoney = yield* Effect.flip(answers(requests(model, count))).pipe(
        sitting({ file, model, budget: { usd: 0.03 } })
      )
      assert.include(inMoney.message, "the next batch of 60 calls may cost")
      assert.strictEqual(stats().requests, 0)
      // At the price of single calls it would not do.
      const outputs = (count * 200 * price.output) / 1e6
      yield* answers(requests(model, count)).pipe(sitting({ file, model, budget: { usd: outputs * 0.75 } }))
      assert.strictEqual(stats().requests, count)
    })
  )

  it.live("goes on at the server when it is stopped, and the next sitting waits for it within the same budget", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server({ batchMs: 1500 })
      const model = batchModel(url)
      const file = storeFile()
      const gate = new CallGate()
      const list = requests(model, count)
      const budget = { calls: count }
      const stopped = yield* Effect.gen(function* () {
        const models = yield* LanguageModel
        const fiber = yield* Effect.forkChild(
          Effect.flip(models.gather!(list, ({ batches: number }) => number === 1 && gate.halt()))
        )
        return yield* Fiber.join(fiber)
      }).pipe(sitting({ file, model, gate, budget }))
      assert.instanceOf(stopped, Halted)
      assert.include((stopped as Halted).detail!, "a batch of 59 requests goes on at the server")
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flatMap(RunBudget, ({ used }) => used)).calls, count)
        completions(yield* answers(list))
        const { calls: sent, reserved } = yield* Effect.flatMap(RunBudget, ({ used }) => used)
        assert.deepStrictEqual([sent, reserved.calls], [count, 0])
        assert.strictEqual((yield* batches).length, 1)
        assert.isTrue((yield* calls).every(({ outcome }) => outcome === "ok"))
      }).pipe(sitting({ file, model, budget }))
      assert.deepStrictEqual([stats().requests, stats().duplicates], [count, 0])
    })
  )

  it.live("is waited for by another run that wants some of the same, which leaves the others to the first", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server({ batchMs: 1000 })
      const model = batchModel(url)
      const file = storeFile()
      const gate = new CallGate()
      const stopped = yield* Effect.flip(
        LanguageModel.use((models) =>
          models.gather!(requests(model, count), ({ batches: number }) => number === 1 && gate.halt())
        )
      ).pipe(sitting({ file, model, gate }))
      assert.instanceOf(stopped, Halted)
      yield* Effect.gen(function* () {
        completions(yield* answers(requests(model, 40)))
        assert.strictEqual((yield* Effect.flatMap(RunBudget, ({ used }) => used)).calls, 0)
        assert.strictEqual((yield* open).length, 20)
      }).pipe(sitting({ file, model, run: "/campaigns/other.yaml" }))
      yield* Effect.gen(function* () {
        completions(yield* answers(requests(model, count)))
        assert.strictEqual((yield* Effect.flatMap(RunBudget, ({ used }) => used)).calls, count)
        assert.isTrue((yield* calls).every(({ cost, outcome }) => outcome === "ok" && cost !== null))
        assert.deepStrictEqual(yield* open, [])
      }).pipe(sitting({ file, model }))
      assert.deepStrictEqual([stats().requests, stats().duplicates], [count, 0])
    })
  )

  it.live("keeps a single call from buying what it is to bring, with what to do instead", () =>
    Effect.gen(function* () {
      const { stats, url } = yield* server({ batchMs: 1000 })
      const model = batchModel(url)
      const { batch: _, ...plain } = model
      const file = storeFile()
      const gate = new CallGate()
      yield* Effect.flip(
        LanguageModel.use((models) =>
          models.gather!(requests(model, count), ({ batches: number }) => number === 1 && gate.halt())
        )
      ).pipe(sitting({ file, model, gate }))
      const asked = stats().requests
      yield* Effect.gen(function* () {
        const models = yield* LanguageModel
        const error = yield* Effect.flip(models.complete(requests(plain, count).get(5)))
        assert.include(error.message, "in a batch that goes on at the server")
        assert.include(error.message, "Set batch: true")
        assert.isTrue(error._tag === "ModelError" && error.fatal)
        assert.deepStrictEqual((yield* Effect.flatMap(RunBudget, ({ used }) => used)).reserved.calls, 0)
        assert.strictEqual(stats().requests, asked)
        // Others of the same model are not kept from anything.
        yield* models.complete(requests(plain, count + 1).get(count))
        assert.strictEqual(stats().requests, asked + 1)
      }).pipe(sitting({ file, model: plain, run: "/campaigns/other.yaml" }))
      yield* completionsOf(requests(model, count)).pipe(sitting({ file, model }))
      assert.strictEqual(stats().duplicates, 0)
    })
  )
})
