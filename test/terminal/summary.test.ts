import { describe, expect, it } from "vitest"
import type { StopReason } from "../../src/domain/RunEvent.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { compareOnPairs, compareScores } from "../../src/terminal/compare.ts"
import { spent } from "../../src/terminal/format.ts"
import { summary, summaryJson } from "../../src/terminal/summary.ts"
import { Pace, timeLeft } from "../../src/terminal/timeLeft.ts"
import { widthOf } from "../../src/terminal/width.ts"
import { controls, hostileNames, hostileRun, outcomesWith, smallRun } from "./hostile.ts"

const stopped = (reason: StopReason) => {
  const { child, events } = smallRun()
  return foldRun([...events, { _tag: "stopped", reason, detail: "the detail", iteration: 3, winner: child.id }])
}
const usage = { calls: 1234, tokens: 5000, usd: 1.5, unpriced: 0, seconds: 90 }

describe("a summary", () => {
  it("gives seeds and winner with counts, intervals and the tests between them", () => {
    const text = summary(stopped("stall"), { runId: "r1", usage, iterations: 30 })
    expect(text).toContain("Finished: no improvement found. The detail.")
    expect(text).toContain("[embedded stand-in: figures say nothing about real models]")
    expect(text).toMatch(/completeness \(seed\) +40 +16\/16\/8 {2}0\.600 \[0\.35, 0\.80\]/)
    expect(text).toMatch(/★ c3 +40 +30\/6\/4 {2}0\.825 \[0\.60, 1\.00\]/)
    expect(text).toMatch(/★ c3 +30\/40 75 % \[0\.60, 0\.86\] +0\/40 0 % \[0\.00, 0\.09\]/)
    expect(text).toMatch(
      /completeness +\+0\.225 \[\+0\.07, \+0\.38\] {2}n 40 {2}18 better, 0 worse {2}sign test p < 0\.001/
    )
    expect(text).toMatch(/faithfulness +\+0\.333 .* n 39 /)
    expect(text).toContain(
      "Iterations 3 of 30: 1 accepted, 2 rejected (not-better 1, copies-notes 1). Pool: 3 candidates."
    )
    expect(text).toContain("without a readable reply 1, with failed calls 0")
    expect(text).toContain("1,234 calls, 5,000 tokens, cost $1.50, in 1 min 30 s")
    expect(text).toContain("only a confirmation on the sealed holdout counts")
    expect(text).toContain("assize runs export r1")
    expect(text).not.toContain("assize run ")
  })

  it("counts the run's judgements over all sittings, and this one's beside them", () => {
    const [before, sitting] = [
      { scored: 1200, unparsed: 3, failed: 1 },
      { scored: 40, unparsed: 1, failed: 0 }
    ]
    const told = { runId: "r1", judged: { before, sitting } }
    expect(summary(stopped("stall"), told)).toContain(
      "Judgements: 1,240 scored, 4 unreadable, 1 failed; 41 of them in this sitting."
    )
    expect(summaryJson(stopped("stall"), told)).toMatchObject({
      judgements: { scored: 1240, unparsed: 4, failed: 1 },
      sitting
    })
    const { failed, scored, unparsed } = stopped("stall").judgements
    expect(scored).toBeGreaterThan(0)
    expect(summaryJson(stopped("stall"), { runId: "r1" })).toMatchObject({
      judgements: { failed, scored, unparsed },
      sitting: null
    })
  })

  it("sends nobody to a confirmation that would be refused, or that has been read out", () => {
    const { events } = smallRun()
    const [seed] = foldRun(events).members
    const bySeed = foldRun([
      ...events.slice(
        0,
        events.findIndex((event) => event._tag === "iteration")
      ),
      { _tag: "stopped", reason: "stall", detail: "the detail", iteration: 3, winner: seed!.candidate.id }
    ])
    expect(bySeed.winner?.candidate.origin).toBe("seed")
    expect(summary(bySeed, { runId: "r1" })).not.toContain("assize confirm")
    expect(summary(stopped("stall"), { runId: "r1" })).toContain("opens the sealed holdout, once")
    const confirmed = summary(stopped("stall"), { runId: "r1", confirmed: true })
    expect(confirmed).toContain("what counts as evidence is the run's confirmation on its holdout")
    expect(confirmed).toContain("says once more what its confirmation found")
    expect(confirmed).not.toContain("opens the sealed holdout")
  })

  it("names the command that goes on and the limit to raise", () => {
    const text = summary(stopped("budget-usd"), { runId: "r1", campaignFile: "a b/campaign.yaml" })
    expect(text).toContain("assize run 'a b/campaign.yaml'\n    after raising budget.usd")
  })

  it("calls a broken model broken, not a search without improvement", () => {
    const text = summary(stopped("broken-reflection"), { runId: "r1" })
    expect(text).toContain("Stopped: broken: the reflection model gives nothing usable.")
    expect(text).toContain("once models.reflection answers")
  })

  it("is written for a run that nobody ended, and for one without a candidate", () => {
    const { events } = smallRun()
    expect(summary(foldRun(events), { runId: "r1" })).toContain("Interrupted: it has not ended")
    expect(summary(foldRun(events.slice(0, 1)), { runId: "r1" })).toContain("No candidate has been evaluated.")
    expect(summary(foldRun([]), { runId: "r1" })).toContain("Run r1")
  })

  it.each([80, 60])("loses nothing on %i columns, and no line of it is wider", (columns) => {
    const state = stopped("stall")
    const extra = { runId: "r1", usage: { ...usage, roles: [] }, iterations: 30 }
    const wide = summary(state, extra)
    const narrow = summary(state, extra, columns)
    for (const line of narrow.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(columns)
    const figures = (text: string) => [...new Set(text.match(/[+−]?\d[\d.,/]*/g))].sort()
    expect(figures(narrow)).toEqual(figures(wide))
    const flowing = narrow.replace(/\s+/g, " ")
    for (const figure of ["0.825 [0.60, 1.00]", "30/40 75 % [0.60, 0.86]", "18 better, 0 worse", "sign test p < 0.001"])
      expect(flowing).toContain(figure)
    expect(flowing).toContain("only a confirmation on the sealed holdout counts as evidence.")
    if (columns === 60) expect(flowing).toContain("★ c3 (from completeness, iteration 1) paired discrimination 0.825")
  })

  it("lets nothing of the data at the terminal", () => {
    const text = summary(hostileRun(), { runId: hostileNames[1]!, campaignFile: hostileNames[1]! })
    expect(text.replaceAll("\n", "")).not.toMatch(controls)
    // Names are cut; only sentences may run on.
    for (const line of text.split("\n").filter((line) => /^[★ ] /.test(line))) expect(line.length).toBeLessThan(140)
  })

  it("has every figure unrounded as JSON", () => {
    const figures = summaryJson(stopped("stall"), { runId: "r1", usage })
    expect(figures.members.map(({ name, winner }) => [name, winner])).toEqual([
      ["completeness", false],
      ["faithfulness", false],
      ["c3", true]
    ])
    expect(figures.comparisons[1]).toMatchObject({
      seed: "faithfulness",
      n: 39,
      better: 24,
      worse: 0,
      consultations: 10
    })
    expect(figures.comparisons[1]!.difference).toBeCloseTo(13 / 39, 12)
    expect(figures.members[2]!.detection!.detectedInterval![0]).toBeCloseTo(0.598, 3)
    expect(figures.rejections).toEqual({ "not-better": 1, "copies-notes": 1 })
    expect(JSON.parse(JSON.stringify(figures))).toEqual(figures)
  })
})

describe("a comparison on pairs", () => {
  it("leaves out pairs that one of the two cannot rank", () => {
    const { events } = smallRun()
    const state = foldRun(events)
    const table = state.index!.table
    const compared = compareOnPairs(outcomesWith(30, 4, ["f0", "c1"]), outcomesWith(12, 12, ["f0", "f39"]), table)
    expect(compared).toMatchObject({ n: 37, better: 24, worse: 0, same: 13 })
  })

  it("is the same from outcomes and from the scores that the state keeps", () => {
    const state = foldRun(smallRun().events)
    const [first, , child] = state.members
    expect(compareScores(child!.scores, first!.scores, state.index!)).toEqual(
      compareOnPairs(outcomesWith(30, 4), outcomesWith(16, 8), state.index!.table)
    )
  })

  it("has no interval where every consultation says the same", () => {
    const { table } = foldRun(smallRun().events).index!
    const { consultations, difference, interval } = compareOnPairs(outcomesWith(40, 0), outcomesWith(0, 0), table)
    expect([consultations >= 10, difference, interval]).toEqual([true, 0.5, null])
  })

  it("has no difference without a pair of the classes", () => {
    const state = foldRun(smallRun().events)
    const table = state.index!.table
    expect(compareOnPairs(outcomesWith(30, 4), outcomesWith(16, 8), table, { classes: ["addition"] })).toEqual({
      n: 0,
      consultations: 0,
      better: 0,
      worse: 0,
      same: 0,
      difference: null,
      interval: null,
      p: 1
    })
  })
})

describe("money", () => {
  it("is never $0 for a price that nobody knows", () => {
    expect(spent({ usd: null, unpriced: 3 })).toBe("unknown")
    expect(spent({ usd: 0, unpriced: 3 })).toBe("unknown, 3 calls without a price")
    expect(spent({ usd: 1.25, unpriced: 3 })).toBe("at least $1.25, 3 calls of unknown price")
    expect(spent({ usd: 0, unpriced: 0 })).toBe("$0.00")
  })
})

describe("time left", () => {
  const at = (seconds: number, calls: number) => ({ calls, tokens: 0, usd: null, unpriced: calls, seconds })

  it("goes by the pace of the last iterations, to the first limit", () => {
    const pace = new Pace()
    expect(timeLeft(0, { iterations: 10, limits: {}, usage: at(0, 0), pace })).toBeNull()
    pace.observe(0, at(0, 0))
    pace.observe(1, at(10, 100))
    pace.observe(2, at(20, 200))
    const meta = { iterations: 10, usage: at(20, 200), pace }
    expect(timeLeft(2, { ...meta, limits: {} })).toEqual({
      seconds: 80,
      usd: null,
      endsBy: "iterations",
      basis: "the last 2 iterations, 10 s each"
    })
    expect(timeLeft(2, { ...meta, limits: { calls: 500 } })).toMatchObject({ seconds: 30, endsBy: "calls" })
    expect(timeLeft(2, { ...meta, limits: { wallClock: "30 seconds" } })).toMatchObject({ seconds: 10, endsBy: "time" })
    // A price that nobody knows sets no end.
    expect(timeLeft(2, { ...meta, limits: { usd: 1 } })).toMatchObject({ endsBy: "iterations" })
  })

  it("says what is yet to be spent, where every price is known", () => {
    const priced = (seconds: number, usd: number, unpriced = 0) => ({ calls: 1, tokens: 0, usd, unpriced, seconds })
    const pace = new Pace()
    pace.observe(0, priced(0, 0))
    pace.observe(2, priced(20, 0.5))
    expect(timeLeft(2, { iterations: 10, limits: {}, usage: priced(20, 0.5), pace })?.usd).toBeCloseTo(2)
    expect(timeLeft(2, { iterations: 10, limits: { usd: 1 }, usage: priced(20, 0.5), pace })?.usd).toBeCloseTo(0.5)
    expect(timeLeft(2, { iterations: 10, limits: {}, usage: priced(20, 0.5, 3), pace })?.usd).toBeNull()
  })

  it("is unknown where neither iterations nor limits are known", () => {
    const pace = new Pace()
    pace.observe(0, at(0, 0))
    pace.observe(1, at(10, 100))
    expect(timeLeft(1, { limits: {}, usage: at(10, 100), pace })).toBeNull()
  })
})
