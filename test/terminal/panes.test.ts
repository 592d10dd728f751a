import { beforeAll, describe, expect, it } from "vitest"
import type { Budget } from "../../src/domain/Campaign.ts"
import { makeProgress } from "../../src/judge/Progress.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { diffChoice } from "../../src/terminal/diffChoice.ts"
import { frame } from "../../src/terminal/frame.ts"
import { budgetBlock, budgetLine, judgementLines, outcomeLine } from "../../src/terminal/frameParts.ts"
import { heatMap, weaknesses } from "../../src/terminal/heatMap.ts"
import { type Line, lineWidth } from "../../src/terminal/line.ts"
import { lineageRows } from "../../src/terminal/lineageRows.ts"
import { panes } from "../../src/terminal/panes.ts"
import { budgetLines, viewOf } from "../../src/terminal/RunView.ts"
import { initialUi, type Ui } from "../../src/terminal/ui.ts"
import { galleryEvents, galleryIds, galleryUnderWay } from "./gallery.ts"
import { galleryView, screenOf, sizes, snapshotFile } from "./galleryView.ts"

const wide = { columns: 120, rows: 40 }

describe("the panes of a stored run", () => {
  beforeAll(() => {
    process.env["TZ"] = "UTC"
  })

  for (const size of sizes)
    for (const pane of panes)
      it(`${pane} at ${size.columns} × ${size.rows}`, async () => {
        const screen = screenOf(galleryView(), { ...initialUi, pane }, size)
        await expect(`${screen}\n`).toMatchFileSnapshot(snapshotFile(size, pane))
      })

  it("help at 60 × 16 names every key that does something", async () => {
    const size = sizes[1]!
    const screen = screenOf(galleryView(), { ...initialUi, overlay: "help" }, size)
    await expect(`${screen}\n`).toMatchFileSnapshot(snapshotFile(size, "help"))
  })
})

describe("the overview", () => {
  const meta = { runId: "r", limits: {}, usage: { calls: 0, tokens: 0, usd: 0, unpriced: 0, seconds: 0 } }

  it("names both parents of a merge, and one of everything else", () => {
    const [one, other] = foldRun(galleryEvents).members.map(({ candidate }) => candidate)
    const events = galleryEvents.map((event) =>
      event._tag === "decided" && event.iteration === 2 ? { ...event, parent: one!.id, partner: other!.id } : event
    )
    const { outcomes } = viewOf(foldRun(events), makeProgress(), meta)
    expect(outcomes.filter(({ partner }) => partner !== undefined)).toHaveLength(1)
    const merge = outcomes.find(({ partner }) => partner !== undefined)!
    const text = (width: number) =>
      outcomeLine(merge, width)
        .map(({ text }) => text)
        .join("")
    expect(text(120)).toContain(` from ${one!.name}+${other!.name}`)
    const cut = outcomeLine({ ...merge, parent: "a".repeat(30), partner: "b".repeat(30) }, 60)
    expect(cut.map(({ text }) => text).join("")).toContain(" from aaa…+bbbb…")
  })

  it("counts the run's judgements over all its sittings, and this one's beside them", () => {
    const line = (before?: { scored: number; unparsed: number; failed: number }) => {
      const progress = { ...makeProgress(), scored: 40, unparsed: 1 }
      const view = viewOf(foldRun(galleryEvents), progress, { ...meta, ...(before === undefined ? {} : { before }) })
      return judgementLines(view)[0]!
        .map(({ text }) => text)
        .join("")
    }
    expect(line({ scored: 1200, unparsed: 2, failed: 1 })).toBe(
      "judgements 1,240 scored, 3 unreadable, 1 failed; this sitting 41"
    )
    expect(line()).toBe("judgements 40 scored, 1 unreadable, 0 failed")
  })
})

describe("the budget on one line", () => {
  const budget = (limits: Budget) => ({
    ...galleryView(),
    budget: budgetLines({ calls: 4321, tokens: 3_259_087, usd: 12.3, unpriced: 0, seconds: 3900 }, limits)
  })
  const all: Budget = { usd: 50, calls: 5000, tokens: 10_000_000, wallClock: "2 hours" }
  const textOf = (line: Line) => line.map(({ text }) => text).join("")
  it("begins with the limit that is nearest", () =>
    expect(textOf(budgetLine(budget(all), 120))).toBe(
      "calls 4,321/5,000 86 %  time 1 h 05 min/2 h 00 min 54 %  tokens 3,259,087/10,000,000 33 %  money $12.30/$50 25 %"
    ))
  it("loses shares first, then what matters least, and cuts no figure", () => {
    expect(textOf(budgetLine(budget(all), 100))).toBe(
      "calls 4,321/5,000  time 1 h 05 min/2 h 00 min  tokens 3,259,087/10,000,000  money $12.30/$50"
    )
    expect(textOf(budgetLine(budget(all), 79))).toBe(
      "calls 4,321/5,000  time 1 h 05 min/2 h 00 min  tokens 3,259,087/10,000,000  …"
    )
    expect(textOf(budgetLine(budget({ calls: 5000 }), 50))).toBe("calls 4,321/5,000  money $12.30  …")
  })
  it("stands beside the counts with bars that give way to figures", () => {
    for (const line of budgetBlock(budget(all), 48)) {
      expect(lineWidth(line)).toBeLessThanOrEqual(48)
    }
    expect(budgetBlock(budget(all), 48).map(textOf)[2]).toMatch(/^tokens .*3,259,087 of 10,000,000$/)
  })
})

describe("the lineage", () => {
  const rows = lineageRows(foldRun(galleryEvents))
  it("puts each candidate under its first parent, a merge once, with its other parent's name", () => {
    expect(rows.map(({ alsoFrom, depth, modules, name }) => [depth, name, modules, alsoFrom])).toEqual([
      [0, "completeness", [], []],
      [1, "c3", ["check"], []],
      [2, "c5", ["score"], ["c4"]],
      [3, "c6", ["check"], []],
      [1, "c4", ["score"], []],
      [0, "faithfulness", [], []],
      [1, "c7", ["check"], []]
    ])
  })
  it("counts the proposals of each, and those that were kept", () => {
    expect(rows.map(({ accepted, name, tried }) => `${name} ${accepted}/${tried}`)).toEqual([
      "completeness 2/2",
      "c3 1/2",
      "c5 1/1",
      "c6 0/3",
      "c4 0/0",
      "faithfulness 1/3",
      "c7 0/0"
    ])
  })
})

describe("the heat map", () => {
  const state = foldRun(galleryEvents)
  const map = heatMap(state)!
  it("has a mark for each instance of a consultation, and a space between consultations", () => {
    expect(map.groups).toHaveLength(12)
    expect(map.instances).toBe(36)
    for (const { marks } of map.rows) expect(marks).toMatch(/^([#+\-.?!]{3} ){11}[#+\-.?!]{3}$/)
    expect(map.rows).toHaveLength(7)
  })
  it("tells a reply that cannot be read and a call that failed from a low reward", () => {
    const { marks } = map.rows.find(({ name }) => name === "c4")!
    const of = (consultation: string) => {
      const { start } = map.groups.find(({ label }) => label === consultation)!
      return marks.slice(start, start + 3)
    }
    // Pairs a and b, then the clean note.
    expect(of("gout")[0]).toBe("!")
    expect(of("uti")[1]).toBe("?")
    expect(map.best).not.toMatch(/[?!]/)
  })
  it("names the consultations on which a candidate is weakest, with their n", () => {
    const [worst, ...others] = weaknesses(state, galleryIds.c6)
    expect(worst?.n).toBe(3)
    expect(others.every(({ reward }) => reward >= worst!.reward)).toBe(true)
  })
})

describe("a diff", () => {
  const state = foldRun(galleryEvents)
  it("holds a candidate against its parent word by word, and leaves unchanged modules alone", () => {
    const { diff, parents } = diffChoice(state, galleryIds.c6)!
    expect(parents).toEqual(["c5"])
    expect(diff.modules.map(({ changed, module }) => [module, changed])).toEqual([
      ["check", true],
      ["score", false]
    ])
    const [check] = diff.modules
    const text = (kinds: ReadonlyArray<string>) =>
      check!.stretches
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ text }) => text)
        .join("")
    expect(text(["same", "removed"]).trimEnd()).toBe(
      state.members.find(({ candidate }) => candidate.name === "c5")!.candidate.instructions["check"]
    )
    expect(text(["same", "added"]).trimEnd()).toBe(
      state.members.find(({ candidate }) => candidate.name === "c6")!.candidate.instructions["check"]
    )
    expect(text(["added"])).toContain("A dose without its unit counts as missing.")
    expect(text(["removed"]).trim()).toBe("")
  })
  it("holds a merge against either parent", () => {
    const [one, other] = [diffChoice(state, galleryIds.c5, 0)!, diffChoice(state, galleryIds.c5, 1)!]
    expect([one.parents[one.against], other.parents[other.against]]).toEqual(["c3", "c4"])
    const changed = ({ diff }: typeof one) => diff.modules.filter(({ changed }) => changed).map(({ module }) => module)
    expect([changed(one), changed(other)]).toEqual([["score"], ["check"]])
    expect(diffChoice(state, galleryIds.c5, 2)!.against).toBe(0)
  })
  it("shows a seed whole, as it is", () => {
    const { diff, lengths } = diffChoice(state, galleryIds.first)!
    expect(diff.modules.flatMap(({ stretches }) => stretches.map(({ kind }) => kind))).toEqual(["same", "same"])
    expect(lengths[0]).toBeNull()
  })
  it("shows the texts of all modules of a seed, none of which is called unchanged", () => {
    const screen = screenOf(galleryView(), { ...initialUi, pane: "diff", chosen: galleryIds.first }, wide)
    for (const word of galleryWords(galleryIds.first)) expect(screen).toContain(word)
    expect(screen).not.toContain("unchanged")
  })
  it("follows the proposal under way, then the newest candidate", () => {
    expect(diffChoice(foldRun(galleryUnderWay), undefined)?.name).toBe("proposal of iteration 11")
    expect(diffChoice(state, undefined)?.name).toBe("c7")
  })
  it("keeps the changed text whole, whatever is wrapped, marked and scrolled", () => {
    const view = galleryView()
    const ui: Ui = { ...initialUi, pane: "diff", chosen: galleryIds.c6 }
    const { scrolling } = frame(view, ui, sizes[1]!)
    const seen = Array.from({ length: scrolling.max + 1 }, (_, first) =>
      screenOf(view, { ...ui, scroll: { ...ui.scroll, diff: first } }, sizes[1]!)
    ).join("\n")
    for (const word of galleryWords(galleryIds.c6)) expect(seen).toContain(word)
  })
})

const galleryWords = (id: string) =>
  foldRun(galleryEvents)
    .members.find(({ candidate }) => candidate.id === id)!
    .candidate.instructions["check"]!.split(/\s+/)

describe("a run that nobody runs", () => {
  it("is shown as interrupted, with no estimate of what is left", () => {
    const screen = screenOf(galleryView(galleryUnderWay), initialUi, wide)
    expect(screen).toContain("INTERRUPTED no process runs it")
    expect(screen).toContain("not known yet")
    expect(screenOf(galleryView(galleryUnderWay, true), initialUi, wide)).toContain("RUNNING")
  })
})
