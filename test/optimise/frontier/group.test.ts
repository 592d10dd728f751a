import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { frontierOf } from "../../../src/optimise/frontier/frontierOf.ts"
import { groupMeans, groupsOf } from "../../../src/optimise/frontier/group.ts"
import { indexTable, itemTable } from "../../../src/optimise/itemTable.ts"
import { itemSet } from "../support.ts"

const index = indexTable(
  itemTable(
    itemSet<"acceptance">("a", 3, [
      { class: "omission", trace: "complete" },
      { class: "omission", trace: "fragment" },
      { class: "addition" }
    ])
  )
)
const groups = groupsOf(index)
const objectives = [0, 0, 0] as const

describe("groups", () => {
  it("are the clean notes and each class with its trace, and part the instances", () => {
    assert.deepStrictEqual(
      groups.map(({ name }) => name),
      ["clean", "omission/complete", "omission/fragment", "addition"]
    )
    const all = groups.flatMap(({ instances }) => instances)
    assert.deepStrictEqual(
      all.sort((a, b) => a - b),
      index.instances.map((_, at) => at)
    )
  })

  it("count an instance without a reward as nothing earned", () => {
    const rewards = new Float64Array(index.instances.length).fill(0.9)
    rewards[groups[1]!.instances[0]!] = Number.NaN
    assert.deepStrictEqual(
      [...groupMeans(groups, rewards)].map((mean) => Math.round(mean * 1e6) / 1e6),
      [0.9, 0.6, 0.9, 0.9]
    )
  })
})

describe("the frontier of groups", () => {
  it("is led by the greatest mean of each group, and its survivors lead them all", () => {
    const row = fc.array(fc.constantFrom(0, 0.25, 1), {
      minLength: index.instances.length,
      maxLength: index.instances.length
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const frontier = frontierOf("group", index)
        for (const rewards of rows) frontier.add({ rewards: Float64Array.from(rewards), objectives })
        const mean = (rewards: ReadonlyArray<number>, instances: ReadonlyArray<number>) =>
          instances.reduce((sum, at) => sum + rewards[at]!, 0) / instances.length
        const leads = (candidate: number) =>
          groups.filter(({ instances }) =>
            rows.every((other) => mean(rows[candidate]!, instances) >= mean(other, instances) - 1e-9)
          ).length
        const survivors = frontier.survivors()
        for (const [candidate, weight] of survivors) assert.strictEqual(weight, leads(candidate))
        for (const { instances } of groups) {
          const best = Math.max(...rows.map((rewards) => mean(rewards, instances)))
          assert.isTrue([...survivors.keys()].some((candidate) => mean(rows[candidate]!, instances) >= best - 1e-9))
        }
      }),
      { numRuns: 200 }
    )
  })

  it("keeps a candidate that is good at a kind of error, where one that leads scattered instances goes", () => {
    const of = (name: string) => groups.find((group) => group.name === name)!.instances
    const rewards = (value: (at: number) => number) => ({
      rewards: Float64Array.from(index.instances, (_, at) => value(at)),
      objectives
    })
    const specialist = rewards((at) => (of("omission/fragment").includes(at) ? 0.8 : 0.1))
    const scattered = rewards((at) => (at === of("addition")[0] ? 1 : 0))
    const rest = rewards((at) => (of("omission/fragment").includes(at) ? 0 : 0.5))
    const survivorsOf = (kind: "instance" | "group") => {
      const frontier = frontierOf(kind, index)
      for (const point of [specialist, scattered, rest]) frontier.add(point)
      return [...frontier.survivors().keys()]
    }
    assert.deepStrictEqual(survivorsOf("instance"), [0, 1, 2])
    assert.deepStrictEqual(survivorsOf("group"), [0, 2])
  })
})
