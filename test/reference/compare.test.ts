import { assert, describe, it } from "@effect/vitest"
import { outputDifferences } from "./compare.ts"

const differ = (got: Parameters<typeof outputDifferences>[0], want: Parameters<typeof outputDifferences>[1]) =>
  outputDifferences(got, want, { abs: 1e-9, rel: 0.1, fields: { loose: { abs: 1 } } }, ["other"]).length

describe("the rule of comparison", () => {
  it("allows abs + rel * |want|, or what the field has of its own", () => {
    assert.strictEqual(differ({ p: 1.1 }, { p: 1 }), 0)
    assert.strictEqual(differ({ p: 1.11 }, { p: 1 }), 1)
    assert.strictEqual(differ({ loose: 2 }, { loose: 1 }), 0)
    assert.strictEqual(differ({ loose: 2.05 }, { loose: 1 }), 1)
  })

  it("lets null match null only", () => {
    assert.strictEqual(differ({ p: null }, { p: null }), 0)
    for (const got of [0, Number.NaN, "null"]) assert.strictEqual(differ({ p: got }, { p: null }), 1)
    assert.strictEqual(differ({ p: null }, { p: 0 }), 1)
    assert.strictEqual(differ({ p: Number.NaN }, { p: 0 }), 1)
  })

  it("wants strings, booleans, lengths and keys as they are, and every field that is offered", () => {
    assert.strictEqual(differ({ a: [1, 2] }, { a: [1] }), 1)
    assert.strictEqual(differ({ a: { b: "x" } }, { a: { b: "y" } }), 1)
    assert.strictEqual(differ({ a: true }, { a: false }), 1)
    assert.strictEqual(differ({}, { a: 1 }), 1)
    assert.strictEqual(differ({}, { other: 1 }), 0)
  })
})
