import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { mulberry32 } from "../../../src/domain/Random.ts"
import { hypervolume } from "../../../src/optimise/frontier/hypervolume.ts"

type Point = readonly [number, number, number]

/** Inclusion–exclusion: boxes from the origin meet in the box to their smallest corner. */
const byInclusionExclusion = (points: ReadonlyArray<Point>): number => {
  let volume = 0
  for (let subset = 1; subset < 2 ** points.length; subset++) {
    const chosen = points.filter((_, at) => (subset >> at) & 1)
    const box = [0, 1, 2].map((axis) => Math.min(...chosen.map((point) => point[axis]!)))
    volume += (chosen.length % 2 === 1 ? 1 : -1) * box[0]! * box[1]! * box[2]!
  }
  return volume
}

const coordinate = fc.constantFrom(0, 0.1, 0.25, 0.5, 0.5 + 1e-10, 0.75, 1)
const points = (most: number) => fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: most })

describe("hypervolume", () => {
  it("is the volume of one box, and of boxes known by hand", () => {
    assert.strictEqual(hypervolume([]), 0)
    assert.strictEqual(hypervolume([[1, 1, 1]]), 1)
    assert.strictEqual(hypervolume([[0.5, 0.5, 0.5]]), 0.125)
    // Three slabs that meet in the cube of half the edge: 3 × ½ × ½ − 2 × ⅛.
    assert.closeTo(
      hypervolume([
        [1, 0.5, 0.5],
        [0.5, 1, 0.5],
        [0.5, 0.5, 1]
      ]),
      0.5,
      1e-12
    )
    assert.strictEqual(hypervolume([[1, 1, 0]]), 0)
  })

  it("is what inclusion–exclusion gives", () => {
    fc.assert(
      fc.property(points(9), (some) => {
        assert.closeTo(hypervolume(some), byInclusionExclusion(some), 1e-9)
      }),
      { numRuns: 300 }
    )
  })

  it("does not depend on the order, never falls with a point more, and ignores one that is covered", () => {
    fc.assert(
      fc.property(points(12), fc.tuple(coordinate, coordinate, coordinate), (some, [x, y, z]) => {
        const volume = hypervolume(some)
        assert.closeTo(hypervolume([...some].reverse()), volume, 1e-12)
        assert.isAtLeast(hypervolume([...some, [x, y, z]]), volume - 1e-12)
        const [first] = some
        if (first === undefined) return
        assert.closeTo(hypervolume([...some, [first[0] * x, first[1] * y, first[2] * z]]), volume, 1e-12)
      }),
      { numRuns: 300 }
    )
  })

  it("lies within the error of counting random points, for 60 points of a pool", () => {
    const next = mulberry32(7)
    const pool = Array.from({ length: 60 }, (): Point => [next(), next(), next()])
    const n = 40_000
    let inside = 0
    for (let draw = 0; draw < n; draw++) {
      const [x, y, z] = [next(), next(), next()]
      if (pool.some(([a, b, c]) => x <= a && y <= b && z <= c)) inside++
    }
    const share = inside / n
    assert.closeTo(hypervolume(pool), share, 5 * Math.sqrt((share * (1 - share)) / n))
  })
})
