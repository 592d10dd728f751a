import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { checkPrices, costOf, priceOf } from "../../src/model/prices.ts"
import { chargeAtMost, countTokens, inputTokensAtMost } from "../../src/model/tokens.ts"
import { openaiModel, request } from "./fixtures.ts"

const embedded = { provider: "embedded", model: "lexical-1" } as const

describe("costOf", () => {
  const price = { input: 2, cachedInput: 0.5, output: 8 }

  it("prices cached input as a part of the input, and reasoning as a part of the output", () => {
    const usage = { input: 1_000_000, cachedInput: 400_000, output: 100_000, reasoning: 90_000 }
    assert.strictEqual(costOf(usage, price), 1.2 + 0.2 + 0.8)
    assert.strictEqual(costOf(usage, { input: 2, output: 8 }), 2 + 0.8)
  })

  it("is unknown, never 0, where the price or the usage is unknown", () => {
    assert.isNull(costOf(null, price))
    assert.isNull(costOf({ input: 1, cachedInput: 0, output: 1, reasoning: 0 }, null))
  })

  it("is 0 for a model that costs nothing, whatever it reports", () => {
    assert.strictEqual(costOf(null, priceOf(embedded)), 0)
  })

  it("never exceeds what was reserved, as long as the answer keeps to its limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), fc.nat(100), (text, output) => {
        const asked = request(openaiModel({ maxOutputTokens: 100, price }), text)
        const usage = { input: Math.ceil(text.length / 3.5), cachedInput: 0, output, reasoning: 0 }
        assert.isAtMost(costOf(usage, price)!, chargeAtMost(asked, price).usd!)
      })
    )
  })
})

describe("priceOf", () => {
  it("prefers the campaign's price, and uses the listed one at OpenAI's own address only", () => {
    const own = { input: 9, output: 9 }
    assert.deepStrictEqual(priceOf({ provider: "openai", model: "gpt-4.1", price: own }), own)
    assert.deepStrictEqual(priceOf({ provider: "openai", model: "gpt-4.1" }), { input: 2, cachedInput: 0.5, output: 8 })
    assert.deepStrictEqual(priceOf({ provider: "openai", model: "gpt-4.1-2025-04-14" }), {
      input: 2,
      cachedInput: 0.5,
      output: 8
    })
    assert.isNull(priceOf(openaiModel({ model: "gpt-4.1" })))
    assert.isNull(priceOf({ provider: "openai", model: "gpt-99" }))
  })
})

describe("checkPrices", () => {
  it("refuses a budget in money for a model of unknown price, and no other budget", () => {
    const models = { judge: openaiModel(), reflection: embedded }
    assert.deepStrictEqual(checkPrices(models, { calls: 10 }), [])
    const [problem, ...more] = checkPrices(models, { usd: 1 }, "campaign.yaml")
    assert.deepStrictEqual(more, [])
    assert.strictEqual(problem?.field, "models.judge.price")
    assert.strictEqual(
      problem?.what,
      "a budget in money needs prices: the price of tiny-1 at http://127.0.0.1:1/v1 is not known"
    )
  })
})

describe("tokens", () => {
  it("estimates at least what an exact count gives, for English and for Chinese", async () => {
    for (const text of [
      "The patient was advised to return if the fever persists beyond 48 hours. ".repeat(20),
      "患者主诉头痛三天，无发热。".repeat(20)
    ]) {
      assert.isAtLeast(inputTokensAtMost([{ role: "user", content: text }]), await countTokens(text))
    }
  })

  it("counts text that looks like a special token", async () => {
    assert.isAbove(await countTokens("<|endoftext|>"), 0)
  })
})
