import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import { packNumbers, textPacker, unpackRows, unpackText } from "../../../src/report/html/packing.ts"

describe("packing", () => {
  it("gives texts back as they were, and keeps a line that they share once", () => {
    fc.assert(
      fc.property(fc.array(fc.string().map((text) => text.replaceAll(" ", "\n"))), (texts) => {
        const packer = textPacker()
        const places = texts.map(packer.add)
        const packed = JSON.parse(JSON.stringify(packer.packed())) as ReturnType<typeof packer.packed>
        assert.deepStrictEqual(
          places.map((at) => unpackText(packed, at)),
          texts
        )
        assert.strictEqual(new Set(packed.lines).size, packed.lines.length)
      })
    )
  })

  it("gives numbers back exactly, and NaN and infinity among them", () => {
    const values = fc.oneof(
      fc.double({ min: -Number.MAX_VALUE }),
      fc.constantFrom(0, 0.5, 7.2, Number.NaN, Number.POSITIVE_INFINITY)
    )
    fc.assert(
      fc.property(fc.array(values), (numbers) => {
        const wanted = numbers.map((value) => (Object.is(value, -0) ? 0 : value))
        const back = JSON.parse(JSON.stringify(packNumbers(wanted))) as ReturnType<typeof packNumbers>
        assert.deepStrictEqual([...unpackRows(back, wanted.length)(0)], wanted)
      })
    )
  })

  it("does so with more distinct numbers than places", () => {
    const many = Float64Array.from({ length: 70_000 }, (_, at) => at / 7)
    many[3] = Number.NaN
    const packed = packNumbers(many)
    assert.isNull(packed.values)
    assert.deepStrictEqual(unpackRows(packed, many.length)(0), many)
  })

  it.each([254, 255, 65_534])("tells %i distinct numbers from NaN and infinity, in rows", (distinct) => {
    const row = [...Array.from({ length: distinct }, (_, at) => at / 7), Number.NaN, Number.POSITIVE_INFINITY]
    const packed = packNumbers([...row, ...row.toReversed()])
    assert.isNotNull(packed.values)
    const rows = unpackRows(packed, row.length)
    assert.deepStrictEqual([[...rows(1)], [...rows(0)]], [row.toReversed(), row])
  })
})
