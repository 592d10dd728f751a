import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { benjaminiHochberg, holm } from "../../src/statistics/adjust.ts"

const family = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })

describe("adjusted p-values", () => {
  it("are at most 1, at least the raw ones, and in the same order", () => {
    fc.assert(
      fc.property(family, (p) => {
        for (const adjust of [holm, benjaminiHochberg]) {
          const adjusted = adjust(p)
          adjusted.forEach((value, i) => {
            assert.isTrue(value >= p[i]! && value <= 1)
            p.forEach((other, j) => {
              if (other >= p[i]!) assert.isAtLeast(adjusted[j]!, value)
            })
          })
        }
      })
    )
  })

  it("never make Holm smaller than Benjamini–Hochberg, nor depend on the order of the family", () => {
    fc.assert(
      fc.property(family, (p) => {
        const [strict, mild] = [holm(p), benjaminiHochberg(p)]
        strict.forEach((value, i) => {
          assert.isAtLeast(value, mild[i]!)
        })
        assert.deepStrictEqual(holm(p.toReversed()).toReversed(), strict)
        assert.deepStrictEqual(benjaminiHochberg(p.toReversed()).toReversed(), mild)
      })
    )
  })

  it("refuse what is no p-value", () => {
    assert.throws(() => holm([0.1, Number.NaN]), RangeError)
    assert.throws(() => benjaminiHochberg([1.1]), RangeError)
  })
})
