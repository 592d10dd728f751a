import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cohenKappa, fleissKappa, rawAgreement, withinOneGrade } from "../../src/statistics/agreement.ts"

const grades = ["peripheral", "supporting", "critical"] as const
const grade = fc.constantFrom(...grades)
const labels = fc.array(fc.tuple(grade, grade), { maxLength: 40 })

describe("agreement of two raters", () => {
  it("is symmetric, at most 1, and 1 just when all labels agree", () => {
    fc.assert(
      fc.property(labels, (items) => {
        const [a, b] = [items.map(([x]) => x), items.map(([, y]) => y)]
        for (const weights of ["none", "linear", "quadratic"] as const) {
          const kappa = cohenKappa(grades, a, b, weights)
          if (kappa === null) continue
          assert.isAtMost(kappa, 1)
          assert.strictEqual(kappa === 1, rawAgreement(a, b) === 1)
          assert.closeTo(cohenKappa(grades, b, a, weights)!, kappa, 1e-12)
          assert.closeTo(cohenKappa(grades.toReversed(), a, b, weights)!, kappa, 1e-12)
        }
        const [exact, near] = [rawAgreement(a, b), withinOneGrade(grades, a, b)]
        if (exact !== null && near !== null) assert.isAtMost(exact, near)
      })
    )
  })

  it("counts neighbours as within one grade", () => {
    assert.strictEqual(
      withinOneGrade(grades, ["critical", "critical", "critical"], ["critical", "supporting", "peripheral"]),
      2 / 3
    )
  })

  it("refuses a label that is no category and lists of unequal length", () => {
    assert.throws(() => cohenKappa([0, 1], [0, 2], [0, 1]), RangeError)
    assert.throws(() => cohenKappa([0, 1], [0], [0, 1]), RangeError)
  })
})

describe("Fleiss' kappa", () => {
  it("does not mind the order of items and categories", () => {
    const counts = fc
      .array(fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }), { maxLength: 20 })
      .map((rows) => rows.map((chosen) => [0, 1, 2].map((category) => chosen.filter((one) => one === category).length)))
    fc.assert(
      fc.property(counts, (rows) => {
        const { kappa, rawAgreement: raw } = fleissKappa(rows)
        const other = fleissKappa(rows.toReversed().map((row) => row.toReversed()))
        if (kappa === null || raw === null) return assert.isNull(other.kappa)
        assert.isTrue(kappa <= 1 + 1e-12 && raw >= 0 && raw <= 1)
        assert.closeTo(other.kappa!, kappa, 1e-12)
      })
    )
  })

  it("refuses items with unequal numbers of ratings", () =>
    assert.throws(
      () =>
        fleissKappa([
          [1, 2],
          [1, 1]
        ]),
      RangeError
    ))
})
