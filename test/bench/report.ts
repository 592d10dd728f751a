/**
 * The HTML report of 200 candidates on 500 instances: how long it takes to make, how large it is, and, where there is a
 * Chromium, how long after its opening begins the page has handled a key.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { reportPage } from "../../src/report/html/page.ts"
import { launch, noBrowser } from "../report/html/browser.ts"
import { sampleRun } from "../report/html/sampleRun.ts"

const script = readFileSync(fileURLToPath(new URL("../../dist/client/report.js", import.meta.url)), "utf8")
const input = sampleRun({
  candidates: 200,
  consultations: 100,
  flawed: 4,
  rejected: 200,
  instruction: 6000,
  note: 2500
})
const start = performance.now()
const page = reportPage(input, script)
console.log(
  `page of 200 candidates × 500 instances: ${(Buffer.byteLength(page) / 1e6).toFixed(2)} MB, made in ${Math.round(performance.now() - start)} ms; its script ${(script.length / 1e3).toFixed(0)} kB`
)

if (noBrowser !== undefined) {
  console.log(`not opened: ${noBrowser}`)
} else {
  const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))
  const file = join(folder, "report.html")
  writeFileSync(file, page)
  const browser = await launch()
  try {
    for (let round = 1; round <= 3; round++) {
      const tab = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
      // When the page has handled the first key: after every listener of it has run.
      await tab.addInitScript(
        'addEventListener("keydown", () => queueMicrotask(() => setTimeout(() => { window.handled ??= performance.now() })))'
      )
      // Time of the processor beside that of the clock: on a busy machine the clock measures the neighbours.
      const session = await tab.context().newCDPSession(tab)
      await session.send("Performance.enable", { timeDomain: "threadTicks" })
      const busy = async () => {
        const { metrics } = await session.send("Performance.getMetrics")
        return Math.round(1000 * metrics.find(({ name }) => name === "TaskDuration")!.value)
      }
      await tab.goto(`file://${file}`, { waitUntil: "commit" })
      await tab.locator('[role="treeitem"][tabindex="0"]').press("ArrowDown")
      await tab.waitForFunction("window.handled !== undefined")
      const first = await busy()
      const [handled, ready] = (await tab.evaluate(
        "[window.handled, Number(document.documentElement.dataset.ready)]"
      )) as [number, number]
      await tab.waitForFunction('document.querySelectorAll("[data-draw]:empty").length === 0')
      const all = await busy()
      const heat = (await tab.evaluate(`(() => {
        const select = document.querySelector("#rewards select")
        select.value = "class"
        const before = performance.now()
        select.dispatchEvent(new Event("change"))
        return performance.now() - before
      })()`)) as number
      console.log(
        `  round ${round}: script done ${Math.round(ready)} ms after navigation, first key handled at ${Math.round(handled)} ms (${first} ms of the processor; all drawn ${all} ms); the heat map is drawn again in ${Math.round(heat)} ms`
      )
      await tab.context().close()
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
