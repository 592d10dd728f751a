import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { Budget } from "../../src/domain/Campaign.ts"
import { LanguageModel } from "../../src/model/LanguageModel.ts"
import * as live from "../../src/model/live.ts"
import type { Provider } from "../../src/model/Provider.ts"
import { costOf } from "../../src/model/prices.ts"
import { chargeAtMost } from "../../src/model/tokens.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { Runs } from "../../src/store/Runs.ts"
import * as store from "../../src/store/store.ts"
import { newRun } from "../store/fixtures.ts"
import { both, openaiModel, reply, request } from "./fixtures.ts"

const concurrency = 32
const asked = 80

interface Case {
  readonly price: { readonly input: number; readonly output: number }
  /** Of what each call may cost, for the whole run. */
  readonly share: number
  readonly limit: "usd" | "tokens" | "calls"
  readonly latencies: ReadonlyArray<number>
  /** Tokens written, of at most 100 that were asked for. */
  readonly outputs: ReadonlyArray<number>
}

const cases = (longest: number): fc.Arbitrary<Case> =>
  fc.record({
    price: fc.record({
      input: fc.double({ min: 0.001, max: 1000, noNaN: true }),
      output: fc.double({ min: 0.001, max: 1000, noNaN: true })
    }),
    share: fc.double({ min: 0.02, max: 0.9, noNaN: true }),
    limit: fc.constantFrom("usd", "tokens", "calls"),
    latencies: fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: asked, maxLength: asked }),
    outputs: fc.array(fc.integer({ min: 0, max: longest }), { minLength: asked, maxLength: asked })
  })

/** Asks for everything at once; gives what was spent, the limit, and by how much each answer went over its bound. */
const spend = ({ latencies, limit, outputs, price, share }: Case) =>
  Effect.gen(function* () {
    const model = openaiModel({ concurrency, price, maxOutputTokens: 100 })
    const ask = (n: number) => request(model, `Note ${n}`)
    const bound = chargeAtMost(ask(10), price)
    const limits = {
      usd: Math.max(bound.usd! * asked * share, 1e-6),
      tokens: Math.ceil(bound.tokens * asked * share),
      calls: Math.ceil(asked * share)
    }
    const budget: Budget = { [limit]: limits[limit] }
    const over: Array<number> = []
    let active = 0
    let most = 0
    const provider: Provider = ({ messages }) =>
      Effect.suspend(() => {
        const n = Number(messages[0]!.content.slice(5))
        const usage = { input: 8, cachedInput: 0, output: outputs[n]!, reasoning: 0 }
        const own = chargeAtMost(ask(n), price)
        const excess =
          limit === "usd" ? costOf(usage, price)! - own.usd! : limit === "tokens" ? 8 + outputs[n]! - own.tokens : 0
        active++
        most = Math.max(most, active)
        return Effect.delay(Effect.succeed({ ...reply("x"), usage }), latencies[n]!).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              active--
              over.push(Math.max(0, excess))
            })
          )
        )
      })
    const { id } = yield* Runs.use((runs) => runs.create(newRun))
    const layer = live.layer({
      run: id,
      file: "campaign.yaml",
      budget,
      models: { judge: model, reflection: model },
      providers: both(provider)
    })
    return yield* Effect.gen(function* () {
      const models = yield* LanguageModel
      const all = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: asked }), (_, n) => Effect.exit(models.complete(ask(n))), {
          concurrency: "unbounded"
        })
      )
      for (let second = 0; second < 400 && all.pollUnsafe() === undefined; second++) yield* TestClock.adjust("1 second")
      const exits = yield* Fiber.join(all)
      const spent = yield* CallLog.use((calls) => calls.spent(id))
      const bought = exits.filter(({ _tag }) => _tag === "Success").length
      return { spent: spent[limit], limit: limits[limit], over, most, bought }
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.provide(store.layer(":memory:"), { local: true }))

const tolerance = (limit: number) => 1e-9 + limit * 1e-12

describe("a budget, with 32 calls in flight of any length and price", () => {
  it.effect("is never overshot where answers keep to their limit", () =>
    Effect.forEach(
      fc.sample(cases(100), { numRuns: 12, seed: 3 }),
      Effect.fnUntraced(function* (one) {
        const { limit, most, spent } = yield* spend(one)
        assert.isAtMost(most, concurrency)
        assert.isAtMost(spent, limit + tolerance(limit), JSON.stringify(one))
      })
    )
  )

  it.effect("is overshot by no more than what the calls in flight went over their limit", () =>
    Effect.forEach(
      fc.sample(cases(2000), { numRuns: 12, seed: 4 }),
      Effect.fnUntraced(function* (one) {
        const { bought, limit, over, spent } = yield* spend(one)
        const worst = over
          .toSorted((a, b) => b - a)
          .slice(0, concurrency)
          .reduce((sum, excess) => sum + excess, 0)
        assert.isAbove(bought, 0)
        assert.isAtMost(spent, limit + worst + tolerance(limit), JSON.stringify(one))
      })
    )
  )
})
