import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { auc, countPairs, pairedDiscrimination, pairOutcomes } from "../../src/measure/discrimination.ts"
import { isFlagged, operatingPoint } from "../../src/measure/operatingPoint.ts"
import { relabelling, score } from "./scores.ts"

const pairs = fc.array(fc.tuple(score, score), { maxLength: 60 })

describe("paired discrimination and AUC", () => {
  it("are unchanged by a strictly increasing relabelling of the scores", () => {
    fc.assert(
      fc.property(pairs, relabelling, (all, relabel) => {
        const [flawed, clean] = [all.map(([e]) => e), all.map(([, c]) => c)]
        const [e, c] = [flawed.map(relabel), clean.map(relabel)]
        assert.deepStrictEqual(countPairs(pairOutcomes(e, c)), countPairs(pairOutcomes(flawed, clean)))
        assert.strictEqual(auc(e, c), auc(flawed, clean))
      })
    )
  })

  it("turn round with the sides", () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const [flawed, clean] = [all.map(([e]) => e), all.map(([, c]) => c)]
        const forth = countPairs(pairOutcomes(flawed, clean))
        const back = countPairs(pairOutcomes(clean, flawed))
        assert.deepStrictEqual(back, { ...forth, wins: forth.losses, losses: forth.wins })
        const [value, area] = [pairedDiscrimination(forth), auc(flawed, clean)]
        if (value !== null) assert.closeTo(pairedDiscrimination(back)!, 1 - value, 1e-12)
        if (area !== null) assert.closeTo(auc(clean, flawed)!, 1 - area, 1e-12)
      })
    )
  })

  it("compare after rounding to 9 decimals", () => {
    assert.deepStrictEqual(pairOutcomes([0.1 + 0.2, 1, Number.NaN], [0.3, 1 + 1e-8, 1]), [0.5, 1, Number.NaN])
    assert.strictEqual(auc([0.1 + 0.2], [0.3]), 0.5)
  })

  it("tell scores apart that are too large to be multiplied", () => {
    assert.deepStrictEqual(pairOutcomes([1e308, 1.5e308, -1.5e308], [1.5e308, 1e308, -1e308]), [1, 0, 1])
    assert.deepStrictEqual([auc([1e308], [1.5e308]), auc([2 ** 53], [2 ** 53 + 2])], [1, 1])
    for (const greatest of [9e6, 9.1e6, 1e300, 1.797e308]) {
      const point = operatingPoint([greatest], [greatest], 1)!
      assert.isTrue(Number.isFinite(point.threshold) && isFlagged(greatest, point.threshold), String(greatest))
      assert.deepStrictEqual([point.detected, point.falseAlarms], [1, 1])
    }
  })

  it("refuse sides of unequal length", () => assert.throws(() => pairOutcomes([1], [1, 2]), RangeError))
})
