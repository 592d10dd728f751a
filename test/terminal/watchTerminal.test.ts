import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { panes, paneTitle } from "../../src/terminal/panes.ts"
import { writeGallery } from "./galleryStore.ts"
import { sizes, snapshotFile } from "./galleryView.ts"
import { controls, hostileEvents } from "./hostile.ts"
import { bin, hasTmux, node, Screen } from "./Screen.ts"

describe.skipIf(!hasTmux)("runs watch on a terminal", () => {
  let folder = ""
  let store = ""
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assize-watch-"))
    store = join(folder, "store.sqlite")
    await writeGallery(store)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const watching = async (environment: string, use: (screen: Screen) => Promise<void>) => {
    const { columns, rows } = sizes[0]!
    const screen = new Screen(columns, rows, environment)
    try {
      screen.type(`${node} ${bin} runs watch --store ${store}; echo "left with $?"`)
      await use(screen)
    } finally {
      screen.close()
    }
  }

  it(
    "shows all panes at all sizes as they are kept, resized while running, and leaves a summary",
    { timeout: 60_000 },
    () =>
      watching("TZ=UTC TERM=screen-256color", async (screen) => {
        await screen.until(/STOPPED/)
        for (const size of sizes) {
          screen.resize(size.columns, size.rows)
          for (const [at, pane] of panes.entries()) {
            screen.key(String(at + 1))
            const kept = readFileSync(snapshotFile(size, pane), "utf8").trimEnd()
            await screen.until((text) => text.trimEnd() === kept)
          }
          screen.key("1")
        }
        screen.resize(50, 12)
        await screen.until(/enlarge the terminal\nto 60 × 16, from 50 × 12/)
        screen.resize(80, 24)
        await screen.until(new RegExp(`\\[1 ${paneTitle.overview}\\]`))
        screen.key("q")
        const left = await screen.until(/left with 0/)
        expect(left).toContain("Run gallery-1: no improvement found; 10 proposals in a row were rejected")
        expect(left).toContain("Best so far: c6, paired discrimination 1.000 [0.74, 1.00], n 24")
        expect(left).toContain("assize confirm gallery-1")
        expect(screen.modes).toBe("0 1")
      })
  )

  it("uses no colour with NO_COLOR, and says the same", { timeout: 30_000 }, () =>
    watching("TZ=UTC TERM=screen-256color NO_COLOR=1", async (screen) => {
      await screen.until(/STOPPED/)
      screen.key("4")
      const kept = readFileSync(snapshotFile(sizes[0]!, "heat"), "utf8").trimEnd()
      await screen.until((text) => text.trimEnd() === kept)
      expect(screen.coloured).not.toMatch(/\u001b\[[0-9;]*(3[0-7]|9[0-7]|38|48)/)
      expect(screen.coloured).toMatch(/\u001b\[[0-9;]*[127]m/)
    })
  )

  it("lets no control sequence of names, prompts and details at the terminal", { timeout: 40_000 }, async () => {
    const hostile = join(folder, "hostile.sqlite")
    const bytes = join(folder, "bytes")
    await writeGallery(hostile, hostileEvents())
    const screen = new Screen(80, 24, "TZ=UTC TERM=screen-256color")
    try {
      screen.record(bytes)
      screen.type(`${node} ${bin} runs watch --store ${hostile}; echo "left with $?"`)
      await screen.until(/INTERRUPTED/)
      for (const [at, pane] of panes.entries()) {
        screen.key(String(at + 1))
        await screen.until((text) => text.includes(`[${at + 1} ${paneTitle[pane]}]`))
        screen.key("Down", "Down", "NPage")
      }
      screen.key("5")
      await screen.until(/\[5 diff\]/)
      for (let turn = 0; turn < 4; turn++) screen.key("Left", "n", "m")
      screen.resize(200, 50)
      await screen.until((text) => text.split("\n").length > 40 && /\[5 diff\]/.test(text))
      screen.key("q")
      await screen.until(/left with 0/)
      expect(screen.title).not.toContain("owned")
    } finally {
      screen.close()
    }
    const text = readFileSync(bytes, "utf8")
    // The frames' own: cursor, erasing, screens, and the few styles there are.
    const own = /\u001b\[(\?[0-9;]+[hl]|[0-9;]*[ABCDEFGHJKX]|(0|1|2|7|22|27|31|32|33|36|39)?m|[0-9;]*r)/g
    expect(text.replace(own, "").replace(/[\r\n]/g, "")).not.toMatch(controls)
    expect(text).toContain("red")
  })

  it("prints lines under TERM=dumb", { timeout: 30_000 }, () =>
    watching("TZ=UTC TERM=dumb", async (screen) => {
      const text = await screen.until(/left with 0/)
      expect(text).toContain("watching run gallery-1")
      expect(text).toContain("no process is running it")
      expect(screen.modes).toBe("0 1")
    })
  )

  it("gives the terminal back on Ctrl-Z and draws itself anew on fg", { timeout: 30_000 }, async () => {
    const screen = new Screen(80, 24, "TZ=UTC TERM=screen-256color", "bash --norc -i")
    try {
      screen.type(`${node} ${bin} runs watch --store ${store}`)
      const drawn = await screen.until(/\[1 overview\]/)
      screen.key("C-z")
      await screen.until(/Stopped/)
      expect(screen.modes).toBe("0 1")
      screen.type("echo still $((40 + 2))")
      await screen.until(/still 42/)
      screen.type("fg")
      await screen.until((text) => text === drawn)
      expect(screen.modes).toBe("1 0")
      screen.key("q")
      await screen.until(/Run gallery-1/)
    } finally {
      screen.close()
    }
  })
})
