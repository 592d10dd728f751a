import { describe, expect, it } from "vitest"
import { makeProgress } from "../../src/judge/Progress.ts"
import { foldRun, RunState } from "../../src/optimise/RunState.ts"
import { chooseDisplay, type DisplayFacts } from "../../src/terminal/chooseDisplay.ts"
import type { Usage } from "../../src/terminal/format.ts"
import { eventLine, ProgressPacer, plainRun, stamped } from "../../src/terminal/PlainRun.ts"
import { candidate, controls, evaluatedEvent, hostileNames, outcomesWith, smallRun, startedEvent } from "./hostile.ts"

describe("plain lines", () => {
  it("tell a run one event a line", () => {
    const state = new RunState()
    const lines = smallRun().events.flatMap((event) => {
      state.apply(event)
      return eventLine(event, state, { runId: "r1", iterations: 30, trainNotes: 100 }) ?? []
    })
    expect(lines).toEqual([
      "started: run r1, campaign quickstart, judge embedded lexical-1, reflection embedded lexical-1, 100 train notes, 80 acceptance notes in 40 pairs [embedded stand-in: figures say nothing about real models]",
      "completeness (seed): paired discrimination 0.600 [0.35, 0.80], n 40, wins/ties/losses 16/16/8, detection 16/40 at false alarms 0/40 (≤ 10 %), 21 characters, ★ best so far",
      "faithfulness (seed): paired discrimination 0.513 [0.26, 0.75], n 39, wins/ties/losses 12/16/11, detection 12/40 at false alarms 0/40 (≤ 10 %), 1 unreadable, 19 characters",
      "iteration 1/30: accepted, child of completeness: mean reward 0.700 against the parent's 0.600 on the same 12 notes",
      "c3 (from completeness): paired discrimination 0.825 [0.60, 1.00], n 40, wins/ties/losses 30/6/4, detection 30/40 at false alarms 0/40 (≤ 10 %), 33 characters, ★ best so far",
      "iteration 2/30: rejected (not-better), child of c3: mean reward 0.600 against the parent's 0.600 on the same 12 notes",
      "iteration 3/30: rejected (copies-notes), child of c3: copies eight words or more in a row from a note"
    ])
  })

  it("say why a run stopped and how to go on", () => {
    const state = foldRun(smallRun().events)
    const line = (reason: "budget-calls" | "stall") =>
      eventLine({ _tag: "stopped", reason, detail: "200 of 200", iteration: 3, winner: null }, state, {
        campaignFile: "my campaign.yaml"
      })
    expect(line("budget-calls")).toBe(
      "stopped: call budget used up; 200 of 200. To go on: assize run 'my campaign.yaml' (after raising budget.calls: goes on where it stopped)"
    )
    expect(line("stall")).toBe("finished: no improvement found; 200 of 200")
  })

  it("hold no control sequence, no line break and no endless word", () => {
    const state = new RunState()
    const seeds = hostileNames.map((name, at) => candidate(name, `seed ${at}`))
    const events = [
      startedEvent(seeds, hostileNames.join(" "), { provider: "openai", model: hostileNames.join(" ") }),
      ...seeds.map((seed) => ({ _tag: "candidate", candidate: seed }) as const),
      ...seeds.map((seed) => evaluatedEvent(seed, outcomesWith(10, 10)))
    ]
    for (const event of events) {
      state.apply(event)
      const line = eventLine(event, state)
      if (line === undefined) continue
      expect(line).not.toMatch(controls)
      expect(line).not.toContain("\n")
      expect(line.length).toBeLessThan(400)
    }
  })

  it("carry the time of day", () => {
    expect(stamped("x", new Date(2026, 0, 1, 9, 5, 7))).toBe("09:05:07 x\n")
  })

  it("carry what was used by then, and never $0 for a price that nobody knows", () => {
    const cost = (usd: number | null, unpriced = 0, estimated?: Usage["estimated"]) =>
      stamped("x", new Date(2026, 0, 1, 9, 5, 7), {
        calls: 1,
        tokens: 1,
        usd,
        unpriced,
        seconds: 3725.9,
        ...(estimated === undefined ? {} : { estimated })
      })
    expect(cost(1.234)).toBe("09:05:07 +1:02:05 $1.23 x\n")
    expect(cost(null)).toBe("09:05:07 +1:02:05 $? x\n")
    expect(cost(0, 3)).toBe("09:05:07 +1:02:05 $? x\n")
    expect(cost(2, 3)).toBe("09:05:07 +1:02:05 ≥$2.00 x\n")
    expect(cost(2, 0, { calls: 1, tokens: 5, usd: 0.5 })).toBe("09:05:07 +1:02:05 ≈$2.00 x\n")
  })
})

describe("progress in a log", () => {
  const step = (label: string, done: number) => ({ ...makeProgress(), label, done, total: 100 })

  it("waits for 10 s since the last line and for a tenth of the step", () => {
    const pacer = new ProgressPacer(0)
    expect(pacer.due(step("a", 20), 9_999)).toBeUndefined()
    expect(pacer.due(step("a", 20), 10_000)).toBe("a: 20/100 (20 %)")
    expect(pacer.due(step("a", 29), 25_000)).toBeUndefined()
    expect(pacer.due(step("a", 30), 25_000)).toBe("a: 30/100 (30 %)")
    pacer.wrote(30_000)
    expect(pacer.due(step("a", 90), 39_000)).toBeUndefined()
  })
  it("says once a minute that it is alive", () => {
    const pacer = new ProgressPacer(0)
    pacer.due(step("a", 20), 10_000)
    expect(pacer.due(step("a", 20), 69_000)).toBeUndefined()
    expect(pacer.due(step("a", 20), 70_000)).toBe("a: 20/100 (20 %)")
  })
  it("says once a minute what goes on where nothing can be counted", () => {
    const pacer = new ProgressPacer(0)
    const at = "still at work: iteration 7, \u001b[31mreflection"
    expect(pacer.due(makeProgress(), 59_999, at)).toBeUndefined()
    expect(pacer.due(makeProgress(), 60_000, at)).toBe("still at work: iteration 7, reflection")
    expect(pacer.due(makeProgress(), 119_999, at)).toBeUndefined()
    expect(pacer.due(makeProgress(), 120_000, at)).toBe("still at work: iteration 7, reflection")
  })
  it("is silent between steps", () => {
    expect(new ProgressPacer(0).due(makeProgress(), 100_000)).toBeUndefined()
    expect(new ProgressPacer(0).due(step("a", 100), 100_000)).toBeUndefined()
  })

  it("is written between the events of a run", () => {
    const state = new RunState()
    const progress = makeProgress()
    const written: Array<string> = []
    let seconds = 0
    const run = plainRun(
      (line) => written.push(line),
      state,
      progress,
      {},
      {
        now: () => new Date(2026, 0, 1, 12, 0, seconds),
        used: () => ({ calls: 3, tokens: 9, usd: 0.5, unpriced: 0, seconds: 3600 + seconds })
      }
    )
    const [started] = smallRun().events
    state.apply(started!)
    run.seen(started!)
    Object.assign(progress, step("acceptance c1", 50))
    for (seconds = 1; seconds <= 25; seconds++) run.tick()
    expect(written).toHaveLength(2)
    expect(written[1]).toBe("12:00:10 +1:00:10 $0.5000 acceptance c1: 50/100 (50 %)\n")
  })
})

describe("the display", () => {
  const terminal: DisplayFacts = { stdoutIsTty: true, stdinIsTty: true, ci: undefined, term: "xterm", flags: {} }
  it.each<[Partial<DisplayFacts>, string]>([
    [{}, "live"],
    [{ ci: "" }, "live"],
    [{ ci: "false" }, "live"],
    [{ ci: "true" }, "plain"],
    [{ term: "dumb" }, "plain"],
    [{ stdoutIsTty: false }, "plain"],
    [{ stdinIsTty: false }, "plain"],
    [{ flags: { plain: true } }, "plain"],
    [{ flags: { json: true } }, "plain"],
    [{ flags: { quiet: true } }, "none"],
    [{ flags: { quiet: true, plain: true } }, "none"]
  ])("%j is %s", (facts, display) => {
    expect(chooseDisplay({ ...terminal, ...facts })).toBe(display)
  })
})
