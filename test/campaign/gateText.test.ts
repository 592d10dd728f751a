import { assert, describe, it } from "@effect/vitest"
import { gateText } from "../../src/campaign/confirmChecks.ts"
import type { Gate } from "../../src/confirm/gates.ts"

describe("a gate in a line", () => {
  it("writes losses with the minus sign of all other figures, and one consultation as one", () => {
    const gate: Gate = {
      part: "acceptance",
      role: "secondary",
      above: 0.02,
      alpha: null,
      met: false,
      measured: {
        measure: { measure: "detection", classes: ["omission"], maxFalseAlarms: 0.1 },
        a: 0.2,
        b: 0.261,
        difference: -0.061,
        interval: [-0.433, 0.364],
        intervalNote: null,
        p: 0.8125,
        n: 33,
        consultations: 1
      } satisfies Partial<Gate["measured"]> as Gate["measured"]
    }
    assert.strictEqual(
      gateText(gate),
      "not met: secondary measure on the acceptance part (detection of omission): gain −6.1 points, 95 % −43.3 to 36.4, p 0.8125, n 33 of 1 consultation; asked for: above 2.0 points"
    )
  })
})
