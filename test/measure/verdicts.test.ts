import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bothCorrectRates, countPairVerdicts, inDeceptionZone } from "../../src/measure/bothCorrect.ts"
import { classificationMetrics, confusion } from "../../src/measure/classification.ts"
import { severityWeightedDetection } from "../../src/measure/severityWeighted.ts"

const flag = fc.constantFrom(true, false, null)
const verdicts = fc.array(fc.tuple(flag, flag), { maxLength: 60 })

describe("both-correct rate", () => {
  it("is at most the smaller of sensitivity and specificity, and the four shares add up to 1", () => {
    fc.assert(
      fc.property(verdicts, (pairs) => {
        const rates = bothCorrectRates(
          countPairVerdicts(
            pairs.map(([e]) => e),
            pairs.map(([, c]) => c)
          )
        )
        if (rates === null) return assert.isTrue(pairs.every((pair) => pair.includes(null)))
        assert.isAtMost(rates.bothCorrect, Math.min(rates.sensitivity, rates.specificity))
        assert.closeTo(rates.bothCorrect + rates.pred1 + rates.pred0 + rates.bothWrong, 1, 1e-12)
        assert.strictEqual(rates.independenceRatio === null, rates.expected === 0)
      })
    )
  })

  it("has the sensitivity and specificity of the pointwise metrics on complete pairs", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1 }), (pairs) => {
        const [flawed, clean] = [pairs.map(([e]) => e), pairs.map(([, c]) => c)]
        const rates = bothCorrectRates(countPairVerdicts(flawed, clean))!
        const metrics = classificationMetrics(confusion(flawed, clean))
        assert.closeTo(rates.sensitivity, metrics.recall!, 1e-12)
        assert.closeTo(rates.specificity, metrics.specificity!, 1e-12)
      })
    )
  })

  it("calls a judge that flags everything deceptive: F1 is 2/3 and no pair is told apart", () => {
    const all = [true, true, true]
    const metrics = classificationMetrics(confusion(all, all))
    const rates = bothCorrectRates(countPairVerdicts(all, all))!
    assert.closeTo(metrics.f1!, 2 / 3, 1e-12)
    assert.strictEqual(metrics.flagRate, 1)
    assert.isTrue(inDeceptionZone(metrics.f1, rates.bothCorrect))
    assert.isFalse(inDeceptionZone(0.6, 0.25))
    assert.isNull(inDeceptionZone(null, 0.1))
  })
})

describe("pointwise metrics", () => {
  const counts = fc.record({ tp: fc.nat(50), fp: fc.nat(50), fn: fc.nat(50), tn: fc.nat(50) })

  it("keep their ranges, and MCC turns round when every verdict does", () => {
    fc.assert(
      fc.property(counts, (one) => {
        const metrics = classificationMetrics(one)
        for (const value of [
          metrics.precision,
          metrics.recall,
          metrics.f1,
          metrics.balancedAccuracy,
          metrics.flagRate
        ]) {
          if (value !== null) assert.isTrue(value >= 0 && value <= 1)
        }
        const inverted = classificationMetrics({ tp: one.fn, fn: one.tp, fp: one.tn, tn: one.fp })
        if (metrics.mcc === null) return assert.isNull(inverted.mcc)
        assert.closeTo(inverted.mcc!, -metrics.mcc, 1e-12)
      })
    )
  })
})

describe("severity-weighted detection", () => {
  it("weighs critical 1, supporting a half, peripheral a quarter, and leaves out what has no severity", () => {
    assert.deepStrictEqual(
      severityWeightedDetection([true, false, true, true], ["critical", "supporting", "peripheral", undefined]),
      { value: 1.25 / 1.75, notes: 3, flaggedWeight: 1.25, totalWeight: 1.75 }
    )
    assert.isNull(severityWeightedDetection([true], [undefined]).value)
    assert.throws(() => severityWeightedDetection([true], []), RangeError)
  })

  it("is plain detection when all severities are the same", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1 }),
        fc.constantFrom("critical" as const, "peripheral" as const),
        (flagged, one) => {
          const { value } = severityWeightedDetection(
            flagged,
            flagged.map(() => one)
          )
          assert.closeTo(value!, flagged.filter(Boolean).length / flagged.length, 1e-12)
        }
      )
    )
  })
})
