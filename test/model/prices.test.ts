import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { batchPrice, checkPrices, costOf, costOfReply, priceOf } from "../../src/model/prices.ts"
import { listedPrices, pricesAsOf, pricesSource } from "../../src/model/priceTable.ts"
import { chargeAtMost, inputTokensAtMost, tokenCounter, unbroken } from "../../src/model/tokens.ts"
import { openaiModel, reply, request } from "./fixtures.ts"

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

describe("the bundled list", () => {
  it("is dated, names its source, and has prices that are prices", () => {
    assert.match(pricesAsOf, /^\d{4}-\d{2}-\d{2}$/)
    assert.match(pricesSource, /^https:\/\//)
    for (const [name, price] of Object.entries(listedPrices)) {
      assert.isAbove(price.input, 0, name)
      assert.isBelow(price.cachedInput ?? 0, price.input, name)
      assert.isAbove(price.output, price.input, name)
    }
  })

  it("does not take a name of JavaScript's for a model's", () => {
    assert.isNull(priceOf({ provider: "openai", model: "constructor" }))
  })
})

describe("a batch", () => {
  it("costs half where the price does not say otherwise", () => {
    const usage = { input: 1_000_000, cachedInput: 400_000, output: 100_000, reasoning: 0 }
    const price = { input: 2, cachedInput: 0.5, output: 8 }
    assert.strictEqual(costOf(usage, batchPrice(price)), 1.1)
    assert.strictEqual(costOf(usage, batchPrice({ ...price, batch: 0.25 })), 0.55)
  })
})

describe("what a server says that it charged", () => {
  const stated = { ...reply("x"), chargedUsd: 0.5 }
  const at = (baseUrl: string) => openaiModel({ baseUrl, price: { input: 1, output: 1 } })
  it("counts at OpenRouter's address, and nowhere else", () => {
    const listed = (100 + 10) / 1e6
    const cost = (baseUrl: string) => costOfReply(stated, at(baseUrl), priceOf(at(baseUrl)))
    assert.strictEqual(cost("https://openrouter.ai/api/v1"), 0.5)
    assert.strictEqual(cost("https://eu.openrouter.ai/api/v1"), 0.5)
    assert.strictEqual(cost("https://openrouter.ai.example.com/api/v1"), listed)
    assert.strictEqual(cost("https://notopenrouter.ai/api/v1"), listed)
    assert.strictEqual(cost("http://127.0.0.1:1/openrouter.ai/v1"), listed)
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
    const count = await tokenCounter()
    for (const text of [
      "The patient was advised to return if the fever persists beyond 48 hours. ".repeat(20),
      "患者主诉头痛三天，无发热。".repeat(20)
    ]) {
      assert.isAtLeast(inputTokensAtMost([{ role: "user", content: text }]), count(text))
    }
  })

  it("counts text that looks like a special token", async () => {
    assert.isAbove((await tokenCounter())("<|endoftext|>"), 0)
  })

  it("cuts no ordinary text, and any other without losing or halving a character", () => {
    const ordinary = "The patient was advised to return.\n\n".repeat(100)
    assert.deepStrictEqual(unbroken(ordinary), [ordinary])
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 400 }), (text, times) => {
        const long = text.repeat(times)
        const pieces = unbroken(long)
        assert.strictEqual(pieces.join(""), long)
        assert.isTrue(pieces.every((piece) => piece !== "" && piece.isWellFormed()))
        for (const piece of pieces) assert.notMatch(piece, /[^\u0000-\u0020]{300}|[\u0000-\u0020]{300}/)
      })
    )
  })

  it("counts a hundred thousand letters or spaces in a row in pieces that a tokenizer takes in its stride", async () => {
    const count = await tokenCounter()
    for (const text of ["x".repeat(200_000), " ".repeat(200_000), "患".repeat(100_000), "🩺".repeat(50_000)]) {
      assert.isAtMost(Math.max(...unbroken(text).map(({ length }) => length)), 257)
      assert.isAbove(count(text), 100)
    }
  })
})
