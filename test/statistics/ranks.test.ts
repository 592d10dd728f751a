import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cochranQ } from "../../src/statistics/cochranQ.ts"
import { kendallTauB, pearson, spearman } from "../../src/statistics/correlation.ts"
import { midRanks } from "../../src/statistics/ranks.ts"
import { wilcoxon } from "../../src/statistics/wilcoxon.ts"

const points = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 })), { maxLength: 40 })

const slowTau = (x: ReadonlyArray<number>, y: ReadonlyArray<number>): number => {
  let difference = 0
  let untiedX = 0
  let untiedY = 0
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const [dx, dy] = [Math.sign(x[i]! - x[j]!), Math.sign(y[i]! - y[j]!)]
      difference += dx * dy
      untiedX += Math.abs(dx)
      untiedY += Math.abs(dy)
    }
  }
  return difference / Math.sqrt(untiedX * untiedY)
}

describe("ranks and correlations", () => {
  it("rank from 1, ties in the middle of theirs, adding up as if there were none", () => {
    assert.deepStrictEqual(midRanks([3, 1, 3, 2]), { ranks: [3.5, 1, 3.5, 2], ties: [2] })
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (values) => {
        const sum = midRanks(values).ranks.reduce((total, rank) => total + rank, 0)
        assert.strictEqual(sum, (values.length * (values.length + 1)) / 2)
      })
    )
  })

  it("are symmetric, in [-1, 1], and turn round with a variable", () => {
    fc.assert(
      fc.property(points, (all) => {
        const [x, y] = [all.map(([a]) => a), all.map(([, b]) => b)]
        for (const correlation of [pearson, spearman, kendallTauB]) {
          const value = correlation(x, y)
          if (value === null) {
            assert.isTrue(new Set(x).size < 2 || new Set(y).size < 2)
            continue
          }
          assert.isTrue(value >= -1 && value <= 1)
          assert.closeTo(correlation(y, x)!, value, 1e-12)
          assert.closeTo(
            correlation(
              x.map((a) => -a),
              y
            )!,
            -value,
            1e-12
          )
        }
      })
    )
  })

  it("count Kendall's pairs as comparing all of them does", () => {
    fc.assert(
      fc.property(points, (all) => {
        const [x, y] = [all.map(([a]) => a), all.map(([, b]) => b)]
        const tau = kendallTauB(x, y)
        if (tau !== null) assert.closeTo(tau, slowTau(x, y), 1e-12)
      })
    )
  })

  it("refuse values that are not finite and variables of unequal length", () => {
    assert.throws(() => pearson([1, Number.NaN], [1, 2]), RangeError)
    assert.throws(() => kendallTauB([1, 2], [1]), RangeError)
  })
})

describe("Wilcoxon signed-rank test", () => {
  it("is a p-value that does not mind the sign", () => {
    const differences = fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 40 })
    fc.assert(
      fc.property(differences, fc.constantFrom("exact" as const, "normal" as const, undefined), (d, method) => {
        const { p, n } = wilcoxon(d, method)
        assert.strictEqual(p === null, n === 0)
        if (p === null) return
        assert.isTrue(p > 0 && p <= 1)
        assert.closeTo(
          wilcoxon(
            d.map((value) => -value),
            method
          ).p!,
          p,
          1e-12
        )
      })
    )
  })

  it("chooses the exact distribution for up to 50 differences without ties and zeros", () => {
    const distinct = (n: number) => Array.from({ length: n }, (_, i) => (i % 3 === 0 ? -1 : 1) * (i + 1))
    assert.strictEqual(wilcoxon(distinct(50)).method, "exact")
    assert.strictEqual(wilcoxon(distinct(51)).method, "normal")
    assert.strictEqual(wilcoxon([1, 2, 0]).method, "normal")
    assert.strictEqual(wilcoxon([1, -1]).method, "normal")
    assert.closeTo(wilcoxon(distinct(300), "exact").p!, wilcoxon(distinct(300), "normal").p!, 1e-4)
    assert.throws(() => wilcoxon(distinct(301), "exact"), RangeError)
  })
})

describe("Cochran's Q", () => {
  it("is a p-value that does not mind the order of conditions and rows, nor rows all alike", () => {
    const rows = fc.array(fc.array(fc.constantFrom(0 as const, 1 as const), { minLength: 4, maxLength: 4 }), {
      maxLength: 30
    })
    fc.assert(
      fc.property(rows, (all) => {
        const { q, p, df } = cochranQ(all)
        assert.strictEqual(df, all.length === 0 ? 0 : 3)
        assert.strictEqual(q === null, p === null)
        if (q === null || p === null) return
        assert.isTrue(q >= 0 && p >= 0 && p <= 1)
        const other = cochranQ([[1, 1, 1, 1], ...all.toReversed().map((row) => row.toReversed()), [0, 0, 0, 0]])
        assert.closeTo(other.q!, q, 1e-12)
      })
    )
  })

  it("refuses rows of unequal length", () => assert.throws(() => cochranQ([[1, 0], [1]]), RangeError))
})
