import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { consultationsFor, detectable } from "../../src/confirm/detectable.ts"
import { estimate, published } from "../../src/confirm/power/estimate.ts"
import { flagSimulation } from "../../src/confirm/power/flagSimulation.ts"
import { differenceChances, pairedSimulation, swapRejects } from "../../src/confirm/power/pairedSimulation.ts"
import type { Assumptions } from "../../src/confirm/power/simulation.ts"
import { resized, supposed } from "../../src/confirm/power/sizes.ts"
import { readScoreTables } from "../../src/dataset/scoresTableRead.ts"
import { detectionSwap } from "../../src/measure/detectionSwap.ts"
import { clusterSwap } from "../../src/statistics/clusterPermutation.ts"
import { intraclass } from "../../src/statistics/intraclass.ts"
import { normalCdf, normalQuantile } from "../../src/statistics/normal.ts"
import { normalDraws } from "../../src/statistics/normalDraws.ts"

/** Omissions of the 20 acceptance consultations of the published campaign. */
const published48 = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4]
const options = { seed: 11, trials: 2000 }
const few = { seed: 5, trials: 600 }
/** Of detection, whose trials draw arrangements. */
const fewer = { seed: 5, trials: 300 }
const notes = (sizes: ReadonlyArray<number>) => sizes.map((flawed) => ({ flawed, clean: 1 }))

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const assumptions = fc
  .record({
    wins: share(0.05, 0.8),
    ties: share(0, 0.5),
    discordance: share(0.1, 0.5),
    icc: share(0, 0.6),
    detection: share(0, 0.6),
    scoreCorrelation: share(0, 0.9),
    scoreIcc: share(0, 0.6)
  })
  .map((some): Assumptions => ({ ...some, ties: Math.min(some.ties, 0.95 - some.wins) }))
const shape = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 8, maxLength: 25 })

describe("the model of pair outcomes", () => {
  it("has the assumed discordance without a gain, both ways alike, and a mean difference that is the gain", () => {
    fc.assert(
      fc.property(assumptions, share(0, 1), (some, part) => {
        const none = differenceChances(some, 0)
        const losses = 1 - some.wins - some.ties
        const most = 1 - some.wins ** 2 - some.ties ** 2 - losses ** 2
        assert.closeTo(1 - none[2]!, Math.min(some.discordance, most), 3e-3)
        assert.closeTo(none[0]!, none[4]!, 1e-9)
        const gain = part * 0.95 * (1 - some.wins - some.ties / 2)
        const [worst, worse, , better, best] = differenceChances(some, gain) as [number, number, number, number, number]
        assert.closeTo(best - worst + (better - worse) / 2, gain, 1e-4)
      }),
      { numRuns: 40 }
    )
  })

  it("calls significant what the swap of consultations calls significant", () => {
    const sums = fc.array(fc.integer({ min: -6, max: 8 }), { minLength: 5, maxLength: 60 })
    fc.assert(
      fc.property(sums, fc.constantFrom(0.05, 0.01), (some, alpha) => {
        const halves = some.flatMap((sum, cluster) =>
          Array.from({ length: Math.abs(sum) }, () => ({ cluster, a: sum > 0 ? 0.5 : 0, b: sum > 0 ? 0 : 0.5 }))
        )
        const test = clusterSwap(
          halves.map(({ a }) => a),
          halves.map(({ b }) => b),
          halves.map(({ cluster }) => cluster),
          { seed: 1 }
        )
        const significant = test !== null && test.statistic > 0 && test.p <= alpha
        assert.strictEqual(swapRejects(some, alpha), significant)
      }),
      { numRuns: 500 }
    )
  })
})

describe("power", () => {
  it("rises with the gain", () => {
    fc.assert(
      fc.property(assumptions, shape, (some, sizes) => {
        for (const simulation of [pairedSimulation(sizes, some, few), flagSimulation(notes(sizes), 0.1, some, few)]) {
          const found = [0, 0.1, 0.2, 0.3].map((part) => simulation.detected(part * simulation.ceiling, 0.05))
          // A pair more for the candidate can raise the spread of consultations too, so a single trial may turn back.
          for (const [at, next] of found.slice(1).entries()) assert.isAtLeast(next, found[at]! - 6)
          assert.isAtLeast(found[3]!, found[0]!)
        }
      }),
      { numRuns: 8 }
    )
  })

  it("rises with the number of consultations, and the detectable gain falls", () => {
    fc.assert(
      fc.property(assumptions, shape, (some, sizes) => {
        const more = [...sizes, ...sizes, ...sizes]
        for (const [small, large] of [
          [pairedSimulation(sizes, some, few), pairedSimulation(more, some, few)],
          [flagSimulation(notes(sizes), 0.1, some, fewer), flagSimulation(notes(more), 0.1, some, fewer)]
        ] as const) {
          const [a, b] = [detectable(small).gain, detectable(large).gain]
          // What nothing can be told from on few consultations, more need not tell either.
          if (a === null) continue
          assert.isBelow(b ?? 1, a + 0.005)
          assert.isAtLeast(large.detected(a, 0.05) / large.trials, 0.75)
        }
      }),
      { numRuns: 4 }
    )
  })

  it("is the same for the same seed", () => {
    const once = () => detectable(pairedSimulation(published48, published, few))
    assert.deepStrictEqual(once(), once())
  })
})

/**
 * Scores of two judges by the model's definition and with random numbers of its own: thresholds that flag 10 % of all
 * clean notes there are flag the assumed share of flawed ones, and for the first judge the gain too.
 */
const judgedTwice = (sizes: ReadonlyArray<number>, assumed: Assumptions, gain: number, seed: number) => {
  const draw = normalDraws(90_000 + seed)
  const { detection, scoreCorrelation } = assumed
  const lower = (share: number) => normalQuantile(share) - normalQuantile(0.1)
  const rows = sizes.flatMap((size, cluster) =>
    Array.from({ length: size + 1 }, (_, at) => {
      const shared = Math.sqrt(scoreCorrelation) * draw()
      const score = (share: number) =>
        shared + Math.sqrt(1 - scoreCorrelation) * draw() - (at < size ? lower(share) : 0)
      return { cluster, flawed: at < size ? 1 : 0, a: score(detection + gain), b: score(detection) }
    })
  )
  return {
    cluster: rows.map((row) => row.cluster),
    flawed: rows.map((row) => row.flawed),
    a: rows.map((row) => row.a),
    b: rows.map((row) => row.b)
  }
}

describe("the detectable gain", () => {
  it("of the published acceptance part is far above the 5 points that it was used to tell", () => {
    const simulation = pairedSimulation(published48, published, options)
    const found = detectable(simulation)
    assert.isAbove(found.gain!, 0.15)
    assert.isBelow(found.gain!, 0.3)
    assert.isBelow(found.curve.find(({ gain }) => gain === 0.05)!.power, 0.15)
    assert.isAtMost(found.falseGains.power, 0.03)
  })

  it("is found with 80 % power, and the curve rises with Wilson intervals around it", () => {
    const { curve, gain, trials } = detectable(pairedSimulation(published48, published, options))
    const at = curve.find((point) => point.gain === gain)!
    assert.isAtLeast(at.power, 0.8)
    assert.isBelow(at.power, 0.82)
    assert.strictEqual(trials, 2000)
    for (const { interval, power } of curve) assert.isTrue(interval[0] <= power && power <= interval[1])
  })

  it("is none where even winning every pair would not be told from luck", () => {
    const two = detectable(pairedSimulation([3, 2], published, few))
    assert.isNull(two.gain)
    assert.strictEqual(two.ceiling, 1 - published.wins - published.ties / 2)
    assert.isNull(detectable(pairedSimulation([], published, few)).gain)
    assert.isNull(detectable(flagSimulation([{ flawed: 3, clean: 0 }], 0.1, published, few)).gain)
  })

  it("of detection is what the test of the read-out finds about four times in five, and no gain seldom", () => {
    const assumed = { ...published, detection: 0.3 }
    const sizes = [...published48, ...published48]
    const found = detectable(flagSimulation(notes(sizes), 0.1, assumed, { seed: 11, trials: 1000 }))
    assert.isAtMost(found.falseGains.power, 0.025 + 0.015)
    const trials = 300
    const gains = (gain: number) =>
      Array.from({ length: trials }, (_, seed) => judgedTwice(sizes, assumed, gain, seed)).filter((both) => {
        const { p, statistic } = detectionSwap([both], { cap: 0.1, seed: 3, draws: 999 })!
        return statistic > 0 && p <= 0.05
      }).length / trials
    assert.closeTo(gains(found.gain!), 0.8, 0.07)
    assert.isAtMost(gains(0), 0.025 + 0.027)
  })

  it("is what as many consultations as it says are needed would tell", () => {
    const simulate = (count: number) =>
      pairedSimulation(
        resized(
          published48.map((pairs) => ({ pairs, flawed: pairs, clean: 1 })),
          count
        ).map(({ pairs }) => pairs),
        published,
        few
      )
    const needed = consultationsFor(0.1, simulate, { consultations: 20, gain: 0.21 })!
    assert.isAbove(needed, 40)
    assert.closeTo(detectable(simulate(needed)).gain!, 0.1, 0.015)
    assert.isNull(consultationsFor(0.001, simulate, { consultations: 20, gain: 0.21 }))
    assert.isNull(consultationsFor(0.9, simulate, { consultations: 20, gain: 0.21 }))
  })
})

describe("sizes of a sealed part", () => {
  it("add up to what the manifest counts, with a clean note each", () => {
    const known = published48.map((pairs) => ({ pairs, flawed: pairs, clean: 1 }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 400 }), (consultations, pairs) => {
        const sizes = supposed(known, { consultations, pairs, flawed: pairs })
        assert.strictEqual(sizes.length, consultations)
        assert.strictEqual(
          sizes.reduce((sum, one) => sum + one.pairs, 0),
          pairs
        )
        assert.isTrue(sizes.every((one) => one.pairs >= 0 && one.clean === 1))
      })
    )
  })
})

describe("assumptions", () => {
  it.effect("of the published campaign are what its scores say", () =>
    Effect.gen(function* () {
      const { runs, set } = yield* readScoreTables(["test/reference/omissionbench-mono/valid-mono.json"])
      const [seed, winner] = ["seed", "winner"].map((judge) => runs.find((run) => run.judge === judge)!)
      const classes = ["omission"] as const
      const found = estimate(set, seed!, [[winner!, seed!]], { paired: { classes }, detection: { classes, cap: 0.1 } })
      for (const [name, value] of Object.entries(published)) {
        assert.closeTo(found[name as keyof Assumptions]!, value, 5.1e-4, name)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it("know the intraclass correlation by analysis of variance", () => {
    assert.closeTo(
      intraclass([
        [1, 2],
        [4, 5]
      ])!,
      (9 - 0.5) / (9 + 0.5),
      1e-12
    )
    assert.isNull(intraclass([[1], [2]]))
    assert.isNull(intraclass([[1, 2]]))
    assert.isNull(
      intraclass([
        [1, 1],
        [1, 1]
      ])
    )
  })

  it("use a normal distribution that its quantiles undo", () => {
    fc.assert(
      fc.property(share(1e-12, 1 - 1e-12), (p) => {
        assert.closeTo(normalCdf(normalQuantile(p)), p, 1e-12)
      })
    )
  })
})
