import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const executable = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== undefined && existsSync(path)
)

/** Why there is no browser to test with; undefined where there is one. */
export const noBrowser =
  executable === undefined ? "no Chromium: set CHROMIUM, or install Debian's chromium" : undefined

export const launch = (): Promise<Browser> =>
  // In a container there is no user to shield from the pages, which are our own.
  chromium.launch({ executablePath: executable!, args: ["--no-sandbox", "--disable-gpu"] })

/** A file for people to look at: git ignores its folder. */
export const artefact = (name: string): string => {
  const folder = fileURLToPath(new URL("../../../test-artefacts", import.meta.url))
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

/** Waits until an expression holds. Playwright's own way evaluates strings in the page, which its policy refuses. */
export const until = async (page: Page, expression: string): Promise<void> => {
  while ((await page.evaluate(expression)) !== true) await page.waitForTimeout(50)
}

/** Whether the page has nothing left to draw, to compute or to put in place. */
export const allDrawn =
  'document.querySelector(`[data-draw]:not([data-drawn]), [aria-busy="true"], details > noscript`) === null'

export interface Watched {
  readonly page: Page
  /** What the browser complained of: errors, warnings, refusals of the policy. */
  readonly complaints: ReadonlyArray<string>
  /** Addresses that were asked for, but the file itself. */
  readonly requests: ReadonlyArray<string>
}

/** Opens a file, and watches what the page does. */
export const open = async (browser: Browser, file: string, options: BrowserContextOptions = {}): Promise<Watched> => {
  const page = await (await browser.newContext(options)).newPage()
  const complaints: Array<string> = []
  const requests: Array<string> = []
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on("pageerror", ({ message }) => complaints.push(message))
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const url = `file://${file}`
  page.on("request", (request) => {
    if (request.url() !== url) requests.push(request.url())
  })
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (e) => console.error("refused " + e.violatedDirective + " " + e.blockedURI))'
  )
  await page.goto(url)
  await until(page, allDrawn)
  return { page, complaints, requests }
}
