import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import type { Budget } from "../../src/domain/Campaign.ts"
import { CallGate, CurrentGate } from "../../src/model/CallGate.ts"
import { requestKey } from "../../src/model/key.ts"
import { LanguageModel, ModelError } from "../../src/model/LanguageModel.ts"
import * as live from "../../src/model/live.ts"
import type { Provider } from "../../src/model/Provider.ts"
import { RunBudget } from "../../src/model/RunBudget.ts"
import { makeUnmetered } from "../../src/model/unmetered.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { CorruptStore } from "../../src/store/errors.ts"
import { JudgementStore } from "../../src/store/JudgementStore.ts"
import { Runs } from "../../src/store/Runs.ts"
import * as store from "../../src/store/store.ts"
import { newRun } from "../store/fixtures.ts"
import { both, counting, openaiModel, reply, request } from "./fixtures.ts"

const model = openaiModel({ concurrency: 4, price: { input: 1000, output: 10_000 }, maxOutputTokens: 10 })

/** A run over a store file, with the one provider for everything. */
const withRun =
  (provider: Provider, budget: Budget = {}, file = ":memory:") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const [known] = yield* runs.list()
      const run = known ?? (yield* runs.create(newRun))
      const models = { judge: model, reflection: model }
      const layer = live.layer({ run: run.id, file: "campaign.yaml", budget, models, providers: both(provider) })
      return yield* Effect.provide(effect, layer, { local: true })
    }).pipe(Effect.provide(store.layer(file), { local: true }))

const file = () => join(mkdtempSync(join(tmpdir(), "assize-")), "store.sqlite")
const complete = (text: string, seed = 1) => LanguageModel.use((models) => models.complete(request(model, text, seed)))
const spent = Effect.gen(function* () {
  const [run] = yield* Runs.use((runs) => runs.list())
  return { ...(yield* CallLog.use((calls) => calls.spent(run!.id))) }
})
const outcomes = SqlClient.SqlClient.use((sql) => sql<{ outcome: string }>`SELECT outcome FROM calls ORDER BY id`).pipe(
  Effect.map((rows) => rows.map(({ outcome }) => outcome))
)

/** Lets time pass in steps: what is stored between two waits comes back from the event loop, not from the clock. */
const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds }), () => TestClock.adjust("1 second"), { discard: true })

const failure = (kind: ModelError["kind"]) => new ModelError({ kind, message: `failed: ${kind}` })

describe("LanguageModel", () => {
  it.effect("buys an answer once and has it from the store ever after, in other sessions too", () =>
    Effect.gen(function* () {
      const path = file()
      const { state, provider } = counting((n) => Effect.succeed(reply(`answer ${n}`)))
      const bought = yield* complete("a").pipe(withRun(provider, {}, path))
      assert.deepStrictEqual(bought, {
        ...reply("answer 0"),
        key: requestKey(request(model, "a")).key,
        reused: false,
        cost: 0.2,
        latencyMs: 0
      })
      const again = yield* complete("a").pipe(withRun(provider, {}, path))
      assert.deepStrictEqual(again, { ...bought, reused: true })
      assert.strictEqual((yield* complete("a", 2).pipe(withRun(provider, {}, path))).text, "answer 1")
      assert.strictEqual(state.calls, 2)
    })
  )

  it.effect("lets all who ask the same meanwhile share one purchase", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.delay(Effect.succeed(reply("same")), "1 second"))
      yield* Effect.gen(function* () {
        const asked = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 20 }, () => complete("a")),
            { concurrency: "unbounded" }
          )
        )
        yield* pass(2)
        const completions = yield* Fiber.join(asked)
        assert.strictEqual(state.calls, 1)
        assert.deepStrictEqual(
          completions.map(({ text }) => text),
          Array(20).fill("same")
        )
        assert.strictEqual(completions.filter(({ reused }) => !reused).length, 1)
        assert.deepStrictEqual(yield* spent, { calls: 1, tokens: 110, usd: 0.2 })
      }).pipe(withRun(provider))
    })
  )

  it.effect("hands a shared purchase over when the one who makes it is interrupted", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.delay(Effect.succeed(reply("same")), "1 second"))
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(complete("a"), { startImmediately: true })
        const second = yield* Effect.forkChild(complete("a"), { startImmediately: true })
        yield* TestClock.adjust("500 millis")
        yield* Fiber.interrupt(first)
        yield* pass(2)
        assert.strictEqual((yield* Fiber.join(second)).text, "same")
        assert.strictEqual(state.calls, 2)
        assert.deepStrictEqual(yield* outcomes, ["sent", "ok"])
      }).pipe(withRun(provider))
    })
  )

  it.effect("keeps to the model's concurrency", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.delay(Effect.succeed(reply("x")), "1 second"))
      yield* Effect.gen(function* () {
        const asked = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 12 }), (_, n) => complete(`${n}`), { concurrency: "unbounded" })
        )
        yield* pass(5)
        yield* Fiber.join(asked)
        assert.strictEqual(state.mostActive, 4)
      }).pipe(withRun(provider))
    })
  )

  it.effect("counts every request that was sent, notes what became of each, and stores no failure as an answer", () =>
    Effect.gen(function* () {
      const { provider } = counting((n) =>
        n === 0 ? failure("server-error") : n === 1 ? failure("timeout") : Effect.succeed(reply("x"))
      )
      yield* Effect.gen(function* () {
        const asked = yield* Effect.forkChild(complete("a"))
        yield* pass(60)
        yield* Fiber.join(asked)
        assert.deepStrictEqual(yield* outcomes, ["server-error", "timeout", "ok"])
        // A server that gave no answer in time may have worked and billed: what was reserved counts.
        const reserved = 8 + 1 + 10
        assert.deepStrictEqual(yield* spent, {
          calls: 3,
          tokens: 110 + reserved,
          usd: 0.2 + (9 * 1000 + 10 * 10_000) / 1e6
        })
        assert.strictEqual(yield* JudgementStore.use((judgements) => judgements.count), 1)
      }).pipe(withRun(provider))
    })
  )

  it.effect(
    "fails with the last failure after the retries while others are answered, and tries anew when asked again",
    () =>
      Effect.gen(function* () {
        let broken = true
        const { provider } = counting((_, { messages }) =>
          broken && messages[0]!.content === "a" ? failure("server-error") : Effect.succeed(reply("x"))
        )
        yield* Effect.gen(function* () {
          const asked = yield* Effect.forkChild(Effect.flip(complete("a")))
          yield* pass(3)
          yield* complete("b")
          yield* pass(120)
          const error = yield* Fiber.join(asked)
          assert.strictEqual(
            error._tag === "ModelError" ? error.message : "",
            "failed: server-error (after 6 attempts)"
          )
          assert.strictEqual(yield* JudgementStore.use((judgements) => judgements.count), 1)
          broken = false
          assert.strictEqual((yield* complete("a")).text, "x")
        }).pipe(withRun(provider))
      })
  )

  it.effect(
    "asks once more with a greater allowance for an answer that its allowance cut off, and finds both again",
    () =>
      Effect.gen(function* () {
        const path = file()
        const { state, provider } = counting((_, { model: { maxOutputTokens } }) =>
          Effect.succeed(maxOutputTokens === 10 ? { ...reply(""), finish: "length" } : reply(`with ${maxOutputTokens}`))
        )
        const bought = yield* complete("a").pipe(withRun(provider, {}, path))
        assert.strictEqual(bought.text, "with 40")
        assert.isTrue(bought.raised)
        assert.notStrictEqual(bought.key, requestKey(request(model, "a")).key)
        assert.strictEqual(state.calls, 2)
        assert.deepStrictEqual(yield* complete("a").pipe(withRun(provider, {}, path)), { ...bought, reused: true })
        assert.strictEqual(state.calls, 2)
      })
  )

  it.effect("raises an allowance once, to what is asked for, and only where there is one", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.succeed({ ...reply("cut"), finish: "length" }))
      const ask = (config: Parameters<typeof openaiModel>[0]) =>
        LanguageModel.use((models) => models.complete(request(openaiModel(config))))
      yield* Effect.gen(function* () {
        const twice = yield* ask({ maxOutputTokens: 10, raiseOutputTokensTo: 12 })
        assert.isTrue(twice.raised)
        assert.strictEqual(state.calls, 2)
        assert.isUndefined((yield* ask({})).raised)
        assert.isUndefined((yield* ask({ maxOutputTokens: 20, raiseOutputTokensTo: 20 })).raised)
        assert.strictEqual(state.calls, 4)
      }).pipe(withRun(provider))
    })
  )

  it.effect("makes do with the first answer where the model cannot write more, and counts the second call", () =>
    Effect.gen(function* () {
      const { provider } = counting((n) =>
        n === 0 ? Effect.succeed({ ...reply("cut"), finish: "length" }) : failure("bad-request")
      )
      yield* Effect.gen(function* () {
        const cut = yield* complete("a")
        assert.strictEqual(cut.text, "cut")
        assert.isUndefined(cut.raised)
        assert.deepStrictEqual(yield* outcomes, ["truncated", "bad-request"])
      }).pipe(withRun(provider))
    })
  )

  it.effect("checks the budget before it asks with a greater allowance", () =>
    Effect.gen(function* () {
      const { provider } = counting(() => Effect.succeed({ ...reply(""), finish: "length" }))
      const error = yield* Effect.flip(complete("a")).pipe(withRun(provider, { calls: 1 }))
      assert.strictEqual(error._tag, "BudgetExceeded")
    })
  )

  it.effect("dies of a damaged answer rather than give it or buy it again", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.succeed(reply("x")))
      yield* Effect.gen(function* () {
        yield* complete("a")
        yield* SqlClient.SqlClient.use((sql) => sql`UPDATE judgements SET text = 'y'`)
        const exit = yield* Effect.exit(complete("a"))
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof CorruptStore)
        assert.strictEqual(state.calls, 1)
      }).pipe(withRun(provider))
    })
  )

  it.effect("keeps half a character pair in a way that comes back as it was given", () =>
    Effect.gen(function* () {
      const { provider } = counting(() => Effect.succeed(reply("a\ud83d")))
      yield* Effect.gen(function* () {
        const first = yield* complete("a")
        assert.strictEqual(first.text, "a\ufffd")
        assert.strictEqual((yield* complete("a")).text, first.text)
      }).pipe(withRun(provider))
    })
  )
})

describe("Preflight", () => {
  it.effect("asks once, counts the call, and keeps no answer", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.succeed(reply("OK")))
      yield* Effect.gen(function* () {
        const check = live.Preflight.use((preflight) => preflight.check(model))
        assert.strictEqual((yield* check).servedModel, "tiny-1")
        yield* check
        assert.strictEqual(state.calls, 2)
        assert.strictEqual((yield* spent).calls, 2)
        assert.strictEqual(yield* JudgementStore.use((judgements) => judgements.count), 0)
      }).pipe(withRun(provider))
    })
  )
})

describe("budget", () => {
  const ask = (n: number) =>
    Effect.forEach(Array.from({ length: n }), (_, index) => Effect.exit(complete(`${index}`)), {
      concurrency: "unbounded"
    })
  /** Within what was reserved for it: 9 tokens in and 10 out, $0.109. */
  const short = { ...reply("x"), usage: { input: 5, cachedInput: 0, output: 10, reasoning: 0 } }
  const slow = () => counting(() => Effect.delay(Effect.succeed(short), "1 second"))

  it.effect.each([
    [{ calls: 10 }, "calls", "10 of the budget of 10 calls are spent", 10],
    [{ tokens: 100 }, "tokens", "90 of the budget of 100 tokens are spent, and the next call may take 19", 6],
    [{ usd: 0.6 }, "usd", "$0.5250 of the budget of $0.6000 is spent, and the next call may cost $0.1090", 5]
  ] as const)("of %o is used up and never overshot under concurrency", ([budget, limit, message, sent]) =>
    Effect.gen(function* () {
      const { state, provider } = slow()
      yield* Effect.gen(function* () {
        const asked = yield* Effect.forkChild(ask(40))
        yield* pass(30)
        const exits = yield* Fiber.join(asked)
        assert.strictEqual(state.calls, sent)
        const failures = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
        assert.strictEqual(failures.length, 40 - sent)
        const last = failures.at(-1) as { limit: string; message: string }
        assert.strictEqual(last.limit, limit)
        assert.strictEqual(
          last.message,
          `${message}. To go on, raise budget.${limit} in campaign.yaml and run the same command again`
        )
      }).pipe(withRun(provider, budget))
    })
  )

  it.effect("goes on from what earlier sessions have spent, calls cut off in flight included", () =>
    Effect.gen(function* () {
      const path = file()
      const { state, provider } = slow()
      yield* Effect.gen(function* () {
        const cut = yield* Effect.forkChild(ask(2))
        yield* TestClock.adjust("500 millis")
        yield* Fiber.interrupt(cut)
        const asked = yield* Effect.forkChild(ask(3))
        yield* pass(5)
        yield* Fiber.join(asked)
        assert.strictEqual((yield* RunBudget.use((budget) => budget.used)).calls, 5)
      }).pipe(withRun(provider, { calls: 6 }, path))
      const error = yield* Effect.gen(function* () {
        const used = yield* RunBudget.use((budget) => budget.used)
        assert.strictEqual(used.calls, 5)
        assert.strictEqual(used.tokens, 3 * 15 + 2 * 19)
        assert.deepStrictEqual(used.reserved, { calls: 0, tokens: 0, usd: 0 })
        const one = yield* Effect.forkChild(complete("new"))
        yield* pass(2)
        yield* Fiber.join(one)
        return yield* Effect.flip(complete("newer"))
      }).pipe(withRun(provider, { calls: 6 }, path))
      assert.strictEqual(error._tag, "BudgetExceeded")
      assert.strictEqual(state.calls, 6)
      // Answers that are in the store are free.
      const again = yield* complete("new").pipe(withRun(provider, { calls: 6 }, path))
      assert.isTrue(again.reused)
      const more = yield* Effect.gen(function* () {
        const asked = yield* Effect.forkChild(complete("newer"))
        yield* pass(2)
        return yield* Fiber.join(asked)
      }).pipe(withRun(provider, { calls: 7 }, path))
      assert.isFalse(more.reused)
    })
  )

  it.effect("of time counts the running time of all sessions, not the time between them", () =>
    Effect.gen(function* () {
      const path = file()
      const { provider } = counting(() => Effect.succeed(reply("x")))
      const session = withRun(provider, { wallClock: "10 minutes" }, path)
      yield* Effect.andThen(complete("1"), TestClock.adjust("6 minutes")).pipe(session)
      yield* TestClock.adjust("5 hours")
      yield* Effect.gen(function* () {
        yield* complete("2")
        yield* TestClock.adjust("3 minutes")
        yield* complete("3")
        yield* TestClock.adjust("2 minutes")
        const error = yield* Effect.flip(complete("4"))
        assert.strictEqual(
          error.message,
          "the run has been running for 11 minutes, the budget is 10 minutes. To go on, raise budget.wallClock in campaign.yaml and run the same command again"
        )
      }).pipe(session)
    })
  )

  it.effect("of time does not count pauses, in this session or the next", () =>
    Effect.gen(function* () {
      const path = file()
      const { provider } = counting(() => Effect.succeed(reply("x")))
      let now = 0
      const gate = new CallGate(() => now)
      yield* Effect.gen(function* () {
        yield* complete("1")
        gate.pause()
        yield* TestClock.adjust("2 hours")
        now += 7_200_000
        gate.resume()
        yield* TestClock.adjust("4 minutes")
        now += 240_000
        assert.strictEqual((yield* RunBudget.use((budget) => budget.used)).timeMs, 240_000)
        yield* complete("2")
      }).pipe(withRun(provider, { wallClock: "5 minutes" }, path), Effect.provideService(CurrentGate, gate))
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* RunBudget.use((budget) => budget.used)).timeMs, 240_000)
        yield* complete("3")
      }).pipe(withRun(provider, { wallClock: "5 minutes" }, path))
    })
  )

  it.effect("in money refuses a call that nobody knows the price of", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.succeed(reply("x")))
      const unpriced = LanguageModel.use((models) => models.complete(request(openaiModel())))
      const error = yield* Effect.flip(unpriced).pipe(withRun(provider, { usd: 5 }))
      assert.strictEqual(error._tag === "BudgetExceeded" ? error.limit : "", "usd")
      assert.strictEqual(state.calls, 0)
    })
  )

  it.effect("counts a call for which there was no key as not sent", () =>
    Effect.gen(function* () {
      const { provider } = counting(() => failure("no-key"))
      yield* Effect.gen(function* () {
        yield* Effect.flip(complete("a"))
        assert.strictEqual((yield* RunBudget.use((budget) => budget.used)).calls, 0)
        assert.strictEqual((yield* spent).calls, 0)
      }).pipe(withRun(provider, { calls: 1 }))
    })
  )
})

describe("makeUnmetered", () => {
  it.effect("asks without store or budget", () =>
    Effect.gen(function* () {
      const { state, provider } = counting(() => Effect.succeed(reply("x")))
      const { complete } = makeUnmetered(both(provider))
      assert.isFalse((yield* complete(request(model))).reused)
      assert.strictEqual((yield* complete(request(model))).cost, 0.2)
      assert.strictEqual(state.calls, 2)
    })
  )
})
