import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import { packNumbers, textPacker, unpackNumbers, unpackText } from "../../../src/report/html/packing.ts"

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

  it("gives numbers back exactly, without a score and unreadable ones too", () => {
    const values = fc.oneof(fc.double(), fc.constantFrom(0, 0.5, 7.2, Number.NaN, Number.POSITIVE_INFINITY))
    fc.assert(
      fc.property(fc.array(values), (numbers) => {
        const wanted = numbers.map((value) => (Object.is(value, -0) ? 0 : value))
        const back = unpackNumbers(JSON.parse(JSON.stringify(packNumbers(wanted))) as ReturnType<typeof packNumbers>)
        assert.deepStrictEqual([...back], wanted)
      })
    )
  })

  it("does so with more distinct numbers than places", () => {
    const many = Float64Array.from({ length: 70_000 }, (_, at) => at / 7)
    many[3] = Number.NaN
    const packed = packNumbers(many)
    assert.isNull(packed.values)
    assert.deepStrictEqual(unpackNumbers(packed), many)
  })
})
