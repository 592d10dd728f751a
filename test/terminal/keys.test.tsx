import { render } from "ink-testing-library"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeProgress } from "../../src/judge/Progress.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { help, keysNow, press } from "../../src/terminal/keys.ts"
import { LiveRun } from "../../src/terminal/LiveRun.tsx"
import { viewOf } from "../../src/terminal/RunView.ts"
import type { Scrolling } from "../../src/terminal/scrolling.ts"
import { initialUi, type Ui } from "../../src/terminal/ui.ts"
import { smallRun } from "./hostile.ts"

const running = { status: "running", stopAsked: false, watching: false } as const
const scrolling = { max: 5, page: 3 }

const after = (
  keys: ReadonlyArray<string>,
  view: Parameters<typeof press>[2] = running,
  reach: Scrolling = scrolling,
  from: Partial<Ui> = {}
) => {
  let ui: Ui = { ...initialUi, ...from }
  const actions: Array<string> = []
  for (const key of keys) {
    const pressed = press(ui, key, view, reach)
    ui = pressed.ui
    if (pressed.action !== undefined) actions.push(pressed.action)
  }
  return { ui, actions }
}

describe("a key", () => {
  it("pauses a running run and resumes a paused one", () => {
    expect(after(["p"]).actions).toEqual(["pause"])
    expect(after(["p"], { status: "paused", stopAsked: false, watching: false }).actions).toEqual(["resume"])
  })
  it("asks for a stop after the iteration, and takes it back", () => {
    expect(after(["s"]).actions).toEqual(["stop-after"])
    expect(after(["s"], { status: "stopping", stopAsked: true, watching: false }).actions).toEqual(["go-on"])
  })
  it("asks once before it quits", () => {
    expect(after(["q"])).toEqual({ ui: { ...initialUi, overlay: "quit" }, actions: [] })
    expect(after(["q", "escape"])).toEqual({ ui: initialUi, actions: [] })
    expect(after(["q", "q"]).actions).toEqual(["quit"])
    expect(after(["q", "p", "x", "s"]).actions).toEqual([])
  })
  it("drains with the first Ctrl-C and leaves with the second, from anywhere", () => {
    expect(after(["ctrl-c", "ctrl-c"]).actions).toEqual(["quit", "quit-now"])
    expect(after(["q", "q", "ctrl-c"]).actions).toEqual(["quit", "quit-now"])
    expect(after(["?", "ctrl-c"]).actions).toEqual(["quit"])
    expect(after(["ctrl-c"], { status: "draining", stopAsked: false, watching: false }).actions).toEqual(["quit-now"])
  })
  it("does nothing to a run that drains or has stopped", () => {
    for (const status of ["draining", "stopped"] as const) {
      expect(after(["p", "s", "q", "q"], { status, stopAsked: false, watching: false }).actions).toEqual([])
    }
  })
  it("scrolls within the table", () => {
    expect(after(["j", "down", "k"]).ui.scroll.overview).toBe(1)
    expect(after(["G", "j"]).ui.scroll.overview).toBe(5)
    expect(after(["page-down", "up", "home", "up"]).ui.scroll.overview).toBe(0)
  })
  it("opens and closes the help", () => {
    expect(after(["?"]).ui.overlay).toBe("help")
    expect(after(["?", "escape"]).ui.overlay).toBe("none")
    expect(after(["?", "q"])).toEqual({ ui: initialUi, actions: [] })
  })
  it("goes to a pane by its number, and round by Tab", () => {
    expect(after(["4"]).ui.pane).toBe("heat")
    expect(after(["tab", "tab", "back-tab"]).ui.pane).toBe("frontier")
    expect(after(["back-tab"]).ui.pane).toBe("log")
    expect(after(["?", "5"]).ui).toMatchObject({ pane: "diff", overlay: "none" })
    expect(after(["q", "5"]).ui).toMatchObject({ pane: "overview", overlay: "quit" })
  })
  it("chooses a candidate where the pane lists them, and shows its diff", () => {
    const listed = { ...scrolling, candidates: ["a", "b", "c"], chosen: -1 }
    const lineage = { pane: "lineage" } as const
    expect(after(["down"], running, listed, lineage).ui.chosen).toBe("a")
    expect(after(["down"], running, { ...listed, chosen: 1 }, lineage).ui.chosen).toBe("c")
    expect(after(["G"], running, listed, lineage).ui.chosen).toBe("c")
    expect(after(["enter"], running, { ...listed, chosen: 1 }, lineage).ui).toMatchObject({ chosen: "b", pane: "diff" })
    expect(after(["escape"], running, { ...listed, chosen: 1 }, { ...lineage, chosen: "b" }).ui.chosen).toBeUndefined()
  })
  it("goes through candidates, changes and parents of a diff", () => {
    const shown = { max: 40, page: 10, candidates: ["a", "b", "c"], chosen: 2, marks: [3, 20, 39], otherParent: true }
    const diff = { pane: "diff" } as const
    expect(after(["left"], running, shown, diff).ui.chosen).toBe("b")
    expect(after(["right"], running, { ...shown, chosen: -1 }, diff).ui.chosen).toBe("c")
    expect(after(["n", "n", "N"], running, shown, diff).ui.scroll.diff).toBe(3)
    expect(after(["m", "m"], running, shown, diff).ui.parent).toBe(2)
  })
  it("moves the heat map sideways within its width", () => {
    const wide = { ...scrolling, candidates: ["a"], chosen: -1, across: { max: 25, page: 10 } }
    expect(after(["right", "right", "right", "left"], running, wide, { pane: "heat" }).ui.across).toBe(15)
  })
  it("holds the log where somebody scrolled to, and follows it again from its end", () => {
    const log = { pane: "log" } as const
    expect(after(["up"], running, scrolling, log).ui.scroll.log).toBe(4)
    expect(after(["up", "G"], running, scrolling, log).ui.scroll.log).toBe(Number.POSITIVE_INFINITY)
  })
  it("changes nothing of a run that is only watched", () => {
    const watched = { status: "running", stopAsked: false, watching: true } as const
    expect(after(["p", "s"], watched).actions).toEqual([])
    expect(after(["q"], watched).actions).toEqual(["quit"])
    expect(after(["?", "ctrl-c"], watched).actions).toEqual(["quit"])
    expect(keysNow(initialUi, watched, scrolling)[0]).toEqual(["q", "detach"])
    expect(help(true).flat().join()).not.toContain("pause")
    expect(help(false).flat().join()).toContain("pause: finish calls")
  })
  it("is named in the footer only while it does something", () => {
    const footer = (view: Parameters<typeof press>[2], reach: Scrolling) =>
      keysNow(initialUi, view, reach).map((pair) => pair.join(" "))
    expect(footer(running, scrolling)).toEqual([
      "p pause",
      "s stop after iteration",
      "q quit",
      "? help",
      "1–6 Tab panes",
      "↑↓ scroll"
    ])
    expect(footer({ ...running, status: "draining" }, { max: 0, page: 1 })).toEqual([
      "Ctrl-C leave at once",
      "? help",
      "1–6 Tab panes"
    ])
  })
})

describe("the live view", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const shown = () => {
    const calls: Array<string> = []
    const meta = { paused: false, halted: false, stopAsked: false, iterations: 30 }
    const state = new RunState()
    const controls = {
      pause: () => {
        meta.paused = true
        calls.push("pause")
      },
      resume: () => {
        meta.paused = false
        calls.push("resume")
      },
      stopAfter: (asked: boolean) => {
        meta.stopAsked = asked
        calls.push(`stopAfter ${asked}`)
      },
      quit: () => {
        meta.halted = true
        calls.push("quit")
      },
      quitNow: () => {
        calls.push("quitNow")
      }
    }
    const usage = { calls: 0, tokens: 0, usd: null, unpriced: 0, seconds: 0 }
    const read = () => viewOf(state, makeProgress(), { runId: "r1", limits: {}, usage, ...meta })
    const app = render(
      <LiveRun read={read} controls={controls} colour={false} size={{ columns: 80, rows: 24 }} tickMs={20} />
    )
    const until = (seen: string) =>
      vi.waitFor(() => expect((app.lastFrame() ?? "").replace(/\u001b\[[0-9;]*m/g, "")).toContain(seen), {
        timeout: 3000
      })
    return { app, calls, state, until }
  }

  it("shows at the next tick what has become of the run", async () => {
    const { app, state, until } = shown()
    await until("STARTING")
    for (const event of smallRun().events) state.apply(event)
    await until("★ c3")
    app.unmount()
  })

  it("passes keys on and shows what they did", async () => {
    const { app, calls, state, until } = shown()
    for (const event of smallRun().events) state.apply(event)
    await until("RUNNING")
    app.stdin.write("p")
    await until("PAUSED")
    app.stdin.write("p")
    await until("RUNNING")
    app.stdin.write("s")
    await until("STOPPING")
    app.stdin.write("s")
    await until("RUNNING")
    app.stdin.write("?")
    await until("Keys")
    app.stdin.write("\u001b")
    await until("p pause")
    app.stdin.write("qq")
    await until("DRAINING")
    app.stdin.write("\u0003")
    await vi.waitFor(() => expect(calls).toContain("quitNow"))
    expect(calls).toEqual(["pause", "resume", "stopAfter true", "stopAfter false", "quit", "quitNow"])
    app.unmount()
  })
})
