import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import { designJudge } from "../../src/judge/designJudge.ts"
import { Judge } from "../../src/judge/Judge.ts"
import { type AnswerUse, UseRecorder } from "../../src/judge/UseRecorder.ts"
import { CallGate, CurrentGate } from "../../src/model/CallGate.ts"
import {
  BudgetExceeded,
  type Completion,
  LanguageModel,
  ModelError,
  type ModelRequest
} from "../../src/model/LanguageModel.ts"
import { itemSet } from "../optimise/support.ts"

const model: ModelConfig = { provider: "openai", model: "m", concurrency: 4 }
const { items } = itemSet<"acceptance">("a", 3, [{ class: "omission", trace: "complete" }])

const completion = (text: string, finish: Completion["finish"] = "stop"): Completion => ({
  text,
  finish,
  usage: null,
  servedModel: null,
  key: `key of ${text}`,
  reused: false,
  cost: null,
  latencyMs: 1
})

const answering = (
  reply: (request: ModelRequest, number: number) => Completion | ModelError | BudgetExceeded,
  samples = 1
) => {
  let number = 0
  const languageModel = Layer.succeed(
    LanguageModel,
    LanguageModel.of({
      complete: (request) =>
        Effect.suspend(() => {
          const result = reply(request, number++)
          return "text" in result ? Effect.succeed(result) : Effect.fail(result)
        })
    })
  )
  return designJudge({ judge: { design: "whole-note-score", samples }, model, seed: 11 }).pipe(
    Layer.provide(languageModel)
  )
}

const evaluate = Effect.flatMap(Judge, (judge) =>
  judge.evaluate({ judge: "Judge it." }, items, { label: "test", candidate: "c" })
)

/** An evaluation that may wait before it asks again. */
const patient = Effect.gen(function* () {
  const fiber = yield* Effect.forkChild(Effect.result(evaluate), { startImmediately: true })
  for (let second = 0; second < 300 && fiber.pollUnsafe() === undefined; second++) yield* TestClock.adjust("1 second")
  return yield* Effect.fromResult(yield* Fiber.join(fiber))
})

describe("the whole-note judge", () => {
  it.effect("scores each note by the model's answer", () =>
    Effect.map(evaluate, (outcomes) => {
      assert.deepStrictEqual(outcomes["a0/clean"], { _tag: "scored", score: 7, reason: "ok" })
      assert.strictEqual(Object.keys(outcomes).length, 6)
    }).pipe(Effect.provide(answering(() => completion('{"reason": "ok", "score": 7}'))))
  )

  it.effect("joins k samples by the winsorised mean, each with a seed of its own", () => {
    const seeds = new Set<number>()
    return Effect.map(evaluate, (outcomes) => {
      // Per note: 0, 5 × 6, 10 — the lowest and the highest become their neighbours.
      assert.strictEqual((outcomes["a0/clean"] as { score: number }).score, 5)
      assert.strictEqual(seeds.size, 48)
    }).pipe(
      Effect.provide(
        answering((request) => {
          seeds.add(request.seed)
          const sample = request.seed % 64
          return completion(`{"score": ${sample === 0 ? 0 : sample === 7 ? 10 : 5}}`)
        }, 8)
      )
    )
  })

  it.effect(
    "asks once more when a reply cannot be read, showing the reply, and counts it as unparsed after that",
    () => {
      const retries: Array<ModelRequest> = []
      return Effect.map(evaluate, (outcomes) => {
        assert.deepStrictEqual(outcomes["a0/clean"], { _tag: "scored", score: 4 })
        assert.deepStrictEqual(outcomes["a0/flawed0"], { _tag: "unparsed", reply: "still chatting" })
        assert.strictEqual(retries.length, 2)
        assert.strictEqual(retries[0]!.messages[1]!.content, "no idea")
      }).pipe(
        Effect.provide(
          answering((request) => {
            const text = request.messages[0]!.content
            const isRetry = request.messages.length > 1
            if (isRetry) retries.push(request)
            if (text.includes("note of a0 with everything")) return completion(isRetry ? '{"score": 4}' : "no idea")
            if (text.includes("note of a0 without")) return completion(isRetry ? "still chatting" : "no idea")
            return completion('{"score": 9}')
          })
        )
      )
    }
  )

  it.effect("asks for the contract's shape, reason before score, also the second time", () => {
    const shapes: Array<unknown> = []
    return Effect.map(evaluate, () => {
      assert.strictEqual(shapes.length, 12)
      for (const shape of shapes) {
        const { name, schema } = shape as {
          name: string
          schema: { properties: object; required: ReadonlyArray<string> }
        }
        assert.strictEqual(name, "judgement")
        assert.deepStrictEqual(Object.keys(schema.properties), ["reason", "score"])
        assert.deepStrictEqual(schema.required, ["reason", "score"])
      }
    }).pipe(
      Effect.provide(
        answering((request) => {
          shapes.push(request.answer)
          return completion("no idea")
        })
      )
    )
  })

  it.effect("takes no score from a reply that broke off or was refused", () =>
    Effect.map(evaluate, (outcomes) =>
      assert.isTrue(Object.values(outcomes).every(({ _tag }) => _tag === "unparsed"))
    ).pipe(
      Effect.provide(
        answering((request) => completion('{"score": 7}', request.messages.length > 1 ? "refusal" : "length"))
      )
    )
  )

  it.effect("keeps failed calls apart from verdicts", () =>
    Effect.map(patient, (outcomes) => {
      assert.deepStrictEqual(outcomes["a0/clean"], { _tag: "failed", cause: "no answer" })
      assert.strictEqual(outcomes["a1/clean"]!._tag, "scored")
    }).pipe(
      Effect.provide(
        answering((request) =>
          request.messages[0]!.content.includes("talk of a0")
            ? new ModelError({ kind: "timeout", message: "no answer" })
            : completion('{"score": 9}')
        )
      )
    )
  )

  it.effect("is broken when every call fails, and at once when the key is refused", () =>
    Effect.gen(function* () {
      const all = yield* Effect.flip(patient).pipe(
        Effect.provide(answering(() => new ModelError({ kind: "timeout", message: "no answer" })))
      )
      assert.strictEqual(all._tag, "JudgeBroken")
      let calls = 0
      const refused = yield* Effect.flip(evaluate).pipe(
        Effect.provide(
          answering(() => {
            calls++
            return new ModelError({ kind: "unauthorised", message: "key refused" })
          })
        )
      )
      assert.include(refused.message, "key refused")
      // All were asked for before the first answer came.
      assert.isAtMost(calls, items.length)
    })
  )

  it.effect("asks again for what failed, after the others, until it is answered", () => {
    let asked = 0
    return Effect.gen(function* () {
      const outcomes = yield* patient
      assert.isTrue(Object.values(outcomes).every(({ _tag }) => _tag === "scored"))
      // Two notes of a0, three times.
      assert.strictEqual(asked, items.length + 2 + 2)
    }).pipe(
      Effect.provide(
        answering((request) => {
          asked++
          return request.messages[0]!.content.includes("talk of a0") && asked <= items.length + 2
            ? new ModelError({ kind: "server-error", message: "no answer" })
            : completion('{"score": 9}')
        })
      )
    )
  })

  it.effect("does not ask again for what the server refuses for what it is", () => {
    let asked = 0
    return Effect.map(evaluate, (outcomes) => {
      assert.strictEqual(outcomes["a0/clean"]!._tag, "failed")
      assert.strictEqual(asked, items.length)
    }).pipe(
      Effect.provide(
        answering((request) => {
          asked++
          return request.messages[0]!.content.includes("talk of a0")
            ? new ModelError({ kind: "context-too-long", message: "too long" })
            : completion('{"score": 9}')
        })
      )
    )
  })

  it.effect("does not wait to ask again once the run is halted", () => {
    const gate = new CallGate()
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(evaluate), { startImmediately: true })
      gate.halt()
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Halted")
    }).pipe(
      Effect.provide(
        answering((request) =>
          request.messages[0]!.content.includes("talk of a0")
            ? new ModelError({ kind: "timeout", message: "no answer" })
            : completion('{"score": 9}')
        )
      ),
      Effect.provideService(CurrentGate, gate)
    )
  })

  it.effect("stops sending when the budget says no, and notes what was bought", () => {
    const uses: Array<AnswerUse> = []
    return Effect.gen(function* () {
      const error = yield* Effect.flip(evaluate)
      assert.strictEqual(error._tag, "BudgetExceeded")
      assert.strictEqual(uses.length, 2)
    }).pipe(
      Effect.provide(
        answering((_, number) =>
          number < 2 ? completion('{"score": 9}') : new BudgetExceeded({ limit: "calls", message: "spent" })
        )
      ),
      Effect.provideService(UseRecorder, (more) => Effect.sync(() => void uses.push(...more)))
    )
  })

  it.effect("sends nothing once the run is halted", () => {
    const gate = new CallGate()
    gate.halt()
    return Effect.map(Effect.flip(evaluate), (error) => assert.strictEqual(error._tag, "Halted")).pipe(
      Effect.provide(answering(() => completion('{"score": 9}'))),
      Effect.provideService(CurrentGate, gate)
    )
  })

  it.effect("judges consultation by consultation", () => {
    const order: Array<string> = []
    return Effect.map(evaluate, () => assert.deepStrictEqual(order, ["a0", "a0", "a1", "a1", "a2", "a2"])).pipe(
      Effect.provide(
        answering((request) => {
          order.push(/talk of (a\d)/.exec(request.messages[0]!.content)![1]!)
          return completion('{"score": 9}')
        })
      )
    )
  })
})
