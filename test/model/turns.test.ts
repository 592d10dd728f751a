import { assert, describe, it } from "vitest"
import { makeTurns } from "../../src/model/turns.ts"

const loops = (n: number) =>
  Array.from({ length: n }).reduce<Promise<void>>(
    (before) => before.then(() => new Promise((resolve) => setImmediate(resolve))),
    Promise.resolve()
  )

describe("turns", () => {
  it("hand on all that arrives, in its order, and let the event loop go round in between", async () => {
    const inTurn = makeTurns()
    const seen: Array<number> = []
    const rounds: Array<number> = []
    for (let n = 0; n < 50; n++) inTurn(() => void seen.push(n))
    assert.deepEqual(seen, [])
    while (seen.length < 50) {
      await loops(1)
      rounds.push(seen.length)
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 50 }, (_, n) => n)
    )
    // Eight a turn: others have had theirs at least so often meanwhile.
    assert.isAtLeast(new Set(rounds).size, 6)
  })

  it("take what arrives while they run, and begin again after a rest", async () => {
    const inTurn = makeTurns()
    const seen: Array<string> = []
    inTurn(() => {
      seen.push("a")
      inTurn(() => void seen.push("c"))
    })
    inTurn(() => void seen.push("b"))
    await loops(4)
    assert.deepEqual(seen, ["a", "b", "c"])
    inTurn(() => void seen.push("d"))
    await loops(2)
    assert.deepEqual(seen, ["a", "b", "c", "d"])
  })
})
