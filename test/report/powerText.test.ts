import { assert, describe, it } from "@effect/vitest"
import type { PartPower, PowerPlan } from "../../src/confirm/power/planPower.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { powerText } from "../../src/report/powerText.ts"

const part = (consultations: number, leastP: number): PartPower => ({
  part: "holdout",
  consultations,
  cases: 12,
  clean: consultations,
  leastP,
  gain: null,
  ceiling: 0.5,
  falseGains: { gain: 0, power: 0, interval: [0, 0.01] },
  curve: [],
  trials: 100
})

const sentences = (found: PartPower): ReadonlyArray<string> => {
  const measured = { parts: [found], needed: [{ gain: 0.1, consultations: 27 }] }
  const plan = { alpha: 0.05, power: 0.8, paired: measured, detection: measured } as unknown as PowerPlan
  const none = { pairs: 12, class: {} }
  const manifest = { train: [], acceptance: [], holdout: [], counts: { holdout: none } } as unknown as SplitManifest
  return powerText(plan, { paired: {}, detection: { cap: 0.1 } }, manifest, { from: {} } as never).holdout
}

describe("what a part can tell", () => {
  it("names the smallest p where its test cannot come below alpha, and not where it can", () => {
    assert.strictEqual(
      sentences(part(5, 0.0625))[0],
      "With 5 holdout consultations and 12 pairs no gain in paired discrimination can be told on this part: the smallest p that its test can give is 0.0625, and at most 0.05 is asked for; it takes about 27 consultations for one of 10 points."
    )
    assert.strictEqual(
      sentences(part(7, 0.015625))[0],
      "With 7 holdout consultations and 12 pairs no gain in paired discrimination can be told on this part; it takes about 27 consultations for one of 10 points."
    )
  })
})
