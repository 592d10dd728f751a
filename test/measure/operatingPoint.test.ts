import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isFlagged, operatingPoint, operatingPoints } from "../../src/measure/operatingPoint.ts"
import { relabelling, score } from "./scores.ts"

const side = fc.array(score, { minLength: 1, maxLength: 50 })
const cap = fc.constantFrom(0, 0.05, 0.1, 1 / 3, 0.5, 1)

const flags = (scores: ReadonlyArray<number>, threshold: number) => scores.map((value) => isFlagged(value, threshold))
const count = (flagged: ReadonlyArray<boolean>) => flagged.filter(Boolean).length

describe("operating point", () => {
  it("flags the same notes after a strictly increasing relabelling of the scores", () => {
    fc.assert(
      fc.property(side, side, cap, relabelling, (flawed, clean, most, relabel) => {
        const before = operatingPoint(flawed, clean, most)!
        const [e, c] = [flawed.map(relabel), clean.map(relabel)]
        const after = operatingPoint(e, c, most)!
        assert.deepStrictEqual({ ...after, threshold: 0 }, { ...before, threshold: 0 })
        assert.deepStrictEqual(flags(e, after.threshold), flags(flawed, before.threshold))
        assert.deepStrictEqual(flags(c, after.threshold), flags(clean, before.threshold))
      })
    )
  })

  it("has the counts its threshold gives, within the cap, and no threshold does better", () => {
    fc.assert(
      fc.property(side, side, cap, (flawed, clean, most) => {
        const point = operatingPoint(flawed, clean, most)!
        assert.strictEqual(count(flags(flawed, point.threshold)), point.detected)
        assert.strictEqual(count(flags(clean, point.threshold)), point.falseAlarms)
        assert.isAtMost(point.falseAlarms, most * clean.length + 1e-9)
        for (let threshold = 0; threshold <= 21; threshold++) {
          const [detected, falseAlarms] = [count(flags(flawed, threshold)), count(flags(clean, threshold))]
          if (falseAlarms > most * clean.length + 1e-9) continue
          assert.isAtMost(detected, point.detected)
          if (detected === point.detected) assert.isAtLeast(falseAlarms, point.falseAlarms)
        }
      })
    )
  })

  it("never detects less under a wider cap, and sweeps several as one", () => {
    fc.assert(
      fc.property(side, side, (flawed, clean) => {
        const caps = [0, 0.1, 0.5, 1]
        const points = operatingPoints(flawed, clean, caps)!
        assert.deepStrictEqual(
          points,
          caps.map((most) => operatingPoint(flawed, clean, most)!)
        )
        points.slice(1).forEach((point, i) => {
          assert.isAtLeast(point.detected, points[i]!.detected)
        })
      })
    )
  })

  it("counts notes without a score in the rates and never flags them", () => {
    assert.deepStrictEqual(operatingPoint([1, Number.NaN], [2, Number.NaN], 0), {
      cap: 0,
      threshold: 2,
      detected: 1,
      flawed: 2,
      falseAlarms: 0,
      clean: 2
    })
    assert.strictEqual(operatingPoint([Number.NaN], [Number.NaN], 1)?.detected, 0)
    assert.isNull(operatingPoint([], [1], 0.1))
    assert.isNull(operatingPoint([1], [], 0.1))
  })

  it("compares scores after rounding, as its threshold is", () => {
    const { threshold } = operatingPoint([0.1], [0.3 - 1e-12], 0)!
    assert.isFalse(isFlagged(0.3 - 1e-12, threshold))
    assert.isFalse(isFlagged(Number.NaN, threshold))
    assert.isTrue(isFlagged(0.1, threshold))
  })

  it("goes just above the greatest score when everything may be flagged", () => {
    const point = operatingPoint([3, 9], [1, 8], 1)!
    assert.isTrue(point.threshold > 9 && point.threshold < 9.001)
    assert.strictEqual(point.detected, 2)
  })
})
