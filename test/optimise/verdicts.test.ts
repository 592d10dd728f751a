import { assert, describe, it } from "vitest"
import type { Finding, Outcome } from "../../src/domain/Judgement.ts"
import { makeTraces } from "../../src/optimise/makeTraces.ts"
import { renderTrace } from "../../src/optimise/trace.ts"
import { verdictDifference } from "../../src/optimise/verdicts.ts"
import { itemSet } from "./support.ts"

const finding = (id: string, verdict: Finding["verdict"], more: Partial<Finding> = {}): Finding => ({
  id,
  text: `fact ${id}`,
  verdict,
  ...more
})
const scored = (score: number, ...findings: ReadonlyArray<Finding>): Outcome => ({ _tag: "scored", score, findings })

describe("the difference of verdicts", () => {
  it("sorts what was found by how the flawed note compares with its twin", () => {
    const difference = verdictDifference(
      scored(
        5,
        finding("1", "absent", { severity: "critical" }),
        finding("2", "full"),
        finding("3", "partial"),
        finding("4", "absent"),
        finding("5", "partial", { rescued: true, quote: "said so" })
      ),
      scored(
        8,
        finding("1", "full"),
        finding("2", "full"),
        finding("3", "absent"),
        finding("4", "absent"),
        finding("5", "full")
      )
    )
    assert.deepStrictEqual(difference, {
      worse: [
        { text: "fact 1", severity: "critical", flawed: "absent", twin: "full" },
        { text: "fact 5", flawed: "partial", twin: "full" }
      ],
      better: [{ text: "fact 3", flawed: "partial", twin: "absent" }],
      both: [{ text: "fact 4", flawed: "absent", twin: "absent" }],
      rescued: [{ text: "fact 5", where: "flawed", quote: "said so" }],
      compared: 5
    })
  })

  it("knows that a criterion with negative points is held against a note that meets it", () => {
    const difference = verdictDifference(
      scored(5, finding("1", "met", { points: -5 }), finding("2", "not-met", { points: 5 })),
      scored(8, finding("1", "not-met", { points: -5 }), finding("2", "not-met", { points: 5 }))
    )
    assert.deepStrictEqual(
      difference?.worse.map(({ text }) => text),
      ["fact 1"]
    )
    assert.deepStrictEqual(
      difference?.both.map(({ text }) => text),
      ["fact 2"]
    )
  })

  it("compares what both have, and nothing where one of the two has no findings", () => {
    assert.strictEqual(verdictDifference(scored(5, finding("1", "no")), scored(5, finding("2", "yes")))?.compared, 0)
    assert.isUndefined(verdictDifference(scored(5, finding("1", "no")), { _tag: "scored", score: 5 }))
    assert.isUndefined(verdictDifference(scored(5, finding("1", "no")), { _tag: "failed", cause: "" }))
    assert.isUndefined(verdictDifference(undefined, scored(5, finding("1", "no"))))
  })
})

describe("traces of a judge that says what its score is made of", () => {
  const set = itemSet<"train">("t", 1, [{ class: "omission", trace: "complete" }])
  const traces = makeTraces(set, {
    "t0/clean": scored(8, finding("1", "full"), finding("2", "absent", { severity: "peripheral" })),
    "t0/flawed0": scored(6, finding("1", "absent", { severity: "critical" }), finding("2", "absent"))
  }).map(renderTrace)

  it("show a clean note with what was held against it", () => {
    assert.include(traces[0], 'Held against this clean note:\n- "fact 2" (peripheral): absent')
  })
  it("show a flawed note verdict by verdict beside its twin", () => {
    assert.include(
      traces[1],
      'Verdicts that are worse in this note than in its twin:\n- "fact 1" (critical): absent in this note, full in the twin\nHeld against both notes alike:\n- "fact 2": absent\nRank: right.'
    )
  })
  it("show no endless list", () => {
    const many = (verdict: Finding["verdict"]) => Array.from({ length: 60 }, (_, at) => finding(`${at}`, verdict))
    const [, flawed] = makeTraces(set, {
      "t0/clean": scored(8, ...many("full")),
      "t0/flawed0": scored(6, ...many("absent"))
    }).map(renderTrace)
    assert.include(flawed, "- and 52 more")
  })
})
