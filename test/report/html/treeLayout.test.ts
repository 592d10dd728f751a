import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import type { ReportNode } from "../../../src/report/html/ReportData.ts"
import { layoutTree } from "../../../src/report/html/treeLayout.ts"

const node = (
  kind: ReportNode["kind"],
  parents: ReadonlyArray<number>,
  iteration: number,
  proposal = 1
): ReportNode => ({
  kind,
  name: `n${iteration}`,
  id: null,
  origin: "reflection",
  parents,
  iteration,
  proposal,
  module: "judge",
  texts: [],
  reason: null,
  detail: "",
  parentReward: null,
  childReward: null,
  compared: 0,
  member: null,
  reply: null
})

describe("the layout of a lineage", () => {
  it("puts the latest child nearest, rejected proposals on their parent's lane, and goes through children in time", () => {
    const nodes = [
      node("seed", [], 0),
      node("accepted", [0], 1),
      node("rejected", [0], 2),
      node("accepted", [0], 3),
      node("accepted", [1, 3], 4)
    ]
    const { lanes, placed } = layoutTree(nodes)
    assert.strictEqual(lanes, 4)
    assert.deepStrictEqual(
      placed.map(({ node }) => node),
      [0, 1, 4, 2, 3]
    )
    const lane = (at: number) => placed.find((one) => one.node === at)!.lane
    assert.deepStrictEqual([0, 1, 2, 3, 4].map(lane), [0, 2, 0, 1, 3])
    assert.deepStrictEqual(
      placed.map(({ level }) => level),
      [1, 2, 3, 2, 2]
    )
    // The second parent of a merge was of use until then, too.
    assert.strictEqual(placed.find((one) => one.node === 3)!.until, 4)
  })

  it("places every node once, with no two marks in one place", () => {
    const trees = fc.array(fc.record({ parent: fc.nat(), rejected: fc.boolean() }), { maxLength: 60 }).map((steps) => {
      const nodes = [node("seed", [], 0), node("seed", [], 0)]
      const usable = [0, 1]
      steps.forEach(({ parent, rejected }, at) => {
        nodes.push(
          node(
            rejected ? "rejected" : "accepted",
            [usable[parent % usable.length]!],
            1 + Math.floor(at / 3),
            1 + (at % 3)
          )
        )
        if (!rejected) usable.push(nodes.length - 1)
      })
      return nodes
    })
    fc.assert(
      fc.property(trees, (nodes) => {
        const { lanes, placed } = layoutTree(nodes)
        assert.deepStrictEqual(
          placed.map(({ node }) => node).sort((a, b) => a - b),
          [...nodes.keys()]
        )
        assert.strictEqual(new Set(placed.map(({ column, lane }) => `${column} ${lane}`)).size, placed.length)
        assert.strictEqual(lanes, nodes.filter(({ kind }) => kind !== "rejected").length)
        for (const { column, until } of placed) assert.isAtLeast(until, column)
      })
    )
  })
})
