import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Outcomes } from "../../../src/domain/Judgement.ts"
import { figuresOf } from "../../../src/optimise/figures.ts"
import { covers, dominates } from "../../../src/optimise/frontier/dominance.ts"
import { type Objectives, objectivesFrontier, objectivesOf } from "../../../src/optimise/frontier/objectives.ts"
import { indexTable, itemTable } from "../../../src/optimise/itemTable.ts"
import { standing, wholeNoteScale } from "../../../src/optimise/rewards.ts"
import { itemSet } from "../support.ts"

const value = fc.constantFrom(0, 0.25, 0.5, 1)
const vectors = fc.array(fc.tuple(fc.tuple(value, value, value), fc.constantFrom(0.1, 0.2, 0.3)), {
  minLength: 1,
  maxLength: 14
})

const frontierOf = (points: ReadonlyArray<readonly [Objectives, number] | null>) => {
  const frontier = objectivesFrontier()
  for (const point of points) {
    frontier.add(point === null ? null : { objectives: point[0], rewards: Float64Array.of(point[1]) })
  }
  return frontier
}

/** The definition: on no axis worse and on one better. */
const beats = (a: Objectives, b: Objectives) =>
  a[0] >= b[0] && a[1] >= b[1] && a[2] >= b[2] && (a[0] > b[0] || a[1] > b[1] || a[2] > b[2])

describe("dominance", () => {
  it("is a strict partial order, and equals its definition", () => {
    fc.assert(
      fc.property(
        fc.tuple(value, value, value),
        fc.tuple(value, value, value),
        fc.tuple(value, value, value),
        (a, b, c) => {
          assert.strictEqual(dominates(a, b), beats(a, b))
          assert.isFalse(dominates(a, a))
          if (dominates(a, b)) assert.isFalse(dominates(b, a))
          if (dominates(a, b) && dominates(b, c)) assert.isTrue(dominates(a, c))
          assert.isTrue(covers(a, a))
        }
      )
    )
  })
})

describe("the frontier of objectives", () => {
  it("keeps exactly one candidate for each objectives that none dominates", () => {
    fc.assert(
      fc.property(vectors, (points) => {
        const survivors = [...frontierOf(points).survivors().keys()]
        const key = (at: number) => points[at]![0].join()
        const undominated = points.flatMap(([one], at) => (points.some(([other]) => beats(other, one)) ? [] : [at]))
        assert.deepStrictEqual(new Set(survivors.map(key)), new Set(undominated.map(key)))
        assert.strictEqual(new Set(survivors.map(key)).size, survivors.length)
        for (const survivor of survivors) {
          const equals = points.flatMap((_, at) => (key(at) === key(survivor) ? [at] : []))
          const greatest = Math.max(...equals.map((at) => points[at]![1]))
          assert.strictEqual(
            survivor,
            equals.findLast((at) => points[at]![1] === greatest)
          )
        }
      }),
      { numRuns: 500 }
    )
  })

  it("keeps a trade-off that is best at nothing, which maxima by objective would lose", () => {
    const frontier = frontierOf([
      [[1, 0, 0.5], 0.5],
      [[0, 1, 0.5], 0.5],
      [[0.6, 0.6, 0.5], 0.5]
    ])
    assert.deepStrictEqual([...frontier.survivors().keys()], [0, 1, 2])
  })

  it("counts a candidate that may not be a parent for nothing", () => {
    const frontier = frontierOf([[[0.2, 0.2, 0.2], 0.1], null])
    assert.deepStrictEqual([...frontier.survivors()], [[0, 1]])
    assert.strictEqual(frontier.candidates, 2)
  })
})

describe("objectives", () => {
  const set = itemSet<"acceptance">("a", 10, [{ class: "omission" }, { class: "addition" }, { class: "alteration" }])
  const index = indexTable(itemTable(set))
  const measured = (score: (id: string) => number | null) => {
    const outcomes: Outcomes = Object.fromEntries(
      set.items.flatMap(({ id }) => {
        const given = score(id)
        return given === null ? [] : [[id, { _tag: "scored" as const, score: given }]]
      })
    )
    const objective = { primary: { measure: "paired-discrimination" } } as const
    const { detection } = figuresOf(index, outcomes, objective, wholeNoteScale)
    return objectivesOf(index, standing(index, outcomes), detection)
  }

  it("are paired discrimination on omissions, on additions with alterations, and quiet on clean notes", () => {
    const objectives = measured((id) => {
      if (id.endsWith("/clean")) return id.startsWith("a0/") ? 2 : 8
      // Omissions (flaw 0) all tie but a0's; additions are told apart; alterations are inverted.
      if (id.endsWith("flawed0")) return 8
      return id.endsWith("flawed1") ? 1 : 9
    })
    // Omissions: 9 ties and a loss. Commissions: 10 wins and 10 losses. One of ten clean notes lies below 8.
    assert.deepStrictEqual(objectives, [0.45, 0.5, 1])
    const alarmed = measured((id) => (id.endsWith("/clean") ? (id.startsWith("a0/") ? 2 : 8) : 3))
    assert.deepStrictEqual(alarmed, [0.9, 0.9, 0.9])
  })

  it("count notes that were not judged against the candidate", () => {
    const all = measured((id) => (id.endsWith("/clean") ? 8 : 3))
    assert.deepStrictEqual(all, [1, 1, 1])
    const half = measured((id) => (Number(id[1]) >= 5 ? null : id.endsWith("/clean") ? 8 : 3))
    assert.deepStrictEqual(half, [0.5, 0.5, 0.5])
  })
})
