import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { aucSwap } from "../../src/measure/aucSwap.ts"
import { detectionStatistic, detectionSwap } from "../../src/measure/detectionSwap.ts"
import { auc } from "../../src/measure/discrimination.ts"
import { operatingPoint } from "../../src/measure/operatingPoint.ts"
import { type ScoredTwice, swapDesign } from "../../src/measure/rankedTwice.ts"
import { swapRejects } from "../../src/measure/swapTail.ts"
import { weightedAucDifference, weightedDetectionDifference } from "../../src/measure/weightedDifferences.ts"
import { normalDraws } from "../../src/statistics/normalDraws.ts"

type Side = "a" | "b"
interface Scored {
  readonly cluster: ReadonlyArray<number>
  readonly flawed: ReadonlyArray<number>
  readonly a: ReadonlyArray<number>
  readonly b: ReadonlyArray<number>
}

const scoresOf = (notes: Scored, side: Side, flawed: 0 | 1) =>
  notes[side].filter((_, note) => notes.flawed[note] === flawed)

const cap = 0.2
const differences = {
  detection: (notes: Scored) => {
    const rate = (side: Side) => {
      const { detected, flawed } = operatingPoint(scoresOf(notes, side, 1), scoresOf(notes, side, 0), cap)!
      return detected / flawed
    }
    return rate("a") - rate("b")
  },
  auc: (notes: Scored) => {
    const value = (side: Side) => auc(scoresOf(notes, side, 1), scoresOf(notes, side, 0))!
    return value("a") - value("b")
  }
}
const orNull = {
  detection: (notes: ReadonlyArray<ScoredTwice>, draws = 200) => detectionSwap(notes, { cap, seed: 7, draws }),
  auc: (notes: ReadonlyArray<ScoredTwice>, draws = 200) => aucSwap(notes, { seed: 7, draws })
}
const tests = {
  detection: (notes: ReadonlyArray<ScoredTwice>, draws?: number) => orNull.detection(notes, draws)!,
  auc: (notes: ReadonlyArray<ScoredTwice>, draws?: number) => orNull.auc(notes, draws)!
}
const measures = ["detection", "auc"] as const

/** Consultations of a clean and some flawed notes, with few distinct scores, of which some may be missing. */
const notesOf = (score: fc.Arbitrary<number>, consultations: { minLength: number; maxLength: number }) =>
  fc
    .array(
      fc.array(fc.record({ flawed: fc.constantFrom(1, 1, 0), a: score, b: score }), { minLength: 1, maxLength: 4 }),
      consultations
    )
    .map((all): Scored => {
      const rows = all.flatMap((some, cluster) =>
        [...some, { flawed: 0, a: 3, b: 3 }].map((one) => ({ ...one, cluster }))
      )
      const last = [{ cluster: all.length, flawed: 1, a: 2, b: 4 }]
      const notes = [...rows, ...last]
      return {
        cluster: notes.map(({ cluster }) => 10 * cluster + 3),
        flawed: notes.map(({ flawed }) => flawed),
        a: notes.map(({ a }) => a),
        b: notes.map(({ b }) => b)
      }
    })
const whole = fc.integer({ min: 0, max: 6 })
const orNone = fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: fc.constant(Number.NaN) })
const some = notesOf(whole, { minLength: 1, maxLength: 25 })

/** Ranks within a judge, ties shared, by the definition. */
const ranked = (scores: ReadonlyArray<number>) =>
  scores.map(
    (score) => scores.filter((one) => one < score).length + (scores.filter((one) => one === score).length + 1) / 2
  )

/** Ranks of two judges, by the definition: levels that are nearest to each other, the lower of two, share their mean. */
const aligned = (notes: Scored) => {
  const ranks = { a: ranked(notes.a), b: ranked(notes.b) }
  const nearest = (rank: number, others: ReadonlyArray<number>) =>
    others.reduce((best, one) => {
      const closer = Math.abs(one - rank) - Math.abs(best - rank)
      return closer < 0 || (closer === 0 && one < best) ? one : best
    })
  const sideOf = (own: ReadonlyArray<number>, others: ReadonlyArray<number>) =>
    own.map((rank) => {
      const near = nearest(rank, others)
      return nearest(near, own) === rank ? (rank + near) / 2 : rank
    })
  return { a: sideOf(ranks.a, ranks.b), b: sideOf(ranks.b, ranks.a) }
}

describe.each(measures)("the swap test of %s", (measure) => {
  const test = tests[measure]

  it("has the measure's own difference", () => {
    fc.assert(
      fc.property(measure === "detection" ? notesOf(orNone, { minLength: 1, maxLength: 20 }) : some, (notes) => {
        assert.closeTo(test([notes], 1).statistic, differences[measure](notes), 1e-12)
      })
    )
  })

  it("is, for few consultations, the share of all arrangements of ranks at least as far from nought", () => {
    fc.assert(
      fc.property(notesOf(whole, { minLength: 1, maxLength: 6 }), (notes) => {
        const ranks = aligned(notes)
        const clusters = [...new Set(notes.cluster)]
        const of = (arrangement: number) => {
          const side = (own: Side, other: Side) =>
            notes.cluster.map((cluster, note) => {
              const swapped = (arrangement >> clusters.indexOf(cluster)) & 1
              return ranks[swapped === 1 ? other : own][note]!
            })
          return Math.abs(differences[measure]({ ...notes, a: side("a", "b"), b: side("b", "a") }))
        }
        const all = Array.from({ length: 2 ** clusters.length }, (_, arrangement) => of(arrangement))
        const { exact, p } = test([notes])
        assert.isTrue(exact)
        assert.closeTo(p, all.filter((one) => one >= all[0]! - 1e-9).length / all.length, 1e-12)
      }),
      { numRuns: 60 }
    )
  })

  it("is the same for every strictly increasing relabelling of either judge's scores", () => {
    const relabelling = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 7, maxLength: 7 }).map((steps) => {
      const values = steps.map((_, at) => steps.slice(0, at + 1).reduce((sum, step) => sum + step, 0) / 8 - 20)
      return (score: number) => values[score]!
    })
    fc.assert(
      fc.property(some, relabelling, relabelling, (notes, one, other) => {
        assert.deepStrictEqual(test([{ ...notes, a: notes.a.map(one), b: notes.b.map(other) }]), test([notes]))
      })
    )
  })

  it("has the same p with the judges exchanged, and the difference with the other sign", () => {
    fc.assert(
      fc.property(some, (notes) => {
        const [found, mirrored] = [test([notes]), test([{ ...notes, a: notes.b, b: notes.a }])]
        assert.strictEqual(found.p, mirrored.p)
        assert.closeTo(found.statistic, -mirrored.statistic, 1e-12)
        assert.isTrue(found.p > 0 && found.p <= 1)
      })
    )
  })

  it("finds nothing between a judge and itself, whatever its replicates", () => {
    fc.assert(
      fc.property(some, (notes) => {
        const same = { ...notes, b: notes.a }
        const { p, statistic } = test([same, { ...notes, a: notes.b }])
        assert.deepStrictEqual({ p, statistic }, { p: 1, statistic: 0 })
      })
    )
  })

  it("takes replicates together: a judge that is ahead in all of them is told sooner than in one", () => {
    const notes = Array.from({ length: 20 }, (_, seed) => simulated(seed, { consultations: 18, gain: 0.8 }))
    const found = notes.map(({ cluster, flawed, a, b }, at) => {
      const more = simulated(100 + at, { consultations: 18, gain: 0.8 })
      return [test([{ cluster, flawed, a, b }]).p, test([{ cluster, flawed, a, b }, more]).p] as const
    })
    const mean = (which: 0 | 1) => found.reduce((sum, one) => sum + one[which], 0) / found.length
    assert.isBelow(mean(1), mean(0))
  })

  it.each([
    ["whole numbers", 1, 0],
    ["steps of two", 2, 0],
    ["whole numbers, one judge harsher by two", 1, 2]
  ])(
    "finds a difference between equally good judges in no more than 5 of 100 trials, with scores in %s",
    (_, step, harsher) => {
      const draw = normalDraws(5)
      const trials = 200
      let found = 0
      for (let trial = 0; trial < trials; trial++) {
        const notes = Array.from({ length: 40 }, (_, cluster) => {
          const moods = [draw(), draw()] as const
          return [0, 1, 1, 1].map((flawed) => {
            const shared = 0.7 * draw() - 0.8 * flawed
            const [a, b] = moods.map((mood, judge) => {
              const score = 7 + 1.5 * (shared + 0.4 * mood + 0.6 * draw()) - harsher * judge
              return step * Math.round(score / step)
            }) as [number, number]
            return { cluster, flawed, a, b }
          })
        }).flat()
        const column = (name: "cluster" | "flawed" | "a" | "b") => notes.map((note) => note[name])
        const scored = { cluster: column("cluster"), flawed: column("flawed"), a: column("a"), b: column("b") }
        if (orNull[measure]([scored], 199)!.p <= 0.05) found++
      }
      // 5 % of 200, and two standard deviations.
      assert.isAtMost(found, 16)
    }
  )

  it("is null without a flawed or a clean note", () => {
    const notes = { cluster: [1, 1], flawed: [1, 1], a: [1, 2], b: [2, 1] }
    assert.isNull(orNull[measure]([notes]))
    assert.isNull(orNull[measure]([{ ...notes, flawed: [0, 0] }]))
    assert.isNull(orNull[measure]([]))
  })

  it.each([9, 16, 30])(
    "calls no more than 5 % of differences in nothing significant, with %d consultations",
    (consultations) => {
      const trials = 400
      const found = Array.from({ length: trials }, (_, seed) => {
        return test([simulated(seed, { consultations, gain: 0 })], 199).p <= 0.05
      }).filter(Boolean).length
      // Three standard errors of 5 %.
      assert.isAtMost(found / trials, 0.05 + 3 * Math.sqrt((0.05 * 0.95) / trials))
    }
  )
})

/** Two judges with whole scores on scales of their own; the flawed notes of the first are lower by a gain. */
function simulated(seed: number, { consultations, gain }: { readonly consultations: number; readonly gain: number }) {
  const draw = normalDraws(seed)
  const rows = Array.from({ length: consultations }, (_, cluster) => {
    const harsh = [0.4 * draw(), 0.4 * draw()] as const
    return [0, 1, 1, 1].map((flawed) => {
      const shared = 0.8 * draw()
      const score = (side: 0 | 1) => Math.round(2 * (shared + harsh[side] + 0.6 * draw() - 0.6 * flawed))
      return { cluster, flawed, a: score(0) - (flawed === 1 ? Math.round(2 * gain) : 0), b: 100 + 3 * score(1) }
    })
  }).flat()
  return {
    cluster: rows.map(({ cluster }) => cluster),
    flawed: rows.map(({ flawed }) => flawed),
    a: rows.map(({ a }) => a),
    b: rows.map(({ b }) => b)
  }
}

describe("a difference with consultations counted several times", () => {
  const counts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 26, maxLength: 26 })
  it.each(measures)("is the %s of the notes written out as often", (measure) => {
    fc.assert(
      fc.property(some, counts, (notes, times) => {
        const clusters = [...new Set(notes.cluster)]
        const copied = notes.cluster.flatMap((cluster, note) =>
          Array.from({ length: times[clusters.indexOf(cluster)]! }, () => note)
        )
        const of = (column: ReadonlyArray<number>) => copied.map((note) => column[note]!)
        const all = { cluster: of(notes.cluster), flawed: of(notes.flawed), a: of(notes.a), b: of(notes.b) }
        const design = swapDesign([notes])
        const difference = measure === "auc" ? weightedAucDifference(design) : weightedDetectionDifference(design, cap)
        const found = difference(Float64Array.from(design.clusters, (cluster) => times[clusters.indexOf(cluster)]!))
        if (!all.flawed.includes(0) || !all.flawed.includes(1)) assert.isNaN(found)
        else assert.closeTo(found, differences[measure](all), 1e-12)
      })
    )
  })
})

describe("the decision for simulations", () => {
  it("is that of the test itself, but for the chance of 199 draws near alpha", () => {
    let decided = 0
    for (let seed = 0; seed < 150; seed++) {
      const notes = simulated(seed, { consultations: 5 + (seed % 20), gain: 0.1 * (seed % 8) })
      const design = swapDesign([notes])
      const { p } = tests.detection([notes], 4000)
      if (design.live > 8 && p > 0.02 && p < 0.1) continue
      decided++
      assert.strictEqual(swapRejects(design, detectionStatistic(design, cap), 0.05, seed), p <= 0.05, `${seed}: ${p}`)
    }
    assert.isAbove(decided, 100)
  })
})
