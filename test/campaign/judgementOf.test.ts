import { assert, describe, it } from "vitest"
import { loggedOutcome } from "../../src/campaign/judgementOf.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"

const scored = (score: number) => ({ n: { _tag: "scored" as const, score } })
const [a, b, c, d] = ["a", "b", "c", "d"].map((letter) => letter.repeat(12)) as [string, string, string, string]

/** Two proposals of one iteration, worked on together: the first is a merge of a and b, the second a child of c. */
const events = [
  { _tag: "iteration", iteration: 1, parent: a, module: "judge", minibatch: ["n"] },
  { _tag: "merge", iteration: 1, parents: [a, b], how: "crossover", ancestor: null, choices: null },
  { _tag: "iteration", iteration: 1, proposal: 2, parent: c, module: "judge", minibatch: ["n"] },
  { _tag: "parentJudged", iteration: 1, outcomes: scored(1), reward: 0 },
  { _tag: "partnerJudged", iteration: 1, outcomes: scored(2), reward: 0 },
  { _tag: "parentJudged", iteration: 1, proposal: 2, outcomes: scored(3), reward: 0 },
  { _tag: "childJudged", iteration: 1, proposal: 2, child: d, outcomes: scored(4), reward: 0 },
  { _tag: "childJudged", iteration: 1, child: a, outcomes: scored(5), reward: 0 }
] as unknown as ReadonlyArray<RunEvent>

const scoreOf = (candidate: string) => {
  const outcome = loggedOutcome(events, candidate, "n")
  return outcome?._tag === "scored" ? outcome.score : undefined
}

describe("a judgement in the log", () => {
  it("belongs to who judged, also where several proposals of an iteration are worked on together", () =>
    assert.deepStrictEqual([b, c, d].map(scoreOf), [2, 3, 4]))
  it("is the last one, and none of a note that was not judged", () => {
    assert.strictEqual(scoreOf(a), 5)
    assert.isUndefined(loggedOutcome(events, a, "other"))
    assert.isUndefined(scoreOf("e".repeat(12)))
  })
})
