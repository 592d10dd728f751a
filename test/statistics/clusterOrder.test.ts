import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Interner } from "../../src/dataset/scoresInterner.ts"
import { clusterNumbers, inClusterOrder, sumsByCluster } from "../../src/statistics/clusterOrder.ts"

const name = fc.string({ unit: "grapheme", maxLength: 4 })

describe("the order of clusters", () => {
  it("has shorter names first, then smaller bytes, each once; numbers rise", () => {
    assert.deepStrictEqual(inClusterOrder(["b10", "b9", "B9", "é", "b9", "zz"]), ["B9", "b9", "zz", "é", "b10"])
    assert.deepStrictEqual(inClusterOrder([10, 9, 2, 9]), [2, 9, 10])
  })

  it("is the same however they are listed, and that of a table of scores", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 12 }).chain((names) => fc.tuple(fc.constant(names), shuffled(names))),
        ([names, others]) => {
          const order = inClusterOrder(names)
          assert.deepStrictEqual(inClusterOrder(others), order)
          assert.deepStrictEqual(
            [...clusterNumbers(others)],
            [...order.entries()].map(([at, one]) => [one, at])
          )
          const interner = new Interner()
          const numbers = others.map((one) => interner.number(one))
          const ofTable = numbers.sort((one, other) => interner.compare(one, other)).map((at) => interner.text(at))
          assert.deepStrictEqual(ofTable, order)
        }
      )
    )
  })

  it("is that of sums, which leave out what has no value", () => {
    const clusters = ["b", "a", "b", "c"]
    assert.deepStrictEqual(sumsByCluster(clusters, [1, 2, 3, Number.NaN]), {
      numerators: Float64Array.of(2, 4),
      denominators: Float64Array.of(1, 2)
    })
    assert.deepStrictEqual(sumsByCluster(clusters, [1, 2, 3, 4], [0, 5, 6, 0]).denominators, Float64Array.of(5, 6, 0))
  })
})

const shuffled = <A>(values: ReadonlyArray<A>) =>
  fc.shuffledSubarray([...values], { minLength: values.length, maxLength: values.length })
