import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { CellFrontier, tolerance } from "../../../src/optimise/frontier/cells.ts"

/** The definition, written down naively: leaders by comparing everything, then the reference's restart-until-stable pruning. */
const naive = (rewards: ReadonlyArray<ReadonlyArray<number>>) => {
  const instances = rewards[0]!.length
  const leaders = Array.from({ length: instances }, (_, instance) => {
    const column = rewards.map((row) => row[instance]!)
    const best = Math.max(...column.filter((value) => !Number.isNaN(value)))
    return new Set(column.flatMap((value, candidate) => (value >= best - tolerance ? [candidate] : [])))
  })
  const mean = (row: ReadonlyArray<number>) =>
    row.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0) / row.length
  const order = rewards.map((_, candidate) => candidate).sort((a, b) => mean(rewards[a]!) - mean(rewards[b]!) || a - b)
  const removed = new Set<number>()
  for (let again = true; again; ) {
    again = false
    for (const candidate of order) {
      if (removed.has(candidate)) continue
      const led = leaders.filter((set) => set.has(candidate))
      if (led.every((set) => [...set].some((other) => other !== candidate && !removed.has(other)))) {
        removed.add(candidate)
        again = true
        break
      }
    }
  }
  return new Map(
    rewards.flatMap((_, candidate) =>
      removed.has(candidate) ? [] : [[candidate, leaders.filter((set) => set.has(candidate)).length] as const]
    )
  )
}

const frontierOf = (rewards: ReadonlyArray<ReadonlyArray<number>>) => {
  const frontier = new CellFrontier(rewards[0]!.length)
  for (const row of rewards) frontier.add(Float64Array.from(row))
  return frontier
}

const matrix = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 15 }))
  .chain(([candidates, instances]) =>
    fc.array(fc.array(fc.constantFrom(0, 0.25, 0.5, 0.5 + 1e-10, 1), { minLength: instances, maxLength: instances }), {
      minLength: candidates,
      maxLength: candidates
    })
  )

describe("a frontier over cells", () => {
  it("keeps the same survivors and weights as the definition computed from scratch", () => {
    fc.assert(
      fc.property(matrix, (rewards) => {
        assert.deepStrictEqual(new Map(frontierOf(rewards).survivors()), naive(rewards))
      }),
      { numRuns: 500 }
    )
  })

  it("lets candidates that tie lead together, and drops one that another covers", () => {
    const frontier = frontierOf([
      [1, 0, 0],
      [1, 1, 0],
      [0, 0, 1]
    ])
    assert.deepStrictEqual(frontier.leaders(0), [0, 1])
    assert.deepStrictEqual(
      frontier.survivors(),
      new Map([
        [1, 2],
        [2, 1]
      ])
    )
  })

  it("does not let an instance that could not be judged be led by the failure", () => {
    const frontier = frontierOf([
      [Number.NaN, 0.2],
      [0, 0.1]
    ])
    assert.deepStrictEqual(frontier.leaders(0), [1])
  })
})
