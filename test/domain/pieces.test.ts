import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { allAtOnce, inPieces, Pace, type Pieces } from "../../src/domain/pieces.ts"

function* counting(to: number, ended: () => void): Pieces<number> {
  try {
    let sum = 0
    for (let at = 1; at <= to; at++) {
      sum += at
      yield
    }
    return sum
  } finally {
    ended()
  }
}

describe("work in pieces", () => {
  it.effect("gives what it gives all at once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* inPieces(() => counting(100, () => {})), 5050)
      assert.strictEqual(allAtOnce(counting(100, () => {})), 5050)
    })
  )

  it.live("lets others have their turn, is left where it is interrupted, and puts in order what it must", () =>
    Effect.gen(function* () {
      let ended = 0
      let turns = 0
      const others = setInterval(() => turns++, 1)
      const work = yield* Effect.forkChild(inPieces(() => counting(Number.POSITIVE_INFINITY, () => ended++)))
      yield* Effect.sleep(20)
      yield* Fiber.interrupt(work)
      clearInterval(others)
      assert.isAbove(turns, 0)
      assert.strictEqual(ended, 1)
    })
  )

  it("a pace says that a piece is full, and begins the next", () => {
    const pace = new Pace()
    let full = 0
    for (let at = 0; at < 64; at++) if (pace.isFull(2 ** 18)) full++
    assert.strictEqual(full, 16)
  })
})
