import { render } from "ink-testing-library"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeProgress } from "../../src/judge/Progress.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { initialUi, keysNow, press, type Ui } from "../../src/terminal/keys.ts"
import { LiveRun } from "../../src/terminal/LiveRun.tsx"
import { viewOf } from "../../src/terminal/RunView.ts"
import { smallRun } from "./hostile.ts"

const running = { status: "running", stopAsked: false } as const
const scrolling = { max: 5, page: 3 }

const after = (keys: ReadonlyArray<string>, view: Parameters<typeof press>[2] = running) => {
  let ui: Ui = initialUi
  const actions: Array<string> = []
  for (const key of keys) {
    const pressed = press(ui, key, view, scrolling)
    ui = pressed.ui
    if (pressed.action !== undefined) actions.push(pressed.action)
  }
  return { ui, actions }
}

describe("a key", () => {
  it("pauses a running run and resumes a paused one", () => {
    expect(after(["p"]).actions).toEqual(["pause"])
    expect(after(["p"], { status: "paused", stopAsked: false }).actions).toEqual(["resume"])
  })
  it("asks for a stop after the iteration, and takes it back", () => {
    expect(after(["s"]).actions).toEqual(["stop-after"])
    expect(after(["s"], { status: "stopping", stopAsked: true }).actions).toEqual(["go-on"])
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
    expect(after(["ctrl-c"], { status: "draining", stopAsked: false }).actions).toEqual(["quit-now"])
  })
  it("does nothing to a run that drains or has stopped", () => {
    for (const status of ["draining", "stopped"] as const) {
      expect(after(["p", "s", "q", "q"], { status, stopAsked: false }).actions).toEqual([])
    }
  })
  it("scrolls within the table", () => {
    expect(after(["j", "down", "k"]).ui.scroll).toBe(1)
    expect(after(["G", "j"]).ui.scroll).toBe(5)
    expect(after(["page-down", "up", "home", "up"]).ui.scroll).toBe(0)
  })
  it("opens and closes the help", () => {
    expect(after(["?"]).ui.overlay).toBe("help")
    expect(after(["?", "escape"]).ui.overlay).toBe("none")
    expect(after(["?", "q"])).toEqual({ ui: initialUi, actions: [] })
  })
  it("is named in the footer only while it does something", () => {
    expect(keysNow(initialUi, running, true)).toEqual([
      "p pause",
      "s stop after iteration",
      "q quit",
      "↑↓ scroll",
      "? help"
    ])
    expect(keysNow(initialUi, { status: "draining", stopAsked: false }, false)).toEqual([
      "Ctrl-C leave at once",
      "? help"
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
