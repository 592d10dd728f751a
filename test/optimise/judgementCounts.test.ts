import { assert, describe, it } from "vitest"
import type { Outcome } from "../../src/domain/Judgement.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { countJudgements } from "../../src/optimise/judgementCounts.ts"

const scored: Outcome = { _tag: "scored", score: 7 } as Outcome
const unparsed: Outcome = { _tag: "unparsed" } as Outcome
const failed: Outcome = { _tag: "failed", cause: "gone" } as Outcome
const event = (fields: unknown): RunEvent => fields as RunEvent

describe("judgements that a log tells of", () => {
  it("are those of evaluations and of minibatches with their repeats", () => {
    const counts = countJudgements([
      event({ _tag: "evaluated", candidate: "a", outcomes: { x: scored, y: unparsed } }),
      event({ _tag: "parentJudged", outcomes: { x: scored }, repeats: [{ x: scored }, { x: failed }] }),
      event({ _tag: "childJudged", outcomes: { x: unparsed } }),
      event({ _tag: "decided" })
    ])
    assert.deepInclude(counts, { scored: 3, unparsed: 2, failed: 1 })
  })

  it("count a failed note again once it has been judged, and the others of its evaluation no second time", () => {
    const counts = countJudgements([
      event({ _tag: "evaluated", candidate: "a", outcomes: { x: scored, y: failed, z: failed } }),
      event({ _tag: "rejudged", candidate: "a", outcomes: { x: scored, y: scored, z: failed } }),
      event({ _tag: "rejudged", candidate: "a", outcomes: { x: scored, y: scored, z: unparsed } })
    ])
    assert.deepInclude(counts, { scored: 2, unparsed: 1, failed: 2 })
  })
})
