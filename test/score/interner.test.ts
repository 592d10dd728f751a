import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { float64, Interner } from "../../src/dataset/scoresInterner.ts"
import { byName, orderOf, placesIn } from "../../src/dataset/scoresOrder.ts"

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

  it("tells the same text in two groups apart, and orders texts by length and bytes", () => {
    const interner = new Interner()
    const numbers = ["b", "a", "aa", "b"].map((text, at) => interner.number(text, at === 3 ? 7 : 0))
    assert.deepStrictEqual(numbers, [0, 1, 2, 3])
    assert.deepStrictEqual([interner.group(0), interner.group(3), interner.number("b", 7)], [0, 7, 3])
    assert.deepStrictEqual(
      [0, 1, 2, 3].toSorted((one, other) => interner.compare(one, other)),
      [1, 0, 3, 2]
    )
  })

  it("tells the empty text from others", () => {
    const interner = new Interner()
    assert.deepStrictEqual([interner.number(""), interner.number("a"), interner.number("")], [0, 1, 0])
  })
})

describe("a growing column", () => {
  it("holds the empty value wherever nothing was set", () => {
    const column = float64(Number.NaN)
    column.set(4000, 7)
    column.set(4001, Number.NaN)
    assert.deepStrictEqual(
      [0, 3999, 4000, 4001, 90_000].map((at) => column.at(at)),
      [Number.NaN, Number.NaN, 7, Number.NaN, Number.NaN]
    )
  })
})

describe("the order of notes", () => {
  it("is that of a stable sort, and none where they are in order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }), (values) => {
        const order = orderOf(values.length, (one, other) => values[one]! - values[other]!)
        const sorted = [...values.keys()].sort((one, other) => values[one]! - values[other]!)
        assert.deepStrictEqual([...(order ?? values.keys())], sorted)
        if (order === undefined) return
        assert.deepStrictEqual(
          [...order].map((value) => placesIn(order)[value]),
          [...order.keys()]
        )
      })
    )
  })

  it("puts numbers by their value, before words", () => {
    assert.deepStrictEqual(["b", "22", "9", "a", "-1", "1.5"].sort(byName), ["-1", "1.5", "9", "22", "a", "b"])
  })
})
