import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Selector } from "../../../src/domain/Campaign.ts"
import { type DrawPool, selectParent } from "../../../src/optimise/frontier/select.ts"

const pool: DrawPool = {
  ranked: [2, 0, 3, 1],
  pinned: [],
  survivors: new Map([
    [0, 3],
    [2, 1]
  ]),
  among: (candidates) => new Map(candidates.map((candidate) => [candidate, candidate === 3 ? 2 : 1]))
}

const draws = 4000
/** Share of the draws that each candidate got. */
const shares = (selector: Selector, from: DrawPool = pool, seed = 5) => {
  const counts = new Map<number, number>()
  for (let iteration = 1; iteration <= draws; iteration++) {
    const parent = selectParent(selector, from, { seed, iteration })
    counts.set(parent, (counts.get(parent) ?? 0) + 1)
  }
  return (candidate: number) => (counts.get(candidate) ?? 0) / draws
}
/** Five standard errors of a share. */
const near = (share: number, expected: number) =>
  assert.closeTo(share, expected, 5 * Math.sqrt((expected * (1 - expected)) / draws) + 1e-12)

describe("a selector", () => {
  it("pareto draws survivors in proportion to what they lead", () => {
    const share = shares("pareto")
    near(share(0), 0.75)
    near(share(2), 0.25)
    assert.strictEqual(share(1) + share(3), 0)
  })

  it("best takes the best by the winner's rule, every time", () => {
    assert.strictEqual(shares("best")(2), 1)
  })

  it("epsilonGreedy takes any candidate with probability ε, else the best", () => {
    const share = shares({ epsilonGreedy: 0.4 })
    near(share(2), 0.6 + 0.4 / 4)
    for (const other of [0, 1, 3]) near(share(other), 0.4 / 4)
    assert.strictEqual(shares({ epsilonGreedy: 0 })(2), 1)
    near(shares({ epsilonGreedy: 1 })(1), 0.25)
  })

  it("topK draws from the k best, by what they lead among themselves", () => {
    const share = shares({ topK: 3 })
    near(share(2), 0.25)
    near(share(0), 0.25)
    near(share(3), 0.5)
    assert.strictEqual(share(1), 0)
  })

  it("draws the same for the same seed, iteration and number, and else independently", () => {
    const of = (seed: number, number: number) =>
      Array.from({ length: 200 }, (_, iteration) => selectParent("pareto", pool, { seed, iteration, number }))
    assert.deepStrictEqual(of(1, 1), of(1, 1))
    assert.notDeepEqual(of(1, 1), of(2, 1))
    assert.notDeepEqual(of(1, 1), of(1, 2))
  })

  it("draws each of a frontier once in an iteration, as long as there are others", () => {
    for (let iteration = 1; iteration <= 50; iteration++) {
      assert.strictEqual(selectParent("pareto", pool, { seed: 1, iteration, number: 2, drawn: [0] }), 2)
      assert.include([0, 2], selectParent("pareto", pool, { seed: 1, iteration, number: 3, drawn: [0, 2] }))
      assert.strictEqual(selectParent("best", pool, { seed: 1, iteration, number: 2, drawn: [2] }), 2)
    }
  })

  it("keeps the pinned among those it draws from, with at least the average weight", () => {
    const pinned = { ...pool, pinned: [1] }
    const pareto = shares("pareto", pinned)
    // Weights 3 and 1, and their average 2 for the pinned one.
    near(pareto(0), 0.5)
    near(pareto(1), 1 / 3)
    const best = shares("best", pinned)
    near(best(2), 0.5)
    near(best(1), 0.5)
    near(shares({ epsilonGreedy: 0.2 }, pinned)(1), 0.8 / 2 + 0.2 / 4)
    assert.isAbove(shares({ topK: 1 }, pinned)(1), 0)
    assert.strictEqual(shares({ topK: 1 }, pinned)(0), 0)
  })

  it("only ever draws who may be a parent", () => {
    const selector = fc.oneof(
      fc.constantFrom<Selector>("pareto", "best"),
      fc.double({ min: 0, max: 1, noNaN: true }).map((epsilonGreedy) => ({ epsilonGreedy })),
      fc.integer({ min: 1, max: 9 }).map((topK) => ({ topK }))
    )
    const ranked = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(selector, ranked, fc.integer(), fc.nat(), (chosen, candidates, seed, iteration) => {
        const survivors = new Map(candidates.slice(0, 3).map((candidate, at) => [candidate, at + 1]))
        const some: DrawPool = { ranked: candidates, pinned: candidates.slice(-1), survivors, among: () => survivors }
        assert.include(candidates, selectParent(chosen, some, { seed, iteration }))
      })
    )
  })

  it("falls back on the latest candidate where nothing is judged, and refuses where all are vetoed", () => {
    const nothing: DrawPool = { ranked: [1, 0], pinned: [], survivors: new Map(), among: () => new Map() }
    assert.strictEqual(selectParent("pareto", nothing, { seed: 1, iteration: 1 }), 1)
    assert.throws(() => selectParent("best", { ...nothing, ranked: [] }, { seed: 1, iteration: 1 }), /vetoed/)
  })
})
