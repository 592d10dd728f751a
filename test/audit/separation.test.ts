import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { separationOf } from "../../src/audit/separation.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import { allPairs, judge, noisyScores, outcomesOf, tableOf } from "./support.ts"

const table = tableOf(24, 3)
const measured = allPairs(table)
const options = { seed: 11, resamples: 1000, cap: 0.1 }
const seedScores = noisyScores(table, 1)
const seed = judge(
  measured,
  "seed",
  outcomesOf(table, (id) => seedScores.get(id)!)
)
const against = (score: (id: string) => number | null) =>
  separationOf(measured, seed, judge(measured, "child", outcomesOf(table, score)), options)

describe("separation against relocation", () => {
  it("calls a judge that scores every note lower a relocation, with no change of rank at all", () => {
    const found = against((id) => seedScores.get(id)! - 2)
    assert.strictEqual(found.verdict, "relocation")
    assert.deepStrictEqual([found.paired.difference, found.auc.difference], [0, 0])
    assert.closeTo(found.meanScore.clean.difference!, -2, 1e-9)
    assert.isAbove(found.flagRate.clean.difference!, 0.5)
    assert.isAbove(found.flagRate.clean.interval![0], 0)
  })

  it("calls one that is harsher by a different amount on each note a relocation, since no interval of rank leaves zero", () => {
    const next = mulberry32(5)
    const found = against((id) => seedScores.get(id)! - 1.5 - next() * 0.5)
    assert.strictEqual(found.verdict, "relocation")
    assert.isBelow(found.paired.interval![0], 0)
    assert.isAbove(found.paired.interval![1], 0)
  })

  it("calls one that scores the flawed notes lower and the clean ones as before a separation, with its interval above zero", () => {
    const found = against((id) => seedScores.get(id)! - (id.endsWith("/clean") ? 0 : 1.5))
    assert.strictEqual(found.verdict, "separation")
    assert.isAbove(found.paired.interval![0], 0)
    assert.isAbove(found.auc.interval![0], 0)
    assert.strictEqual(found.meanScore.clean.difference, 0)
    assert.deepStrictEqual([found.paired.n, found.paired.consultations], [72, 24])
  })

  it("calls one that separates better and is harsher too both, and one that ranks worse lost", () => {
    assert.strictEqual(against((id) => seedScores.get(id)! - (id.endsWith("/clean") ? 2 : 3.5)).verdict, "both")
    assert.strictEqual(against((id) => seedScores.get(id)! + (id.endsWith("/clean") ? 0 : 1.5)).verdict, "lost")
  })

  it("claims nothing from a difference without an interval: nine consultations are too few", () => {
    const small = tableOf(9, 3)
    const few = allPairs(small)
    const before = noisyScores(small, 1)
    const found = separationOf(
      few,
      judge(
        few,
        "seed",
        outcomesOf(small, (id) => before.get(id)!)
      ),
      judge(
        few,
        "child",
        outcomesOf(small, (id) => before.get(id)! - (id.endsWith("/clean") ? 0 : 3))
      ),
      options
    )
    assert.isAbove(found.paired.difference!, 0)
    assert.isNull(found.paired.interval)
    assert.strictEqual(found.verdict, "unknown")
  })

  it("never calls a strictly increasing relabelling of the scores separation, both or lost", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 48, maxLength: 48 }),
        fc.uniqueArray(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 21, maxLength: 21 }),
        (scores, labels) => {
          const some = tableOf(12, 3)
          const set = allPairs(some)
          // Labels closer than 1e-9 would be one after rounding, and the relabelling no longer strict.
          const rising = [...labels].sort((a, b) => a - b).map((label, at) => label + at)
          const found = separationOf(
            set,
            judge(
              set,
              "seed",
              outcomesOf(some, (_, at) => scores[at]!)
            ),
            judge(
              set,
              "child",
              outcomesOf(some, (_, at) => rising[scores[at]!]!)
            ),
            { ...options, resamples: 200 }
          )
          assert.deepStrictEqual([found.paired.difference, found.auc.difference], [0, 0])
          assert.include(["relocation", "neither"], found.verdict)
        }
      ),
      { numRuns: 30 }
    )
  })

  it("changes sign, and nothing else, when seed and candidate change places", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 96, maxLength: 96 }), (scores) => {
        const some = tableOf(12, 3)
        const set = allPairs(some)
        const [one, other] = [0, 48].map((from) =>
          judge(
            set,
            `j${from}`,
            outcomesOf(some, (_, at) => scores[from + at]!)
          )
        )
        const forth = separationOf(set, one!, other!, { ...options, resamples: 200 })
        const back = separationOf(set, other!, one!, { ...options, resamples: 200 })
        assert.closeTo(forth.paired.difference! + back.paired.difference!, 0, 1e-12)
        assert.closeTo(forth.auc.difference! + back.auc.difference!, 0, 1e-12)
        if (forth.paired.interval !== null && back.paired.interval !== null)
          assert.closeTo(forth.paired.interval[0] + back.paired.interval[1], 0, 1e-12)
      }),
      { numRuns: 30 }
    )
  })
})
