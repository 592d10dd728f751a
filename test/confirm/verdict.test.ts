import { assert, describe, it } from "vitest"
import { verdictOf } from "../../src/confirm/verdict.ts"

type Found = Parameters<typeof verdictOf>[0]

const found = (decision: Found["decision"], opening: Partial<Found["opening"]>): Found =>
  ({
    decision,
    opening: { number: 1, again: null, promises: 1, ...opening },
    preregistration: { document: { candidate: { name: "c7" }, baselines: [{ name: "first" }] } },
    noise: { ratio: 2, baseline: { n: 10 } },
    holdout: { judges: [] },
    gates: [
      {
        part: "holdout",
        met: decision === "passed",
        above: 0,
        alpha: 0.05,
        measured: {
          measure: { measure: "detection" },
          n: 30,
          consultations: 10,
          a: 0.6,
          b: 0.4,
          difference: 0.2,
          interval: [0.1, 0.3],
          p: decision === "passed" ? 0.01 : 0.2
        }
      }
    ]
  }) as unknown as Found

describe("a verdict's last sentence", () => {
  it("writes a candidate out for use after a first opening alone", () => {
    assert.include(verdictOf(found("passed", {}))[2]!, "c7 is written out for use")
    const seen = [{ how: "opened" }] as unknown as NonNullable<Found["opening"]["seen"]>
    for (const opening of [{ number: 2, again: "once more" }, { seen }]) {
      const last = verdictOf(found("passed", opening))[2]!
      assert.include(last, "exploratory and confirms nothing")
      assert.notInclude(last, "for use")
    }
  })

  it("says why nothing is written out", () => {
    const last = verdictOf(found("failed", {}))[2]!
    assert.include(last, "p is 0.200 where at most 0.05 was asked for")
    assert.include(last, "first stays")
  })
})
