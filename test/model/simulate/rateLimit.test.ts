import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { goDuration, makeLimiter, parseRateLimit, type RetryForm } from "../../../src/model/simulate/rateLimit.ts"

const start = Date.UTC(2026, 0, 1)
const limiter = (text: string, form: RetryForm = "alternate") =>
  makeLimiter(Result.getOrThrow(parseRateLimit(text)), form)

describe("a rate limit", () => {
  it("reads requests, tokens and bursts", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseRateLimit("600/min, 60000t/min,burst=20,burst=500t")), {
      requests: { amount: 600, perMs: 60_000, burst: 20 },
      tokens: { amount: 60_000, perMs: 60_000, burst: 500 }
    })
    assert.deepStrictEqual(Result.getOrThrow(parseRateLimit("0.5/s")), {
      requests: { amount: 0.5, perMs: 1000, burst: 1 }
    })
  })

  it("is refused with what was found", () => {
    for (const text of [
      "",
      "10",
      "10/day",
      "0/s",
      "-1/s",
      "x/s",
      "burst=5",
      "burst=0,10/s",
      "10/s,20/s",
      "10/s,burst=5t"
    ]) {
      const result = parseRateLimit(text)
      assert.isTrue(Result.isFailure(result), text)
      if (Result.isFailure(result)) assert.isNotEmpty(result.failure.found)
    }
  })

  it("lets a burst in, then as many as the rate gives", () => {
    const admit = limiter("10/s,burst=5")
    const at = (ms: number) => admit(0, start + ms).refused === undefined
    assert.deepStrictEqual([0, 0, 0, 0, 0, 0, 99, 100, 101, 200].map(at), [
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true
    ])
    // However long it waits, it saves no more than a burst.
    assert.deepStrictEqual(
      Array.from({ length: 7 }, () => at(60_000)),
      [true, true, true, true, true, false, false]
    )
  })

  it.prop(
    "never lets in more than burst and rate allow, and always as many",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })))],
    ([gaps]) => {
      const admit = limiter("5/s,burst=3")
      let now = start
      let allowed = 3
      for (const gap of gaps) {
        now += gap
        allowed = Math.min(3, allowed + (gap * 5) / 1000)
        const admitted = admit(0, now).refused === undefined
        if (admitted !== allowed + 1e-6 >= 1) return false
        if (admitted) allowed--
      }
      return true
    }
  )

  it("counts tokens too, and says which of the two ran out", () => {
    const admit = limiter("100/s,6000t/min,burst=1000t")
    assert.isUndefined(admit(900, start).refused)
    const { headers, refused } = admit(600, start)
    assert.strictEqual(refused?.status, 429)
    assert.strictEqual(refused?.type, "tokens")
    assert.strictEqual(refused?.code, "rate_limit_exceeded")
    assert.include(refused?.message, "Please try again in 5s")
    assert.strictEqual(headers["retry-after"], "5")
    assert.isUndefined(admit(600, start + 5000).refused)
    const large = admit(1001, start + 60_000)
    assert.include(large.refused?.message, "Request too large")
    assert.isUndefined(large.headers["retry-after"])
  })

  it("sends OpenAI's headers with every answer", () => {
    const admit = limiter("600/min,60000t/min")
    assert.deepStrictEqual(admit(1500, start), {
      refused: undefined,
      headers: {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "599",
        "x-ratelimit-reset-requests": "100ms",
        "x-ratelimit-limit-tokens": "60000",
        "x-ratelimit-remaining-tokens": "58500",
        "x-ratelimit-reset-tokens": "1.5s"
      }
    })
  })

  it("says when to come back in each of the forms, and never too early", () => {
    const advice = (form: RetryForm, refusals: number) => {
      const admit = limiter("1/s,burst=1", form)
      admit(0, start + 300)
      return Array.from({ length: refusals }, () => admit(0, start + 550).headers)
    }
    const date = new Date(start + 2000).toUTCString()
    assert.deepStrictEqual(
      advice("alternate", 3).map((headers) => headers["retry-after"]),
      ["1", date, "1"]
    )
    assert.deepStrictEqual(
      advice("date", 2).map((headers) => headers["retry-after"]),
      [date, date]
    )
    assert.strictEqual(advice("ms", 1)[0]!["retry-after-ms"], "750")
    assert.strictEqual(advice("seconds", 2)[1]!["retry-after"], "1")
    assert.isUndefined(advice("none", 1)[0]!["retry-after"])
  })

  it("writes times as Go does", () => {
    assert.deepStrictEqual([0, 0.4, 120, 999.5, 1000, 1500, 60_000, 360_000, 61_250].map(goDuration), [
      "0ms",
      "1ms",
      "120ms",
      "1000ms",
      "1s",
      "1.5s",
      "1m0s",
      "6m0s",
      "1m1.25s"
    ])
  })
})
