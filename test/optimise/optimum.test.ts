import { assert, describe, it } from "vitest"
import { searchOptimum } from "../bench/optimumRunTask.ts"
import { crude, optimumTask, planted, precise, rulesText, terrains } from "../bench/optimumTask.ts"

const terrain = terrains.deep
const seeds = [2, 3]
const most = 4000

describe("a landscape with a planted optimum", () => {
  it("has it at the planted instruction, and a local one at the seed: its way out leads down first", () => {
    for (const seed of seeds) {
      const { optimum, qualityOf, task } = optimumTask({ seed, terrain })
      assert.strictEqual(qualityOf(rulesText(planted)), 1)
      assert.strictEqual(optimum, 1)
      const [start] = task.seeds
      const general = qualityOf(start!.instructions["judge"]!)
      assert.isAbove(general, 0.4)
      assert.isBelow(general, 0.75)
      const others = [crude(1), crude(2)]
      const steps = [1, 2, 3, 4].map((count) =>
        qualityOf(rulesText(new Set([...others, ...[0, 1, 2, 3].slice(0, count).map(precise)])))
      )
      assert.isBelow(steps[0]!, general)
      assert.isAbove(steps[3]!, general)
      assert.isBelow(qualityOf(rulesText(new Set([crude(0), ...others, precise(0)]))), general)
    }
  })

  it("is climbed by the defaults, where the best candidate alone as parent is caught", () => {
    for (const seed of seeds) {
      const found = searchOptimum({ seed, terrain }, most)
      assert.isNotNull(found.calls, `seed ${seed}`)
      const greedy = searchOptimum({ seed, terrain, search: { selector: "best" } }, most)
      assert.isNull(greedy.calls, `seed ${seed}`)
      assert.isBelow(greedy.share, found.share)
    }
  })

  it("takes the same calls for the same seed", () => {
    const once = () => searchOptimum({ seed: 2, terrain }, 800)
    assert.deepStrictEqual(once(), once())
  })
})
