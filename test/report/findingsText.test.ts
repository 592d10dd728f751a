import { assert, describe, it } from "@effect/vitest"
import { table } from "../../src/cli/table.ts"
import type { Finding, Outcome } from "../../src/domain/Judgement.ts"
import { findingsRows, outcomeWords, twinRows } from "../../src/report/findingsText.ts"

const outcome = (findings: ReadonlyArray<Finding>): Outcome => ({
  _tag: "scored",
  score: 1 / 3,
  flagged: true,
  findings,
  details: { unweighted: 0.5, "rescues refused": 1 }
})
const fact = (id: string, verdict: Finding["verdict"], more: Partial<Finding> = {}): Finding => ({
  id,
  text: `fact ${id}`,
  verdict,
  ...more
})

describe("findings as text", () => {
  it("say score, flag and what was counted", () => {
    assert.strictEqual(outcomeWords(outcome([])), "score 0.333333, flagged, unweighted 0.5, rescues refused 1")
    assert.strictEqual(outcomeWords({ _tag: "unparsed", reply: "?" }), "no answer that could be read")
    assert.strictEqual(outcomeWords({ _tag: "failed", cause: "no answer" }), "not judged: no answer")
    assert.strictEqual(outcomeWords(undefined), "not judged")
  })

  it("show severity for facts and points for criteria, and mark what was rescued", () => {
    assert.deepStrictEqual(
      findingsRows(outcome([fact("F1", "full", { severity: "critical", rescued: true, quote: "so" })])),
      [
        ["id", "verdict", "severity", "what", "the note's words"],
        ["F1", "full (rescued)", "critical", "fact F1", "so"]
      ]
    )
    assert.deepStrictEqual(findingsRows(outcome([fact("C1", "not-met", { points: -5 })]))[1], [
      "C1",
      "not-met",
      "−5",
      "fact C1",
      ""
    ])
    assert.deepStrictEqual(findingsRows({ _tag: "scored", score: 7 }), [])
  })

  it("put first what a note and its twin differ in; questions of one number and other words are not the same", () => {
    const rows = twinRows(
      outcome([fact("F1", "full"), fact("F2", "full"), fact("Q1", "yes", { text: "Is the dose named?" })]),
      outcome([fact("F1", "full"), fact("F2", "absent"), fact("Q1", "no", { text: "Is the side named?" })])
    )
    assert.deepStrictEqual(
      rows.slice(1).map(([mark, id, clean, flawed]) => [mark, id, clean, flawed]),
      [
        ["≠", "F2", "full", "absent"],
        ["≠", "Q1", "yes", "-"],
        ["≠", "Q1", "-", "no"],
        ["", "F1", "full", "full"]
      ]
    )
  })

  it("are harmless on a terminal, whatever a model wrote into them", () => {
    const hostile = fact("F1\u001b[2J", "absent", { text: "a\nb\u0007\u202ec", quote: "\u001b]0;title\u0007x" })
    const shown = table(findingsRows(outcome([hostile])), { maxCell: 80 })
    assert.notMatch(shown, /[\u0000-\u0009\u000b-\u001f\u202e]/)
    assert.strictEqual(shown.split("\n").length, 2)
  })
})
