import * as fc from "fast-check"

/** Scores with ties, some of them missing. */
export const score = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 20 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) }
)

/** A strictly increasing function of the scores, missing ones staying missing. */
export const relabelling = fc
  .tuple(
    fc.integer({ min: -50, max: 50 }),
    fc.array(fc.double({ min: 1e-3, max: 5, noNaN: true }), { minLength: 21, maxLength: 21 })
  )
  .map(([start, steps]) => {
    const values = steps.map((_, i) => start + steps.slice(0, i + 1).reduce((sum, step) => sum + step, 0))
    return (value: number) => values[value] ?? Number.NaN
  })
