import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Finish, LanguageModel, ModelError, ModelFailure, type Reply } from "../../src/model/LanguageModel.ts"
import * as live from "../../src/model/live.ts"
import { failureOutcome, isAnswered, isSent, replyOutcome } from "../../src/model/outcome.ts"
import type { Provider } from "../../src/model/Provider.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { JudgementStore } from "../../src/store/JudgementStore.ts"
import { Runs } from "../../src/store/Runs.ts"
import { usageTotals } from "../../src/store/roleUsage.ts"
import * as store from "../../src/store/store.ts"
import { newRun } from "../store/fixtures.ts"
import { both, openaiModel, reply, request } from "./fixtures.ts"

const model = openaiModel({
  retries: 0,
  price: { input: 1000, output: 10_000 },
  maxOutputTokens: 10,
  raiseOutputTokensTo: 10
})

/** One call for each of the answers, in turn; gives what the judge used. */
const used = (answers: ReadonlyArray<Effect.Effect<Reply, ModelError>>) => {
  let n = 0
  const provider: Provider = () => Effect.suspend(() => answers[n++]!)
  return Effect.gen(function* () {
    const { id } = yield* Runs.use((runs) => runs.create(newRun))
    const models = { judge: model, reflection: model }
    const layer = live.layer({ run: id, file: "campaign.yaml", budget: {}, models, providers: both(provider) })
    const service = yield* LanguageModel.pipe(Effect.provide(layer))
    const completions = yield* Effect.forEach(answers, (_, index) =>
      Effect.option(service.complete(request(model, `note ${index}`)))
    ).pipe(Effect.forkChild({ startImmediately: true }))
    for (let step = 0; step < 50 && completions.pollUnsafe() === undefined; step++) yield* TestClock.adjust("1 second")
    const all = yield* Fiber.join(completions)
    const usage = yield* CallLog.use((calls) => calls.usage(id))
    const spent = yield* CallLog.use((calls) => calls.spent(id))
    const stored = yield* JudgementStore.use((judgements) => judgements.count)
    return { judge: usage[0]!, totals: usageTotals(usage), spent, stored, all }
  }).pipe(Effect.provide(store.layer(":memory:"), { local: true }))
}

const finished = (finish: Finish, text = "") => Effect.succeed({ ...reply(text), finish })
const failed = (kind: ModelFailure, unsent?: boolean) =>
  Effect.fail(new ModelError({ kind, message: kind, ...(unsent === undefined ? {} : { unsent }) }))

describe("an outcome", () => {
  it("is ok only for a reply with words in it that ended by itself", () => {
    const outcomes = Finish.literals.map((finish) => replyOutcome({ finish, text: "7" }))
    assert.deepStrictEqual(outcomes, ["ok", "empty", "truncated", "refusal", "content-filter", "tool-calls", "ok"])
    assert.strictEqual(replyOutcome({ finish: "stop", text: " \n" }), "empty")
    assert.strictEqual(replyOutcome({ finish: "length", text: "" }), "truncated")
  })

  it("of a failure is no answer, and no request where no connection came about", () => {
    for (const kind of ModelFailure.literals) assert.isFalse(isAnswered(failureOutcome({ kind })))
    assert.strictEqual(failureOutcome({ kind: "unreachable", unsent: true }), "unreachable")
    assert.strictEqual(failureOutcome({ kind: "unreachable", unsent: false }), "connection-lost")
    assert.strictEqual(failureOutcome({ kind: "timeout", unsent: true }), "unreachable")
    assert.deepStrictEqual(["unreachable", "no-key", "connection-lost", "timeout"].map(isSent), [
      false,
      false,
      true,
      true
    ])
  })

  it.effect("is counted for each call, and every one of them is told apart", () =>
    Effect.gen(function* () {
      const replies = [
        finished("stop", "7"),
        finished("stop", ""),
        finished("refusal", "I cannot"),
        finished("content-filter"),
        finished("length", "The note"),
        finished("tool-calls")
      ]
      const kinds = [
        ["context-too-long"],
        ["malformed-response"],
        ["wrong-content-type"],
        ["timeout"],
        ["rate-limited"],
        ["server-error"],
        ["unreachable", true],
        ["unreachable", false]
      ] as const
      // An answer between any two failures, so that nothing is held for want of them.
      const failures = kinds.flatMap(([kind, unsent]) => [failed(kind, unsent), finished("stop", "7")])
      const { judge, spent, stored, totals } = yield* used([...replies, ...failures])
      assert.deepStrictEqual(judge.outcomes, {
        "connection-lost": 1,
        "content-filter": 1,
        "context-too-long": 1,
        empty: 1,
        "malformed-response": 1,
        "wrong-content-type": 1,
        ok: 1 + kinds.length,
        "rate-limited": 1,
        refusal: 1,
        "server-error": 1,
        timeout: 1,
        "tool-calls": 1,
        truncated: 1,
        unreachable: 1
      })
      const answered = replies.length + kinds.length
      assert.strictEqual(judge.answered, answered)
      assert.strictEqual(judge.failed, 7)
      assert.strictEqual(judge.sent, answered + 7)
      assert.strictEqual(judge.unreached, 1)
      assert.strictEqual(spent.calls, answered + 7)
      assert.strictEqual(stored, answered)
      assert.approximately(totals.usd ?? 0, answered * 0.2, 1e-12)
      // Timeouts, broken connections and replies that cannot be read may have been billed: they count at what was reserved.
      const reserved = (kind: number) => 8 + Math.ceil(`note ${replies.length + 2 * kind}`.length / 3) + 10
      assert.strictEqual(spent.tokens, answered * 110 + reserved(1) + reserved(2) + reserved(3) + reserved(7))
    })
  )
})

describe("a server that reports no usage", () => {
  const silent = (text: string, finish: Finish = "stop") => Effect.succeed({ ...reply(text), finish, usage: null })

  it.effect("has its tokens counted, marked, and added up apart", () =>
    Effect.gen(function* () {
      const { all, judge, spent, totals } = yield* used([silent("seven of ten"), finished("stop", "7")])
      const [first] = all
      // "note 0" is 3 tokens, with 4 around it and 3 for the answer's start; "seven of ten" is 3.
      const usage = { input: 10, cachedInput: 0, output: 3, reasoning: 0, estimated: true as const }
      assert.deepStrictEqual(first?._tag === "Some" ? first.value.usage : undefined, usage)
      assert.strictEqual(first?._tag === "Some" ? first.value.cost : undefined, (10 * 1000 + 3 * 10_000) / 1e6)
      assert.deepStrictEqual(judge.estimated, { calls: 1, input: 10, output: 3, usd: 0.04 })
      assert.strictEqual(judge.reported.usd, 0.2)
      assert.deepStrictEqual(totals.estimated, { calls: 1, tokens: 13, usd: 0.04 })
      assert.approximately(totals.usd ?? 0, 0.24, 1e-12)
      assert.strictEqual(spent.tokens, 13 + 110)
    })
  )

  it.effect("is taken to have used up the limit of an answer that was cut off by it", () =>
    Effect.gen(function* () {
      const { judge } = yield* used([silent("", "length")])
      assert.strictEqual(judge.estimated.output, 10)
    })
  )
})
