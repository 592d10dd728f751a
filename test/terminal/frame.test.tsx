import { renderToString } from "ink"
import { describe, expect, it } from "vitest"
import { makeProgress } from "../../src/judge/Progress.ts"
import { foldRun, type RunState } from "../../src/optimise/RunState.ts"
import { frame, type Size, smallest } from "../../src/terminal/frame.ts"
import { LiveRun } from "../../src/terminal/LiveRun.tsx"
import { panes } from "../../src/terminal/panes.ts"
import { RunLog } from "../../src/terminal/RunLog.ts"
import { type ViewMeta, viewOf } from "../../src/terminal/RunView.ts"
import { initialUi, type Ui } from "../../src/terminal/ui.ts"
import { widthOf } from "../../src/terminal/width.ts"
import { controls, hostileNames, hostileRun, smallRun } from "./hostile.ts"

const meta: ViewMeta = {
  runId: "r1",
  iterations: 30,
  stall: 10,
  limits: { usd: 20, calls: 5000 },
  usage: { calls: 1234, tokens: 456_789, usd: null, unpriced: 1234, seconds: 187 }
}
const progress = { ...makeProgress(), label: `iteration 4, ${hostileNames.join(" ")}`, done: 5, total: 12, unparsed: 2 }
const log = new RunLog()
for (const name of hostileNames) log.say(name, new Date(0))
const view = (state: RunState, more: Partial<ViewMeta> = {}) => viewOf(state, progress, { ...meta, log, ...more })
const text = (state: RunState, size: Size, ui: Ui = initialUi, more: Partial<ViewMeta> = {}) =>
  frame(view(state, more), ui, size).lines.map((line) => line.map((span) => span.text).join(""))
const idle = { pause() {}, resume() {}, stopAfter() {}, quit() {}, quitNow() {} }

const sizes: ReadonlyArray<Size> = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 16 },
  { columns: 40, rows: 10 },
  { columns: 30, rows: 8 },
  { columns: 240, rows: 70 },
  { columns: 3, rows: 2 }
]

describe("a frame", () => {
  const hostile = hostileRun()
  const statuses: ReadonlyArray<Partial<ViewMeta>> = [
    {},
    { paused: true, pausedSeconds: 12 },
    { halted: true },
    { stopAsked: true }
  ]

  it.each(sizes)("is never wider or taller than $columns × $rows less one, whatever the data", (size) => {
    const scrolled = { overview: 5, frontier: 5, lineage: 5, heat: 5, diff: 1, log: 5 }
    const uis = panes.flatMap((pane) =>
      (["none", "help", "quit"] as const).map(
        (overlay): Ui => ({ ...initialUi, pane, overlay, scroll: scrolled, across: 3 })
      )
    )
    const seen = [...uis, ...panes.map((pane): Ui => ({ ...initialUi, pane }))].map((ui) => [ui, {}] as const)
    for (const [ui, status] of [...seen, ...statuses.map((status) => [initialUi, status] as const)]) {
      const lines = text(hostile, size, ui, status)
      expect(lines.length).toBeLessThanOrEqual(size.rows - 1)
      for (const line of lines) {
        expect(widthOf(line)).toBeLessThanOrEqual(size.columns - 1)
        expect(line).not.toMatch(controls)
      }
    }
  })

  it.each(sizes)("is drawn by Ink as it is, at $columns × $rows", (size) => {
    const read = () => view(hostile)
    const drawn = renderToString(<LiveRun read={read} controls={idle} colour={false} size={size} />, {
      columns: size.columns
    })
    const bare = drawn.replace(/\u001b\[[0-9;]*m/g, "").split("\n")
    expect(bare.length).toBeLessThanOrEqual(size.rows - 1)
    for (const line of bare) {
      expect(widthOf(line)).toBeLessThanOrEqual(size.columns - 1)
      expect(line).not.toMatch(controls)
    }
    expect(bare.map((line) => line.trimEnd())).toEqual(text(hostile, size).map((line) => line.trimEnd()))
  })

  it("says what is run, how far it is, what it found and which keys help", () => {
    const state = foldRun(smallRun().events)
    for (const size of sizes.slice(0, 3)) {
      const all = text(state, size).join("\n")
      expect(all).toContain("quickstart")
      expect(all).toContain("RUNNING")
      expect(all).toContain("embedded stand-in: figures say nothing about real models")
      expect(all).toContain("3/30")
      expect(all).toContain("1 accepted, 2 rejected")
      expect(all).toMatch(/★ c3 .*0\.825 \[0\.60, 1\.00\] {3}40/)
      expect(all).toContain("30/40 at 0/40")
      expect(all).toContain("copies-notes")
      expect(all).toContain("p pause")
    }
  })

  it("never shows a note that a rejection quotes", () => {
    expect(text(foldRun(smallRun().events), { columns: 200, rows: 50 }).join("\n")).not.toContain("ramipril")
  })

  it("shows money whose price nobody knows as unknown", () => {
    const all = text(foldRun(smallRun().events), { columns: 120, rows: 40 }).join("\n")
    expect(all).toMatch(/money +unknown of \$20/)
    expect(all).not.toContain("$0")
  })

  it("carries no embedded label for real models", () => {
    expect(text(hostile, { columns: 120, rows: 40 }).join("\n")).not.toContain("embedded stand-in")
  })

  it("asks for a larger terminal below 60 × 16", () => {
    expect(text(hostile, { columns: 59, rows: 24 })[0]).toBe("enlarge the terminal")
    expect(text(hostile, { columns: 80, rows: 15 })[0]).toBe("enlarge the terminal")
    expect(text(hostile, smallest)[0]).not.toBe("enlarge the terminal")
  })

  it("scrolls the frontier to its last row and no further", () => {
    const size = { columns: 80, rows: 24 }
    const { scrolling } = frame(view(hostile), initialUi, size)
    expect(scrolling.max).toBeGreaterThan(0)
    const at = (first: number): Ui => ({ ...initialUi, scroll: { ...initialUi.scroll, overview: first } })
    const end = text(hostile, size, at(scrolling.max))
    expect(text(hostile, size, at(1000))).toEqual(end)
    expect(end).not.toEqual(text(hostile, size))
  })

  it("is drawn before the first event", () => {
    const all = text(foldRun([]), { columns: 80, rows: 24 }).join("\n")
    expect(all).toContain("STARTING")
  })

  it("says why a run stopped", () => {
    const state = foldRun(smallRun().events)
    state.apply({ _tag: "stopped", reason: "stall", detail: "10 proposals in a row", iteration: 3, winner: null })
    const all = text(state, { columns: 120, rows: 40 }).join("\n")
    expect(all).toContain("STOPPED no improvement found")
    expect(all).not.toContain("p pause")
  })
})
