import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clusterBootstrap, resampleClusterDifference, resampleClusters } from "../../src/statistics/clusterBootstrap.ts"
import { onePerUnitBootstrap } from "../../src/statistics/onePerUnitBootstrap.ts"

const outcome = fc.constantFrom(0, 0.5, 1)
const clusters = fc.array(fc.array(outcome, { maxLength: 6 }), { minLength: 1, maxLength: 12 })

const sumsOf = (groups: ReadonlyArray<ReadonlyArray<number>>) => ({
  numerators: groups.map((group) => group.reduce((sum, value) => sum + value, 0)),
  denominators: groups.map((group) => group.length)
})

const options = { seed: 11, resamples: 500 }

describe("cluster bootstrap", () => {
  it("has an interval within the range of the clusters' own ratios, and the same for the same seed", () => {
    fc.assert(
      fc.property(clusters, fc.integer(), (groups, seed) => {
        const sums = sumsOf(groups)
        const result = resampleClusters(sums, { seed, resamples: 200 })
        assert.deepStrictEqual(result, resampleClusters(sums, { seed, resamples: 200 }))
        const ratios = groups
          .filter((group) => group.length > 0)
          .map((group) => sumsOf([group]).numerators[0]! / group.length)
        if (result === null) return assert.strictEqual(ratios.length, 0)
        const [low, high] = result.interval
        assert.isTrue(Math.min(...ratios) - 1e-12 <= low && low <= high && high <= Math.max(...ratios) + 1e-12)
        assert.strictEqual(result.clusters, ratios.length)
      })
    )
  })

  it("contains the estimate, for one cluster or many, of any sizes", () => {
    const part = fc.nat(40)
    const cluster = fc
      .tuple(outcome, outcome, part, part)
      .map(([one, other, many, more]) => ({ above: one * many + other * more, below: many + more }))
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 1, maxLength: 40 }), (clusters) => {
        const sums = {
          numerators: clusters.map(({ above }) => above),
          denominators: clusters.map(({ below }) => below)
        }
        const result = resampleClusters(sums, options)
        if (result === null) return assert.isTrue(clusters.every(({ below }) => below === 0))
        const { estimate, interval } = result
        assert.isTrue(interval[0] <= estimate + 1e-12 && estimate <= interval[1] + 1e-12, `${interval} ${estimate}`)
      }),
      { numRuns: 300 }
    )
  })

  it("gives the same for many clusters, whose numbers are few or all different", () => {
    const clusters = 20_000
    const resampled = (numerator: (cluster: number) => number) =>
      resampleClusters(
        {
          numerators: Array.from({ length: clusters }, (_, cluster) => numerator(cluster)),
          denominators: new Float64Array(clusters).fill(2)
        },
        { seed: 11, resamples: 20 }
      )!
    const few = resampled((cluster) => cluster % 3)
    const many = resampled((cluster) => (cluster % 3) + cluster * 1e-15)
    assert.deepStrictEqual(
      [...many.resampled].map((value) => Math.round(value * 1e9)),
      [...few.resampled].map((value) => Math.round(value * 1e9))
    )
  })

  it("drops empty clusters before it draws", () => {
    const groups = [[1, 0], [0.5], [1, 1, 0]]
    const padded = [[], ...groups.flatMap((group) => [group, []])]
    assert.deepStrictEqual(resampleClusters(sumsOf(padded), options), resampleClusters(sumsOf(groups), options))
    assert.isNull(clusterBootstrap(sumsOf([[], []]), options))
    assert.isNull(clusterBootstrap({ numerators: [], denominators: [] }, options))
  })

  it("gives the same difference from two ratios as from paired differences when both have the same pairs", () => {
    const a = { numerators: [2, 1, 3, 0.5], denominators: [3, 2, 3, 1] }
    const b = { numerators: [1, 1.5, 1, 0], denominators: [3, 2, 3, 1] }
    const direct = resampleClusterDifference(a, b, options)!
    const numerators = a.numerators.map((value, i) => value - b.numerators[i]!)
    const paired = resampleClusters({ numerators, denominators: a.denominators }, options)!
    assert.closeTo(direct.estimate, paired.estimate, 1e-12)
    assert.closeTo(direct.interval[0], paired.interval[0], 1e-12)
    assert.closeTo(direct.interval[1], paired.interval[1], 1e-12)
  })

  it("turns round when the sides do, and is nothing between equal sides", () => {
    fc.assert(
      fc.property(clusters, clusters, (left, right) => {
        const n = Math.min(left.length, right.length)
        const [a, b] = [sumsOf(left.slice(0, n)), sumsOf(right.slice(0, n))]
        const forth = resampleClusterDifference(a, b, options)
        const back = resampleClusterDifference(b, a, options)
        if (forth === null || back === null) return assert.strictEqual(forth, back)
        assert.closeTo(forth.interval[0], -back.interval[1], 1e-12)
        assert.deepStrictEqual(resampleClusterDifference(a, a, options)?.interval ?? [0, 0], [0, 0])
      })
    )
  })

  it("refuses a negative or missing denominator", () => {
    assert.throws(() => resampleClusters({ numerators: [1], denominators: [-1] }, options), RangeError)
    assert.throws(() => resampleClusters({ numerators: [1], denominators: [Number.NaN] }, options), RangeError)
    assert.throws(() => resampleClusters({ numerators: [1, 2], denominators: [1] }, options), RangeError)
  })
})

describe("one value a unit", () => {
  it("gives every unit the same weight", () => {
    const result = onePerUnitBootstrap([[1, 1, 1, 1, 1, 1, 1, 1], [0]], { seed: 11 })!
    assert.strictEqual(result.estimate, 0.5)
    assert.closeTo(result.mean, 0.5, 0.02)
  })

  it("varies by the choice within a unit even where there is one unit", () => {
    const { interval } = onePerUnitBootstrap([[0, 1]], { seed: 11 })!
    assert.deepStrictEqual(interval, [0, 1])
  })

  it("contains the estimate for units that are several, drops empty ones, and is null without any", () => {
    const units = fc.array(fc.array(outcome, { maxLength: 4 }), { minLength: 10, maxLength: 30 })
    fc.assert(
      fc.property(units, (groups) => {
        const result = onePerUnitBootstrap(groups, options)
        if (result === null) return assert.isTrue(groups.every((group) => group.length === 0))
        assert.isTrue(result.resampled[0]! <= result.estimate && result.estimate <= result.resampled.at(-1)!)
      })
    )
    assert.isNull(onePerUnitBootstrap([[], []], options))
  })
})
