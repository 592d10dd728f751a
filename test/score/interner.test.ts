import { assert, describe, it } from "vitest"
import { float64, Interner } from "../../src/dataset/scoresInterner.ts"

describe("the interner", () => {
  it("numbers texts in the order in which they are first seen, and gives them back", () => {
    const interner = new Interner()
    const texts = Array.from({ length: 20_000 }, (_, at) => `${at}\u0000é日𝄞${"x".repeat(at % 300)}`)
    for (const round of [0, 1]) {
      texts.forEach((text, at) => {
        assert.strictEqual(interner.number(text), at, `round ${round}`)
      })
    }
    assert.strictEqual(interner.size, texts.length)
    for (const at of [0, 1, 299, 19_999]) assert.strictEqual(interner.text(at), texts[at])
  })

  it("tells the empty text from others", () => {
    const interner = new Interner()
    assert.deepStrictEqual([interner.number(""), interner.number("a"), interner.number("")], [0, 1, 0])
  })
})

describe("a growing column", () => {
  it("holds the empty value wherever nothing was set", () => {
    const column = float64(Number.NaN)
    column.set(40, 7)
    assert.deepStrictEqual([column.length, column.at(3), column.at(40), column.at(99)], [41, Number.NaN, 7, Number.NaN])
    assert.deepStrictEqual([...column.toArray(43).subarray(39)], [Number.NaN, 7, Number.NaN, Number.NaN])
  })
})
