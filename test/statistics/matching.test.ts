import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { jaccardSimilarity } from "../../src/statistics/jaccard.ts"
import { greedyMatching, type Match, optimalMatching } from "../../src/statistics/matching.ts"

const matrix = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
  fc.array(
    fc.array(
      fc.integer({ min: 0, max: 10 }).map((value) => value / 10),
      { minLength: columns, maxLength: columns }
    ),
    {
      minLength: rows,
      maxLength: rows
    }
  )
)

const total = (matches: ReadonlyArray<Match>) => matches.reduce((sum, match) => sum + match.similarity, 0)

/** The greatest total, by trying every column or none for each row. */
const best = (
  rows: ReadonlyArray<ReadonlyArray<number>>,
  threshold: number,
  taken: ReadonlyArray<number> = []
): number => {
  const [row, ...rest] = rows
  if (row === undefined) return 0
  return row.reduce(
    (most, value, column) =>
      value < threshold || taken.includes(column)
        ? most
        : Math.max(most, value + best(rest, threshold, [...taken, column])),
    best(rest, threshold, taken)
  )
}

describe("matching", () => {
  it("is one to one, eligible and sorted; the optimal one has the greatest total there is", () => {
    fc.assert(
      fc.property(matrix, fc.constantFrom(0.2, 0.6), (similarity, threshold) => {
        for (const matches of [greedyMatching(similarity, threshold), optimalMatching(similarity, threshold)]) {
          assert.strictEqual(new Set(matches.map(({ left }) => left)).size, matches.length)
          assert.strictEqual(new Set(matches.map(({ right }) => right)).size, matches.length)
          assert.isTrue(matches.every((match) => match.similarity >= threshold))
          assert.isTrue(matches.every(({ left, right, similarity: value }) => similarity[left]![right] === value))
          assert.deepStrictEqual(
            matches.map(({ left }) => left),
            matches.map(({ left }) => left).toSorted((a, b) => a - b)
          )
        }
        const greatest = best(similarity, threshold)
        assert.closeTo(total(optimalMatching(similarity, threshold)), greatest, 1e-12)
        assert.isAtMost(total(greedyMatching(similarity, threshold)), greatest + 1e-12)
      })
    )
  })
})

describe("Jaccard similarity", () => {
  it("is symmetric, in [0, 1], and 1 for a text with itself", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const value = jaccardSimilarity(a, b)
        assert.strictEqual(value, jaccardSimilarity(b, a))
        assert.isTrue(value >= 0 && value <= 1)
      })
    )
    assert.strictEqual(jaccardSimilarity("BP 120/80", "bp: 80 120"), 1)
  })
})
