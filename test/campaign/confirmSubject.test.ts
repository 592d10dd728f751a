import { assert, describe, it } from "@effect/vitest"
import { acceptancePart, type Subject } from "../../src/campaign/confirmSubject.ts"
import type { Preregistration } from "../../src/domain/Preregistration.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"

const events = [
  {
    _tag: "started",
    acceptance: { items: [{ id: "a/1", consultation: "a" }], clean: ["a/1"], pairs: [], lone: [] }
  },
  { _tag: "evaluated", candidate: "000000000001", outcomes: { "a/1": { _tag: "failed", cause: "no answer" } } },
  { _tag: "evaluated", candidate: "000000000002", outcomes: { "a/1": { _tag: "scored", score: 4 } } },
  { _tag: "rejudged", candidate: "000000000001", outcomes: { "a/1": { _tag: "scored", score: 7 } } }
] as unknown as ReadonlyArray<RunEvent>
const run = { settings: { search: { seed: 11 } } } as Subject["run"]
const document = {
  candidate: { id: "000000000001", name: "c1" },
  baselines: [{ id: "000000000002", name: "seed" }]
} as unknown as Preregistration

describe("the acceptance part of a confirmation", () => {
  it("goes by what a candidate's notes came to once failed calls could be made, as the run does", () => {
    const { failed, runs } = acceptancePart({ events, run }, document)
    assert.deepStrictEqual(
      runs.map(({ judge, scores }) => [judge, [...scores]]),
      [
        ["c1", [7]],
        ["seed", [4]]
      ]
    )
    assert.deepStrictEqual([...failed.values()], [[0], [0]])
  })
})
