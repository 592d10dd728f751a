import { assert, beforeAll, describe, it } from "vitest"
import { kindNames, natureOf } from "../../src/model/simulate/kinds.ts"
import { type Soaked, soak } from "./soaking.ts"

/** Some 3,000 judge calls in few steps that wait for each other: three seeds and a proposal, each note judged 16 times. */
const shape = { samples: 16, iterations: 1, concurrency: 64, timeout: "3 seconds" }

/** What any soak has to show, whatever was answered. */
const sound = ({ answeredKeys, calls, ended, outcomes, stats, stored }: Soaked) => {
  assert.strictEqual(ended.code, 0, ended.stderr)
  assert.notMatch(ended.stderr, /unhandled|unexpected|\bat .*:\d+:\d+/i)
  // Every call is settled, and every answer that was bought is kept.
  assert.isUndefined(calls["sent"])
  assert.strictEqual(stored, answeredKeys)
  assert.strictEqual(stats.inFlight, 0)
  // Every judgement is there, and one that is no score says why.
  assert.isAbove(outcomes.length, 100)
  for (const outcome of outcomes) {
    if (outcome._tag === "failed") assert.isNotEmpty(outcome.cause)
  }
  // An answer that came too late for the client is bought again; none that it has is.
  const cutOff = (stats.faults.hang ?? 0) + (stats.faults.stall ?? 0)
  assert.isAtMost(stats.duplicates, Math.max(0, (calls["timeout"] ?? 0) - cutOff))
}

describe("a campaign of some 3,000 calls, 64 at once, at a server three of ten of whose answers are faults", () => {
  let faultless: Soaked
  let passing: Soaked
  let all: Soaked
  beforeAll(async () => {
    // An answer without text, or with a tool call alone, is bought and kept; the judge's second question has another answer.
    const faults = "passing=30%,empty-content=0%,tool-calls=0%"
    ;[faultless, passing, all] = await Promise.all([
      soak({ ...shape, server: [] }),
      soak({ ...shape, server: ["--latency", "50", "--drip", "1", "--faults", faults] }),
      soak({ ...shape, server: ["--latency", "50", "--drip", "1", "--faults", "30%"] })
    ])
  }, 600_000)

  it("ends by itself with every judgement, or the reason why there is none", () => {
    for (const soaked of [faultless, passing, all]) sound(soaked)
    assert.isAbove(
      Object.values(all.calls).reduce((sum, n) => sum + n, 0),
      2800
    )
  })

  it("meets every kind of fault, and tells the outcomes apart", () => {
    const expected = kindNames.filter((kind) => ["passing", "lasting"].includes(natureOf(kind)))
    assert.sameMembers(Object.keys(all.stats.faults), expected)
    const told = ["ok", "empty", "refusal", "content-filter", "truncated", "tool-calls", "context-too-long", "timeout"]
    const failed = ["malformed-response", "wrong-content-type", "rate-limited", "server-error", "connection-lost"]
    for (const outcome of [...told, ...failed]) assert.isAbove(all.calls[outcome] ?? 0, 0, outcome)
    assert.deepEqual(
      Object.keys(all.calls).filter((outcome) => ![...told, ...failed, "unreachable"].includes(outcome)),
      []
    )
  })

  it("has the result of a faultless server where all calls were obtained in the end", () => {
    assert.isAbove(
      Object.values(passing.stats.faults).reduce((sum, n) => sum + n, 0),
      600
    )
    assert.isTrue(passing.outcomes.every(({ _tag }) => _tag !== "failed"))
    assert.deepStrictEqual(passing.events, faultless.events)
    assert.strictEqual(passing.stored, faultless.stored)
  })
})
