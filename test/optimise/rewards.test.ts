import { assert, describe, it } from "vitest"
import type { Outcome } from "../../src/domain/Judgement.ts"
import { figuresOf } from "../../src/optimise/figures.ts"
import { indexTable, itemTable } from "../../src/optimise/itemTable.ts"
import { makeTraces } from "../../src/optimise/makeTraces.ts"
import { rewards, wholeNoteScale } from "../../src/optimise/rewards.ts"
import { renderTrace } from "../../src/optimise/trace.ts"
import { itemSet } from "./support.ts"

const set = itemSet<"train">("t", 1, [{ class: "omission", trace: "complete" }, { class: "alteration" }])
const index = indexTable(itemTable(set))
const scored = (score: number): Outcome => ({ _tag: "scored", score })
const outcomes = (clean: Outcome, first: Outcome, second: Outcome) => ({
  "t0/clean": clean,
  "t0/flawed0": first,
  "t0/flawed1": second
})
const rewardsOf = (...args: Parameters<typeof outcomes>) => [...rewards(index, outcomes(...args), wholeNoteScale)]
const failed: Outcome = { _tag: "failed", cause: "down" }
const unparsed: Outcome = { _tag: "unparsed", reply: "?" }

describe("the reward", () => {
  it("is half for the order and half for the gap up to the margin, and the share of the maximum for a clean note", () => {
    assert.deepStrictEqual(rewardsOf(scored(8), scored(6.5), scored(2)), [0.8, 0.75, 1])
  })
  it("gives a tie half of the order and nothing for the gap", () => {
    assert.deepStrictEqual(rewardsOf(scored(8), scored(8), scored(9)), [0.8, 0.25, 0])
  })
  it("is 0 for a reply that cannot be read, for the pair also when it is the twin's", () => {
    assert.deepStrictEqual(rewardsOf(unparsed, scored(1), scored(1)), [0, 0, 0])
    assert.deepStrictEqual(rewardsOf(scored(10), unparsed, scored(7)), [1, 0, 1])
  })
  it("is not there for a call that failed: infrastructure is no verdict", () => {
    assert.deepStrictEqual(rewardsOf(scored(10), failed, scored(7)), [1, Number.NaN, 1])
    assert.deepStrictEqual(rewardsOf(failed, scored(1), scored(7)), [Number.NaN, Number.NaN, Number.NaN])
  })
})

describe("the figures", () => {
  const objective = {
    primary: { measure: "paired-discrimination", classes: ["omission"] },
    secondary: { measure: "detection", maxFalseAlarms: 0 }
  } as const
  it("are those of the classes of each measure", () => {
    const figures = figuresOf(index, outcomes(scored(8), scored(8), scored(3)), objective, wholeNoteScale)
    assert.strictEqual(figures.primary, 0.5)
    assert.strictEqual(figures.secondary, 0.5)
    assert.deepStrictEqual(figures.detection, {
      cap: 0,
      threshold: 8,
      detected: 1,
      flawed: 2,
      falseAlarms: 0,
      clean: 1
    })
  })
  it("have no interval without width: a judge that always ranks right has Clopper–Pearson's on consultations", () => {
    const many = indexTable(itemTable(itemSet<"train">("m", 10, [{ class: "omission" }])))
    const scores = (clean: number, flawed: number) =>
      Object.fromEntries(many.table.items.map(({ id }) => [id, scored(id.includes("flawed") ? flawed : clean)]))
    const pairedOf = (clean: number, flawed: number) =>
      figuresOf(many, scores(clean, flawed), objective, wholeNoteScale).discrimination
    assert.deepStrictEqual(pairedOf(9, 2).interval, [0.6915028921812392, 1])
    assert.deepStrictEqual([pairedOf(5, 5).value, pairedOf(5, 5).interval], [0.5, null])
  })
  it("leave failed calls out and say how many", () => {
    const figures = figuresOf(index, outcomes(scored(8), failed, unparsed), objective, wholeNoteScale)
    assert.strictEqual(figures.primary, null)
    assert.deepStrictEqual([figures.failed, figures.unparsed], [1, 1])
    assert.strictEqual(figures.detection?.flawed, 1)
  })
})

describe("a trace", () => {
  it("names the truth, what the judge returned, the rank against the twin, and a diagnosis", () => {
    const traces = makeTraces(set, {
      ...outcomes(scored(6), scored(6), scored(2)),
      "t0/flawed0": { _tag: "scored", score: 6, reason: 'nothing is "missing"\u001b[31m' }
    })
    assert.deepStrictEqual(
      traces.map(({ label, verdict }) => `${label} ${verdict}`),
      ["A1 wrong", "A2 wrong", "A3 right"]
    )
    const text = renderTrace(traces[1]!)
    for (const part of [
      "One omission, trace complete",
      "Missing fact: thing 0",
      "score 6",
      "Rank: wrong. It scored the same",
      "never noticed"
    ])
      assert.include(text, part)
    assert.include(text, 'The clean twin says: "with everything that was said"')
    assert.include(renderTrace(traces[2]!), "Keep what led to this")
  })
})
