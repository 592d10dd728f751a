import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { optimismOf, type Selectable } from "../../src/audit/optimism.ts"
import { weightedValue } from "../../src/audit/weightedValue.ts"
import type { Measure } from "../../src/domain/Campaign.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import { auc, countPairs, pairedDiscrimination } from "../../src/measure/discrimination.ts"
import { operatingPoint } from "../../src/measure/operatingPoint.ts"
import { allPairs, judge, noisyScores, outcomesOf, tableOf } from "./support.ts"

const table = tableOf(20, 3)
const measured = allPairs(table)
const primary: Measure = { measure: "paired-discrimination" }
const options = { seed: 11, resamples: 400 }

const selectable = (id: string, scores: ReadonlyMap<string, number>): Selectable => ({
  candidate: id,
  primary: weightedValue(
    measured,
    judge(
      measured,
      id,
      outcomesOf(table, (note) => scores.get(note)!)
    ),
    primary
  )
})
/** Judges of one quality: whoever is ahead is ahead by luck. */
const pool = (size: number) =>
  Array.from({ length: size }, (_, at) => selectable(`j${at}`, noisyScores(table, 100 + at)))
const among = (some: ReadonlyArray<Selectable>, seed: string | null = "j0") =>
  optimismOf({ selectable: some, drawn: measured.drawn, units: "consultations", measure: primary, seed }, options)!

describe("selection optimism", () => {
  it("finds the luck of the best of thirty equal judges, and none in one that nobody chose", () => {
    const found = among(pool(30))
    assert.isAbove(found.optimism, 0.03)
    assert.closeTo(found.unselected!.inSample, found.unselected!.outOfBag, 0.02)
    assert.closeTo(found.corrected, found.apparent - found.optimism, 1e-12)
    // What is left is near what all of them are worth.
    const mean = pool(30).reduce((sum, one) => sum + one.primary(new Float64Array(20).fill(1)), 0) / 30
    assert.isBelow(Math.abs(found.corrected - mean), Math.abs(found.apparent - mean))
    assert.closeTo(
      found.selected.reduce((sum, { share }) => sum + share, 0),
      1,
      1e-9
    )
  })

  it("is the greater the more there were to choose from", () => {
    const sizes = [2, 10, 40].map((size) => among(pool(size)).optimism)
    assert.deepStrictEqual(
      sizes,
      [...sizes].sort((a, b) => a - b)
    )
  })

  it("never has a winner that is worse where it was chosen than the candidate that nobody chose", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 2, max: 8 }), (seed, size) => {
        const some = Array.from({ length: size }, (_, at) => selectable(`j${at}`, noisyScores(table, seed + at)))
        const found = optimismOf(
          { selectable: some, drawn: measured.drawn, units: "consultations", measure: primary, seed: "j0" },
          { seed, resamples: 50 }
        )!
        assert.isAtLeast(found.inSample, found.unselected!.inSample - 1e-12)
        assert.isAtLeast(found.apparent, some[0]!.primary(new Float64Array(20).fill(1)) - 1e-12)
      }),
      { numRuns: 30 }
    )
  })

  it("is the chance of the draw alone where all candidates are one and the same", () => {
    const same = noisyScores(table, 7)
    const found = among(["j0", "j1", "j2"].map((id) => selectable(id, same)))
    assert.strictEqual(found.winner, "j0")
    assert.closeTo(found.optimism, found.unselected!.inSample - found.unselected!.outOfBag, 1e-12)
    assert.deepStrictEqual(found.selected, [{ candidate: "j0", share: 1 }])
  })

  it("needs something to choose between", () => {
    assert.isNull(
      optimismOf({ selectable: pool(1), drawn: 20, units: "consultations", measure: primary, seed: null }, options)
    )
  })
})

describe("a measure of weighted consultations", () => {
  const scores = fc.array(fc.option(fc.integer({ min: 0, max: 6 }), { nil: null }), { minLength: 16, maxLength: 16 })
  const some = tableOf(4, 3)
  const set = allPairs(some)
  const measures: ReadonlyArray<Measure> = [
    { measure: "paired-discrimination" },
    { measure: "auc" },
    { measure: "detection", maxFalseAlarms: 0.25 }
  ]

  it("is the measure itself with every weight 1", () => {
    fc.assert(
      fc.property(scores, (values) => {
        const own = judge(
          set,
          "j",
          outcomesOf(some, (_, at) => values[at]!)
        )
        const side = (notes: ReadonlyArray<number>) => notes.map((note) => own.scores[note]!)
        const [flawed, clean] = [side(set.flawed), side(set.clean)]
        const point = operatingPoint(flawed, clean, 0.25)!
        const expected = [
          pairedDiscrimination(countPairs(own.outcomes)),
          auc(flawed, clean),
          point.detected / point.flawed
        ]
        const once = new Float64Array(4).fill(1)
        for (const [at, measure] of measures.entries()) {
          const value = weightedValue(set, own, measure)(once)
          if (expected[at] === null) assert.isNaN(value)
          else assert.closeTo(value, expected[at]!, 1e-12)
        }
      }),
      { numRuns: 200 }
    )
  })

  it("does not change when all weights are doubled", () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 1e6 }), (values, seed) => {
        const own = judge(
          set,
          "j",
          outcomesOf(some, (_, at) => values[at]!)
        )
        const next = mulberry32(seed)
        const weights = Float64Array.from({ length: 4 }, () => Math.floor(next() * 3))
        for (const measure of measures) {
          const value = weightedValue(set, own, measure)
          const [one, two] = [value(weights), value(weights.map((weight) => 2 * weight))]
          if (Number.isNaN(one)) assert.isNaN(two)
          else assert.closeTo(two, one, 1e-12)
        }
      }),
      { numRuns: 200 }
    )
  })
})
