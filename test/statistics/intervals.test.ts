import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { betaCdf, betaQuantile } from "../../src/statistics/beta.ts"
import { clopperPearson } from "../../src/statistics/clopperPearson.ts"
import { chiSquareTail } from "../../src/statistics/gamma.ts"
import { normalQuantile, zOf } from "../../src/statistics/normal.ts"
import { wilson, z95 } from "../../src/statistics/wilson.ts"
import { winsorisedMean } from "../../src/statistics/winsorisedMean.ts"

const share = fc.integer({ min: 1, max: 400 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
const confidence = fc.double({ min: 0.5, max: 0.999, noNaN: true })

describe("intervals of a proportion", () => {
  it("contain the share, lie in [0, 1] and mirror when successes and failures change places", () => {
    fc.assert(
      fc.property(share, confidence, ([k, n], level) => {
        const pairs = [
          [wilson(k, n, zOf(level))!, wilson(n - k, n, zOf(level))!],
          [clopperPearson(k, n, level)!, clopperPearson(n - k, n, level)!]
        ] as const
        for (const [[low, high], [mirroredLow, mirroredHigh]] of pairs) {
          assert.isTrue(
            0 <= low && low <= k / n + 1e-12 && k / n <= high + 1e-12 && high <= 1,
            `${low} ${k / n} ${high}`
          )
          assert.closeTo(low, 1 - mirroredHigh, 1e-12)
          assert.closeTo(high, 1 - mirroredLow, 1e-12)
        }
      })
    )
  })

  it("widen with the confidence", () => {
    const width = (interval: readonly [number, number] | null) => interval![1] - interval![0]
    fc.assert(
      fc.property(share, confidence, ([k, n], level) => {
        const wider = (1 + level) / 2
        assert.isAbove(width(clopperPearson(k, n, wider)), width(clopperPearson(k, n, level)))
        assert.isAbove(width(wilson(k, n, zOf(wider))), width(wilson(k, n, zOf(level))))
      })
    )
  })

  it("refuse what is no count and what is no confidence", () => {
    assert.throws(() => clopperPearson(3, 2), RangeError)
    assert.throws(() => clopperPearson(0.5, 2), RangeError)
    assert.throws(() => clopperPearson(1, 2, 95), RangeError)
    assert.throws(() => zOf(1), RangeError)
    assert.isNull(clopperPearson(0, 0))
    assert.isNull(wilson(0, 0))
  })
})

describe("distributions", () => {
  it("has the usual z and the tails of the normal distribution", () => {
    assert.closeTo(zOf(0.95), z95, 5e-16)
    assert.strictEqual(normalQuantile(0.5), 0)
    assert.strictEqual(normalQuantile(0), Number.NEGATIVE_INFINITY)
    assert.isNaN(normalQuantile(1.5))
    assert.closeTo(normalQuantile(1e-300), -37.0471, 1e-4)
  })

  it("inverts the normal tail: the two-sided p of the z of a confidence is what the confidence leaves", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 0.999999, noNaN: true }), (level) => {
        assert.closeTo(chiSquareTail(zOf(level) ** 2, 1), 1 - level, 1e-12)
      })
    )
  })

  it("has the closed forms of chi-square with 2 and 4 degrees of freedom", () => {
    for (const x of [1e-9, 0.1, 1, 2.9, 3.1, 10, 60, 700]) {
      const tail = Math.exp(-x / 2)
      assert.closeTo(chiSquareTail(x, 2) / tail, 1, 1e-13)
      assert.closeTo(chiSquareTail(x, 4) / (tail * (1 + x / 2)), 1, 1e-13)
    }
    assert.strictEqual(chiSquareTail(0, 3), 1)
    assert.strictEqual(chiSquareTail(Number.POSITIVE_INFINITY, 3), 0)
  })

  it("inverts the beta distribution, also with a large parameter beside a small one", () => {
    const parameter = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000_000 }))
    fc.assert(
      fc.property(parameter, parameter, fc.double({ min: 1e-4, max: 0.9999, noNaN: true }), (a, b, p) => {
        const x = betaQuantile(p, a, b)
        assert.isTrue(x > 0 && x < 1)
        // A step of one unit in the last place of x near 1 moves p by more than rounding.
        assert.closeTo(betaCdf(x, a, b), p, 1e-8)
      })
    )
  })
})

describe("winsorised mean", () => {
  it("lies within the values, and moving an extreme further out changes nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 8, maxLength: 15 }), (scores) => {
        const mean = winsorisedMean(scores)!
        assert.isTrue(mean >= Math.min(...scores) && mean <= Math.max(...scores))
        const sorted = scores.toSorted((a, b) => a - b)
        assert.strictEqual(winsorisedMean([-1000, ...sorted.slice(1)]), winsorisedMean(sorted))
      })
    )
  })

  it("refuses to replace half the values or more at each end", () =>
    assert.throws(() => winsorisedMean([1, 2], 0.5), RangeError))
})
