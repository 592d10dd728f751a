import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clusterSignFlip, clusterSwap } from "../../src/statistics/clusterPermutation.ts"
import { flipTail } from "../../src/statistics/signFlip.ts"

/** Every arrangement, one by one. */
const enumerated = (values: ReadonlyArray<number>, tolerance: number): number => {
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  let extreme = 0
  for (let signs = 0; signs < 2 ** values.length; signs++) {
    const sum = values.reduce((total, value, i) => total + ((signs >> i) & 1 ? value : -value), 0)
    if (Math.abs(sum) >= observed - tolerance) extreme++
  }
  return extreme
}

const options = { seed: 11 }
const difference = fc.integer({ min: -20, max: 20 }).map((value) => value / 10)

describe("sign flips", () => {
  it("count what enumerating every arrangement counts, for whole numbers and for others", () => {
    const values = fc.oneof(
      fc.array(difference, { maxLength: 11 }),
      fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 11 }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 11 })
    )
    fc.assert(
      fc.property(values, (all) => {
        const result = flipTail(all, options, 1e-11)
        assert.strictEqual(result.extreme, enumerated(all, 1e-11))
        assert.strictEqual(result.arrangements, 2 ** all.length)
        assert.isTrue(result.exact)
      })
    )
  })

  it("find one p by enumeration and by the distribution of the sum", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 24 }), (whole) => {
        // Thirds are no whole numbers, so the halves are met in the middle.
        const byHalves = flipTail(
          whole.map((value) => value / 3),
          options,
          1e-11
        )
        assert.closeTo(byHalves.p, flipTail(whole, options, 1e-11).p, 1e-15)
      })
    )
  })

  it("draw a p close to the exact one, never 0, the same for a seed", () => {
    const values = Array.from({ length: 30 }, (_, i) => Math.sin(i + 1) + 0.3)
    const exact = flipTail(values, options, 1e-11)
    const drawn = flipTail(values, { seed: 22, exactUpTo: 10 }, 1e-11)
    assert.isFalse(drawn.exact)
    assert.strictEqual(drawn.p, drawn.extreme / 100_001)
    assert.closeTo(drawn.p, exact.p, 5 * Math.sqrt((exact.p * (1 - exact.p)) / 100_000))
    assert.deepStrictEqual(flipTail(values, { seed: 22, exactUpTo: 10 }, 1e-11), drawn)
    const alike = Array.from({ length: 60 }, (_, i) => 1 + i / 1000)
    assert.strictEqual(flipTail(alike, { seed: 1, draws: 999 }, 1e-11).p, 1 / 1000)
  })

  it("refuse a value that is not finite", () => assert.throws(() => flipTail([1, Number.NaN], options, 0), RangeError))
})

describe("cluster sign-flip test", () => {
  it("is a p-value that does not mind the sign, the order or empty clusters", () => {
    const clusters = fc.array(fc.array(difference, { maxLength: 4 }), { maxLength: 10 })
    fc.assert(
      fc.property(clusters, (all) => {
        const result = clusterSignFlip(all, options)
        if (result === null) return assert.isTrue(all.every((cluster) => cluster.length === 0))
        assert.isTrue(result.p > 0 && result.p <= 1)
        const negated = clusterSignFlip(
          all.map((cluster) => cluster.map((value) => -value)),
          options
        )!
        assert.strictEqual(negated.p, result.p)
        assert.strictEqual(clusterSignFlip([[], ...all.toReversed()], options)!.p, result.p)
      })
    )
  })
})

describe("judge swap test", () => {
  const pair = fc.record({
    a: fc.constantFrom(0, 0.5, 1, Number.NaN),
    b: fc.constantFrom(0, 0.5, 1, Number.NaN),
    cluster: fc.integer({ min: 0, max: 9 })
  })
  const run = (pairs: ReadonlyArray<{ a: number; b: number; cluster: number }>) =>
    clusterSwap(
      pairs.map(({ a }) => a),
      pairs.map(({ b }) => b),
      pairs.map(({ cluster }) => cluster),
      options
    )

  it("is symmetric in the judges and leaves out pairs that one did not judge", () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), (pairs) => {
        const result = run(pairs)
        const judged = pairs.filter(({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b))
        assert.deepStrictEqual(result, run(judged))
        if (result === null) return assert.strictEqual(judged.length, 0)
        assert.isTrue(result.p > 0 && result.p <= 1)
        const swapped = run(pairs.map(({ a, b, cluster }) => ({ a: b, b: a, cluster })))!
        assert.strictEqual(swapped.p, result.p)
        assert.strictEqual(swapped.a, result.b)
      })
    )
  })

  it("stays exact for hundreds of clusters", () => {
    const pairs = Array.from({ length: 300 }, (_, i) => ({
      a: i % 3 === 0 ? 1 : 0.5,
      b: i % 5 === 0 ? 1 : 0.5,
      cluster: i
    }))
    const result = run(pairs)!
    assert.isTrue(result.exact)
    // 80 pairs favour A, 40 favour B: flipping one-pair clusters is the sign test.
    assert.closeTo(result.p, 0.00033, 2e-6)
  })
})
