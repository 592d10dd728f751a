import { assert, describe, it } from "vitest"
import { mulberry32 } from "../../src/domain/Random.ts"
import { intervalOfResamples, intervalOfSums } from "../../src/measure/clusterInterval.ts"
import { auc } from "../../src/measure/discrimination.ts"
import { compareJudges } from "../../src/measure/judgeComparison.ts"
import { judgeFigures } from "../../src/measure/judgeFigures.ts"
import { operatingPoint } from "../../src/measure/operatingPoint.ts"
import { swapDesign } from "../../src/measure/rankedTwice.ts"
import { judgeReplicates } from "../../src/measure/replicateSpread.ts"
import { percentileInterval } from "../../src/statistics/quantile.ts"
import { judgedAll, noteSet } from "./noteSets.ts"

const resampling = { seed: 11, resamples: 1000 }
const sums = (numerators: ReadonlyArray<number>) => ({ numerators, denominators: numerators.map(() => 1) })
const repeated = (value: number, times: number) => Array.from({ length: times }, () => value)

describe("an interval over consultations", () => {
  it("is not given of fewer than 10", () => {
    assert.deepStrictEqual(
      intervalOfSums(sums([...repeated(0, 5), 1, 1, 1, 1]), { estimate: 4 / 9, share: true }, resampling),
      {
        interval: null,
        intervalNote: "few-consultations"
      }
    )
    assert.isNull(
      intervalOfSums(sums([...repeated(0, 5), 1, 1, 1, 1, 1]), { estimate: 0.5, share: true }, resampling).intervalNote
    )
  })

  it("of a share that is the same in all of them is Clopper–Pearson's, and of anything else none", () => {
    assert.deepStrictEqual(intervalOfSums(sums(repeated(1, 10)), { estimate: 1, share: true }, resampling), {
      interval: [0.6915028921812392, 1],
      intervalNote: "clopper-pearson-on-consultations"
    })
    for (const [value, share] of [
      [0.5, true],
      [0, false]
    ] as const)
      assert.deepStrictEqual(intervalOfSums(sums(repeated(value, 10)), { estimate: value, share }, resampling), {
        interval: null,
        intervalNote: "all-alike"
      })
  })

  it("is not given of a figure that too many resamples do not have", () => {
    const values = Float64Array.from({ length: 100 }, (_, at) => (at < 6 ? Number.NaN : at))
    const measured = { estimate: 1, consultations: 20, share: false }
    assert.strictEqual(intervalOfResamples(values, measured).intervalNote, "often-undefined")
    values[5] = 5
    assert.isNotNull(intervalOfResamples(values, measured).interval)
  })
})

const consultations = 15
const set = noteSet(consultations, 2)
const next = mulberry32(5)
const scores = Array.from({ length: 3 * consultations }, (_, note) => Math.floor(next() * (note % 3 === 0 ? 11 : 8)))
const severities = [1, 0.5, 0.25]

describe("the intervals of a judge's figures", () => {
  it("are those of measuring every resample anew", () => {
    const run = judgedAll(scores)
    const figures = judgeFigures(set, run, { cap: 0.2, ...resampling })
    const flagged = (note: number) => scores[note]! < figures.operating!.threshold
    const draw = mulberry32(resampling.seed)
    const found = Array.from({ length: resampling.resamples }, () => {
      const drawn = Array.from({ length: consultations }, () => Math.floor(draw() * consultations))
      const clean = drawn.map((one) => 3 * one)
      const pairs = drawn.flatMap((one) => [2 * one, 2 * one + 1])
      const flawed = pairs.map((pair) => set.pairs.flawed[pair]!)
      const count = (notes: ReadonlyArray<number>) => notes.filter(flagged).length
      const [tp, fp] = [count(flawed), count(clean)]
      const weight = (of: ReadonlyArray<number>) => of.reduce((sum, pair) => sum + severities[pair % 3]!, 0)
      const mean = (notes: ReadonlyArray<number>) => notes.reduce((sum, note) => sum + scores[note]!, 0) / notes.length
      return {
        auc: auc(
          flawed.map((note) => scores[note]!),
          clean.map((note) => scores[note]!)
        )!,
        f1: (2 * tp) / (2 * tp + fp + flawed.length - tp),
        bothCorrect:
          pairs.filter((pair) => flagged(set.pairs.flawed[pair]!) && !flagged(set.pairs.clean[pair]!)).length /
          pairs.length,
        severityWeighted: weight(pairs.filter((pair) => flagged(set.pairs.flawed[pair]!))) / weight(pairs),
        gap: mean(clean) - mean(flawed)
      }
    })
    for (const name of ["auc", "f1", "bothCorrect", "severityWeighted", "gap"] as const) {
      const expected = percentileInterval(
        found.map((one) => one[name]).sort((a, b) => a - b),
        0.95
      )!
      const { interval } = figures.intervals[name]
      assert.isBelow(expected[0], expected[1], name)
      assert.approximately(interval![0], expected[0], 1e-12, name)
      assert.approximately(interval![1], expected[1], 1e-12, name)
    }
  })

  it("of means over replicates are narrower where the replicates go against each other, the same where they agree", () => {
    const options = { cap: 0.2, ...resampling }
    const twice = judgeReplicates(set, [judgedAll(scores), judgedAll(scores, "2")], options)
    assert.deepStrictEqual(twice.spread.intervals!.auc, twice.figures[0]!.intervals.auc)
    const mirrored = scores.map((score) => 10 - score)
    const against = judgeReplicates(set, [judgedAll(scores), judgedAll(mirrored, "2")], options)
    assert.approximately(against.spread.meanClean.mean!, 5, 1e-12)
    assert.deepStrictEqual(against.spread.intervals!.meanClean, { interval: null, intervalNote: "all-alike" })
  })
})

describe("the interval of a difference in detection", () => {
  const draw = mulberry32(8)
  const others = scores.map((score) => Math.max(0, score - Math.floor(draw() * 4)))
  const [a, b] = [judgedAll(scores, "1", "a"), judgedAll(others, "1", "b")]
  const options = { cap: 0.1, seed: 11, resamples: 1000 }

  it("is that of choosing both thresholds anew in every resample", () => {
    const detected = (of: ReadonlyArray<number>, drawn: ReadonlyArray<number>) => {
      const notes = drawn.flatMap((consultation) => [0, 1, 2].map((note) => 3 * consultation + note))
      const side = (flawed: boolean) => notes.filter((note) => (note % 3 !== 0) === flawed).map((note) => of[note]!)
      const point = operatingPoint(side(true), side(false), options.cap)!
      return point.detected / point.flawed
    }
    const ordered = [...set.pairs.flawed, ...set.clean]
    const { clusters } = swapDesign([
      {
        cluster: ordered.map((note) => Math.floor(note / 3)),
        flawed: ordered.map((note) => Number(note % 3 !== 0)),
        a: ordered.map((note) => scores[note]!),
        b: ordered.map((note) => others[note]!)
      }
    ])
    const random = mulberry32(options.seed)
    const resampled = Float64Array.from({ length: options.resamples }, () => {
      const drawn = Array.from({ length: consultations }, () => clusters[Math.floor(random() * consultations)]!)
      return detected(scores, drawn) - detected(others, drawn)
    }).sort()
    const { detection } = compareJudges(set, [a], [b], options)
    const expected = percentileInterval(resampled, 0.95)!
    assert.isAbove(expected[1] - expected[0], 0)
    assert.approximately(detection!.interval![0], expected[0], 1e-12)
    assert.approximately(detection!.interval![1], expected[1], 1e-12)
  })

  it("holds thresholds that are given", () => {
    const { detection } = compareJudges(set, [a], [b], { ...options, threshold: 4 })
    const differences = Array.from({ length: consultations }, (_, consultation) =>
      [1, 2].reduce((sum, note) => {
        const at = 3 * consultation + note
        return sum + Number(scores[at]! < 4) - Number(others[at]! < 4)
      }, 0)
    )
    const held = { numerators: differences, denominators: differences.map(() => 2) }
    const estimate = differences.reduce((sum, one) => sum + one, 0) / (2 * consultations)
    assert.deepStrictEqual(detection!.interval, intervalOfSums(held, { estimate, share: false }, options).interval)
    assert.isNull(detection!.swap)
  })
})
