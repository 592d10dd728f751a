import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { boschloo } from "../../src/statistics/boschloo.ts"
import { fisherExact, type TwoProportions } from "../../src/statistics/fisher.ts"
import { mcnemar } from "../../src/statistics/mcnemar.ts"
import { signTest } from "../../src/statistics/signTest.ts"

const proportion = (most: number) =>
  fc.integer({ min: 1, max: most }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

const table = (most: number): fc.Arbitrary<TwoProportions> =>
  fc.tuple(proportion(most), proportion(most)).map(([[x1, n1], [x2, n2]]) => ({ x1, n1, x2, n2 }))

const isP = (p: number) => assert.isTrue(p >= 0 && p <= 1, `p = ${p}`)

const choose = (n: number, k: number): number => {
  let value = 1
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i
  return Math.round(value)
}

/** Boschloo by its definition: all tables, exact whole-number Fisher tails, a dense grid. */
const bruteLess = ({ x1, n1, x2, n2 }: TwoProportions): number => {
  const fisher = (a: number, b: number) => {
    let below = 0
    for (let i = 0; i <= a; i++) if (a + b - i <= n2) below += choose(n1, i) * choose(n2, a + b - i)
    return below / choose(n1 + n2, a + b)
  }
  const observed = fisher(x1, x2)
  const region: Array<readonly [number, number]> = []
  for (let a = 0; a <= n1; a++) {
    for (let b = 0; b <= n2; b++) if (fisher(a, b) <= observed * (1 + 1e-9)) region.push([a, b])
  }
  let best = 0
  for (let i = 0; i <= 2000; i++) {
    const pi = i / 2000
    const probability = (x: number, n: number) => choose(n, x) * pi ** x * (1 - pi) ** (n - x)
    best = Math.max(
      best,
      region.reduce((sum, [a, b]) => sum + probability(a, n1) * probability(b, n2), 0)
    )
  }
  return best
}

describe("sign test and McNemar", () => {
  it("is a p-value, symmetric, and smaller the more lopsided", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), (wins, losses) => {
        isP(signTest(wins, losses))
        assert.strictEqual(signTest(wins, losses), signTest(losses, wins))
        if (wins >= losses) assert.isAtMost(signTest(wins + 1, losses), signTest(wins, losses) + 1e-12)
      })
    )
  })

  it("counts discordant items and swaps with the methods", () => {
    const flags = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(flags, (items) => {
        const [first, second] = [items.map(([a]) => a), items.map(([, b]) => b)]
        const result = mcnemar(first, second)
        assert.deepStrictEqual(mcnemar(second, first), { b: result.c, c: result.b, p: result.p })
      })
    )
    assert.deepStrictEqual(mcnemar([true, true, false], [false, false, false]), { b: 2, c: 0, p: 0.5 })
    assert.throws(() => mcnemar([true], []), RangeError)
  })

  it("reproduces the published campaign's p-values", () => {
    for (let losses = 0; losses < 400; losses++) assert.strictEqual(signTest(losses + 1, losses), 1)
    assert.closeTo(signTest(13, 10), 0.67764, 5e-6)
    assert.closeTo(signTest(11, 0), 0.00098, 5e-6)
    assert.closeTo(signTest(8, 3), 0.23, 0.005)
  })
})

describe("Fisher and Boschloo", () => {
  it("are p-values whose sides change places with the groups", () => {
    fc.assert(
      fc.property(table(40), (one) => {
        const swapped = { x1: one.x2, n1: one.n2, x2: one.x1, n2: one.n1 }
        for (const test of [fisherExact, boschloo]) {
          const [here, there] = [test(one), test(swapped)]
          for (const p of Object.values(here)) isP(p)
          assert.closeTo(here.less, there.greater, 1e-9)
          assert.closeTo(here.twoSided, there.twoSided, 1e-9)
        }
      })
    )
  })

  it("change sides when successes and failures change places", () => {
    fc.assert(
      fc.property(table(30), ({ x1, n1, x2, n2 }) => {
        const [here, there] = [boschloo({ x1, n1, x2, n2 }), boschloo({ x1: n1 - x1, n1, x2: n2 - x2, n2 })]
        assert.closeTo(here.less, there.greater, 1e-9)
        assert.closeTo(here.twoSided, there.twoSided, 1e-9)
      })
    )
  })

  it("give Boschloo a one-sided p no larger than Fisher's, which it refines", () => {
    fc.assert(
      fc.property(table(40), (one) => {
        assert.isAtMost(boschloo(one).less, fisherExact(one).less + 1e-9)
        assert.isAtMost(boschloo(one).greater, fisherExact(one).greater + 1e-9)
      })
    )
  })

  it("find at least what a dense grid over the definition finds, and hardly more", () => {
    fc.assert(
      fc.property(table(9), (one) => {
        const [ours, grid] = [boschloo(one).less, bruteLess(one)]
        assert.isAtLeast(ours, grid - 1e-12)
        assert.closeTo(ours, grid, 1e-5)
      }),
      { numRuns: 40 }
    )
  })

  it("give 1 for an empty group and refuse impossible counts", () => {
    assert.deepStrictEqual(fisherExact({ x1: 0, n1: 0, x2: 3, n2: 9 }), { less: 1, greater: 1, twoSided: 1 })
    assert.closeTo(boschloo({ x1: 0, n1: 0, x2: 3, n2: 9 }).twoSided, 1, 1e-12)
    assert.throws(() => boschloo({ x1: 4, n1: 3, x2: 1, n2: 2 }), RangeError)
    assert.throws(() => fisherExact({ x1: -1, n1: 3, x2: 1, n2: 2 }), RangeError)
  })

  it("stay p-values in groups of thousands", () => {
    const { less, greater, twoSided } = boschloo({ x1: 900, n1: 2000, x2: 1010, n2: 2000 })
    isP(greater)
    assert.closeTo(twoSided, 2 * less, 1e-15)
    // The normal approximation with unpooled variance gives 0.00024.
    assert.isTrue(less > 0.0001 && less < 0.0005, String(less))
  })
})
