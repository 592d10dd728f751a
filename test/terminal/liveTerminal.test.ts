import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "vite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { widthOf } from "../../src/terminal/width.ts"
import { hasTmux, node, Screen } from "./Screen.ts"

describe.skipIf(!hasTmux)("the live view on a terminal", () => {
  let folder = ""
  let demo = ""

  beforeAll(async () => {
    // Inside node_modules, so that the bundle finds its packages.
    folder = mkdtempSync(join(import.meta.dirname, "../../node_modules/.assize-demo-"))
    demo = join(folder, "demo.js")
    await build({
      configFile: false,
      logLevel: "error",
      build: { ssr: join(import.meta.dirname, "demo.ts"), outDir: folder, emptyOutDir: false, minify: false }
    })
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const onScreen = async (columns: number, rows: number, use: (screen: Screen) => Promise<void>) => {
    const screen = new Screen(columns, rows)
    try {
      screen.type(`${node} ${demo}; echo "left with $?"`)
      await screen.until(/RUNNING/)
      await use(screen)
    } finally {
      screen.close()
    }
  }

  it("pauses, resumes, draws itself anew at every size, asks before it quits, and gives the terminal back", () =>
    onScreen(80, 24, async (screen) => {
      expect(screen.modes).toBe("1 0")
      screen.key("p")
      const paused = await screen.until(/PAUSED/)
      expect(paused).toContain("p resume")
      const counted = /calls ([\d,]+)\//.exec(paused)?.[1]
      await new Promise((resolve) => setTimeout(resolve, 400))
      // The call under way when it was paused may still finish.
      const after = Number(/calls ([\d,]+)\//.exec(screen.text)?.[1]?.replaceAll(",", ""))
      expect(after - Number(counted?.replaceAll(",", ""))).toBeLessThanOrEqual(1)
      screen.key("p")
      await screen.until(/RUNNING/)
      for (const [columns, rows] of [
        [60, 16],
        [30, 8],
        [200, 50],
        [80, 24]
      ] as const) {
        screen.resize(columns, rows)
        const ready = columns === 30 ? /enlarge the terminal/ : /\? help/
        // A frame of the size before may still be on the screen, so what is waited for is one clean frame.
        await screen.until((text) => {
          const lines = text.split("\n").filter((line) => line.trim() !== "")
          return (
            ready.test(text) && text.split(/RUNNING/i).length === 2 && lines.every((line) => widthOf(line) < columns)
          )
        })
      }
      screen.key("q")
      await screen.until(/q again to stop/)
      screen.key("Escape")
      await screen.until(/p pause/)
      screen.key("q")
      await screen.until(/q again to stop/)
      screen.key("q")
      const left = await screen.until(/left with 0/)
      expect(left).toContain("assize run")
      expect(left).not.toContain("RUNNING")
      expect(screen.modes).toBe("0 1")
    }))

  it("stops after the iteration, and takes it back", { timeout: 300_000 }, async () => {
    // On a busy machine the iteration may end between the two keys: then there is nothing left to take back.
    for (let attempt = 1; ; attempt++) {
      let takenBack = false
      await onScreen(60, 16, async (screen) => {
        screen.key("s")
        await screen.until((text) => /STOPPING/.test(text) || /left with/.test(text))
        screen.key("s")
        let shown = ""
        await screen.until((text) => {
          shown = text
          return /RUNNING/.test(text) || /left with/.test(text)
        })
        takenBack = /RUNNING/.test(shown)
        if (takenBack) screen.key("s")
        await screen.until(/left with 0/)
        expect(screen.modes).toBe("0 1")
      })
      if (takenBack) return
      expect(attempt, "the run ended each time before the stop could be taken back").toBeLessThan(25)
    }
  })

  it("is gone after one Ctrl-C and the calls under way", () =>
    onScreen(80, 24, async (screen) => {
      screen.key("C-c")
      await screen.until(/left with 0/)
      expect(screen.modes).toBe("0 1")
    }))

  it("gives the terminal back after SIGTERM", () =>
    onScreen(80, 24, async (screen) => {
      const pid = execFileSync("pgrep", ["-f", demo], { encoding: "utf8" }).trim().split("\n").at(-1)
      process.kill(Number(pid), "SIGTERM")
      await screen.until(/left with (130|143)/)
      expect(screen.modes).toBe("0 1")
    }))
})
