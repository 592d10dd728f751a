import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { chargedOf, usageOf } from "../../src/model/openaiUsage.ts"

describe("usageOf", () => {
  it("is none where input or output is not counted, or cannot be a count", () => {
    for (const bad of [undefined, null, "12", -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 1e10]) {
      assert.isNull(usageOf({ prompt_tokens: bad, completion_tokens: 5 }).usage)
      assert.isNull(usageOf({ prompt_tokens: 5, completion_tokens: bad }).usage)
    }
    for (const none of [null, undefined, [], "usage", 7])
      assert.deepStrictEqual(usageOf(none), { usage: null, odd: false })
  })

  it("keeps parts within their whole, whatever a server says", () => {
    const anything = fc.oneof(fc.nat(3000), fc.double(), fc.constantFrom(null, "7", -3, 1e308), fc.constant(undefined))
    const details = fc.record({
      cached_tokens: anything,
      cache_write_tokens: anything,
      reasoning_tokens: anything,
      cache_read_input_tokens: anything
    })
    const body = fc.record(
      {
        prompt_tokens: fc.nat(2000),
        input_tokens: fc.nat(2000),
        completion_tokens: fc.nat(2000),
        output_tokens: fc.nat(2000),
        total_tokens: anything,
        prompt_tokens_details: fc.option(details),
        input_tokens_details: fc.option(details),
        completion_tokens_details: fc.option(details),
        output_tokens_details: fc.option(details),
        prompt_cache_hit_tokens: anything,
        cache_read_input_tokens: anything,
        cache_creation_input_tokens: anything
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(body, (one) => {
        const { usage } = usageOf(one)
        if (usage === null) return
        assert.isTrue(Object.values(usage).every((value) => Number.isSafeInteger(value) && Number(value) >= 0))
        assert.isAtMost(usage.cachedInput + (usage.cacheWrite ?? 0), usage.input)
        assert.isAtMost(usage.reasoning, usage.output)
      })
    )
  })

  it("does not take a total that fits nothing for reasoning", () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 99 }
    const { usage: counted } = usageOf({ ...usage, completion_tokens_details: { reasoning_tokens: 3 } })
    assert.deepStrictEqual(counted, { input: 10, cachedInput: 0, output: 5, reasoning: 3 })
  })
})

describe("chargedOf", () => {
  it("is unknown unless it is an amount, and with a key of one's own unless the maker's is known too", () => {
    for (const bad of [undefined, null, "0.1", -0.1, Number.NaN, 1e308, { total_cost: 1 }])
      assert.deepStrictEqual(chargedOf({ cost: bad }), {})
    assert.deepStrictEqual(chargedOf({ cost: 0 }), { chargedUsd: 0 })
    assert.deepStrictEqual(chargedOf({ cost: 0.1, is_byok: true, cost_details: { upstream_inference_cost: null } }), {})
    assert.deepStrictEqual(chargedOf({ cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } }), {
      chargedUsd: 0.75
    })
  })
})
