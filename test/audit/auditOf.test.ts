import { assert, describe, it } from "@effect/vitest"
import type { AuditCandidate, AuditInput } from "../../src/audit/AuditInput.ts"
import { auditOf } from "../../src/audit/auditOf.ts"
import { indexOfPart } from "../../src/audit/textIndex.ts"
import { candidateOf, inputOf, noisyScores, outcomesOf, tableOf } from "./support.ts"

const copied = "Ramipril 5 mg was stopped by Okafor last Tuesday evening"
const index = indexOfPart("acceptance", [
  { id: "c", transcript: null, notes: [{ id: "n", text: `${copied}. ${copied}.` }] }
])
const with_ = (id: string, text: string, more: Partial<AuditCandidate> = {}) =>
  candidateOf(id, null, { instructions: { judge: text }, ...more })
const leaksOf = (root: Partial<AuditCandidate>, more: Partial<AuditInput> = {}) => {
  const candidates = [
    with_("plain", "Judge the note."),
    with_("root", `Look for: ${copied}.`, root),
    with_("child", `Look for: ${copied}. And for doses.`, { origin: "reflection", parents: ["root"] })
  ]
  return auditOf({ ...inputOf(null, candidates), indices: [index], ...more }).leakage.count
}

describe("what excuses a leak", () => {
  it("is a seed that was there before any search on these data", () => {
    assert.strictEqual(leaksOf({}), 0)
    assert.strictEqual(leaksOf({ searched: true }, { earlierSeeds: [`Look for: ${copied}.`] }), 0)
  })

  it("is not a candidate that a person added to the run, nor a seed that an earlier search on them made", () => {
    assert.isAbove(leaksOf({ origin: "human" }), 0)
    assert.isAbove(leaksOf({ searched: true }), 0)
  })
})

describe("selection optimism", () => {
  it("leaves out candidates that a person ruled out: they could not have been selected", () => {
    const table = tableOf(12, 3)
    const outcomes = (gap: number) => {
      const scores = noisyScores(table, 5, gap)
      return outcomesOf(table, (id) => scores.get(id)!)
    }
    const candidates = [
      candidateOf("seed", outcomes(0.2)),
      candidateOf("best", outcomes(3), { origin: "reflection", parents: ["seed"] }),
      candidateOf("second", outcomes(0.8), { origin: "reflection", parents: ["seed"] })
    ]
    const winner = (all: ReadonlyArray<AuditCandidate>) => auditOf(inputOf(table, all)).optimism
    assert.strictEqual(winner(candidates)?.winner, "best")
    const vetoed = winner(candidates.map((one) => (one.id === "best" ? { ...one, vetoed: true } : one)))
    assert.deepStrictEqual([vetoed?.winner, vetoed?.candidates], ["second", 2])
  })
})
