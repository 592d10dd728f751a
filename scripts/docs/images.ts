/**
 * Makes the pictures of docs/walkthrough.md: the walk-through's campaign on PriMock57 (the folder that the first argument
 * names), its live view as tmux shows it, and its report in Chromium. Build first; needs tmux and chromium.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"
import { coloured } from "./coloured.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const images = join(root, "docs/images")
const source = process.argv[2]
if (source === undefined) throw new Error("name the folder of PriMock57")

const folder = mkdtempSync(join(tmpdir(), "assize-docs-"))
const session = `assize-docs-${process.pid}`
const tmux = (...words: ReadonlyArray<string>) => execFileSync("tmux", words, { encoding: "utf8" })
const assize = (...words: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [join(root, "dist/bundle/bin.js"), ...words], {
    cwd: join(folder, "primock"),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** What the walk-through has as its campaign. */
const campaign = /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/walkthrough.md"), "utf8"))![1]!

const campaignFolder = () => {
  mkdirSync(join(folder, "primock"))
  cpSync(join(root, "seeds"), join(folder, "primock/seeds"), { recursive: true })
  symlinkSync(resolve(source), join(folder, "primock/primock57"))
  assize("data", "import", "primock-pairs", "primock57", "--out", "dataset.jsonl")
  assize("split", "create", "dataset.jsonl", "--out", "split.json", "--seed", "11", "--fractions", "0.25,0.5,0.25")
  writeFileSync(join(folder, "primock/campaign.yaml"), campaign)
}

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"]
})
try {
  mkdirSync(images, { recursive: true })
  campaignFolder()

  tmux("new-session", "-d", "-s", session, "-x", "120", "-y", "32", "-c", join(folder, "primock"))
  const bin = join(root, "dist/bundle/bin.js")
  tmux("send-keys", "-t", session, `'${process.execPath}' '${bin}' run campaign.yaml`, "Enter")
  const underWay = () => /iterations +\[.*?\] +[5-9]\//.test(tmux("capture-pane", "-p", "-t", session))
  for (let tries = 0; !underWay(); tries++) {
    if (tries === 300) throw new Error("the live view did not come to iteration 5")
    await pause(200)
  }
  const view = tmux("capture-pane", "-e", "-p", "-t", session)
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, deviceScaleFactor: 1.5 })
  await page.setContent(coloured(view))
  await page.locator("pre").screenshot({ path: join(images, "live-view.png") })
  tmux("send-keys", "-t", session, "q", "y")
  await pause(1500)
  spawnSync("tmux", ["kill-session", "-t", session])

  assize("run", "campaign.yaml", "--plain")
  assize("report", "latest", "--out", "report.html")
  const report = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  await report.goto(`file://${join(folder, "primock/report.html")}`)
  await pause(500)
  await report.screenshot({ path: join(images, "report-desktop.png") })
  const phone = await browser.newPage({ viewport: { width: 375, height: 720 }, deviceScaleFactor: 2 })
  await phone.goto(`file://${join(folder, "primock/report.html")}`)
  await pause(500)
  await phone.screenshot({ path: join(images, "report-phone.png") })
} finally {
  spawnSync("tmux", ["kill-session", "-t", session], { stdio: "ignore" })
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
