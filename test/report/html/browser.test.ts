import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { reportPage } from "../../../src/report/html/page.ts"
import { artefact, launch, noBrowser, open, type Watched } from "./browser.ts"
import { sampleRun } from "./sampleRun.ts"

const hostile = `</script></style><script>document.title="taken"</script><img src="https://example.org/x" onerror="alert(1)"> \u202etxet\u202c שלום עולם مرحبا 👩🏽‍⚕️`
/** A line of 50 kB. */
const line = "wordwithoutend".repeat(3600)

/** Tables that nobody sees, by their captions. */
const hiddenTables =
  '[...document.querySelectorAll("table")].filter((e) => !e.checkVisibility()).map((e) => e.caption.textContent)'

/** Where the page is wider than the window, or something is cut that no box of its own scrolls to; and such boxes. */
const overflows = `(() => {
  const wide = document.documentElement.clientWidth
  const name = (e) => e.getAttribute("aria-label") ?? e.closest("section")?.id ?? e.tagName
  const cut = document.documentElement.scrollWidth > wide ? ["page"] : []
  const scrolled = []
  for (const e of document.querySelectorAll(".scroll, .pan"))
    if (e.checkVisibility() && e.scrollWidth > e.clientWidth + 1) scrolled.push(name(e))
  for (const e of document.querySelectorAll("main *")) {
    const { right, width } = e.getBoundingClientRect()
    if (e.checkVisibility() && width > 0 && right > wide + 1 && !e.closest(".scroll, .pan, .away")) cut.push(name(e))
  }
  for (const text of document.querySelectorAll(".chart text")) {
    const box = (text.closest(".pan svg") ?? text.closest("figure") ?? text.closest("svg")).getBoundingClientRect()
    const own = text.getBoundingClientRect()
    if (own.width > 0 && (own.left < box.left - 1 || own.right > box.right + 1)) cut.push(text.textContent)
  }
  return [cut, scrolled]
})()`

if (noBrowser !== undefined) console.warn(`browser tests are skipped: ${noBrowser}`)

describe.skipIf(noBrowser !== undefined)("the report in a browser", { timeout: 90_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "assize-report-"))
  const script = () => readFileSync(fileURLToPath(new URL("../../../dist/client/report.js", import.meta.url)), "utf8")
  const files = { plain: join(folder, "plain.html"), hostile: join(folder, "hostile.html") }
  let browser: Browser
  /** On a desk, in light; what one test leaves behind is what the next begins with. */
  let desk: Watched

  beforeAll(async () => {
    const shape = { candidates: 10, consultations: 14, flawed: 3, rejected: 8 }
    writeFileSync(files.plain, reportPage(sampleRun({ ...shape, instruction: 1500 }), script()))
    writeFileSync(
      files.hostile,
      reportPage(sampleRun({ candidates: 5, consultations: 3, flawed: 3, rejected: 6, hostile, line }), script())
    )
    browser = await launch()
    desk = await open(browser, files.plain, { viewport: { width: 1280, height: 900 } })
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("asks for nothing, breaks no rule of its policy, and draws every part", async () => {
    const { complaints, page, requests } = desk
    assert.deepStrictEqual([complaints, requests], [[], []])
    for (const name of ["course", "lineage", "heat", "plane", "scores", "flips", "cost"])
      assert.isAbove(
        (await page.locator(`[data-draw="${name}"] :is(svg, canvas)`).count()) + (name === "flips" ? 1 : 0),
        0,
        name
      )
    assert.strictEqual(await page.locator('[role="treeitem"]').count(), 10 + 8)
    await page.screenshot({ path: artefact("report-desktop.png"), fullPage: true })
  })

  it("shows hostile texts as texts, on a page that is no wider for them", async () => {
    const { complaints, page, requests } = await open(browser, files.hostile, {
      viewport: { width: 375, height: 740 },
      isMobile: true,
      hasTouch: true
    })
    // Every pair and every node, so that each text has been shown once.
    await page.locator("#flips").getByLabel("Pairs").first().selectOption("all")
    for (const option of await page.locator('#flips [role="option"]').all()) await option.dispatchEvent("click")
    for (const item of await page.locator('[role="treeitem"]').all()) await item.dispatchEvent("click")
    assert.deepStrictEqual([complaints, requests], [[], []])
    assert.strictEqual(await page.title(), "sample-1 · assize report")
    assert.strictEqual(await page.locator("img, iframe, object").count(), 0)
    assert.strictEqual(await page.locator("script").count(), 2)
    assert.include(await page.locator("#flips .panel .text").first().textContent(), "⟦U+202E⟧txet")
    assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, 375)
    await page.screenshot({ path: artefact("report-hostile-phone.png") })
    await page.context().close()
  })

  it("is walked through by keys: the skip link, the lineage, the rewards, the flips", async () => {
    const { page } = desk
    const focused = (what: string) => page.evaluate(`document.activeElement.${what}`) as Promise<string>
    await page.keyboard.press("Tab")
    assert.strictEqual(await focused("className"), "skip")
    await page.keyboard.press("Enter")
    assert.strictEqual(await focused("id"), "main")

    // One stop for the whole tree: the winner, which is selected at first.
    const items = page.locator('[role="treeitem"][tabindex="0"]')
    assert.strictEqual(await items.count(), 1)
    await items.focus()
    assert.include(await focused("getAttribute('aria-label')"), "winner")
    await page.keyboard.press("Home")
    assert.include(await focused("getAttribute('aria-label')"), "first, seed")
    await page.keyboard.press("ArrowRight")
    const child = await focused("getAttribute('aria-label')")
    assert.notInclude(child, "first, seed")
    assert.strictEqual(await page.locator("#lineage .panel h3").textContent(), child.split(",")[0]!)
    await page.keyboard.press("ArrowLeft")
    assert.include(await focused("getAttribute('aria-label')"), "first, seed")
    await page.keyboard.press("End")
    assert.strictEqual(await page.locator('[role="treeitem"][aria-selected="true"]').count(), 1)
    assert.strictEqual(await items.count(), 1)

    const cell = page.locator('[role="gridcell"]')
    await cell.focus()
    const at = async () => [
      await page.locator('[role="grid"] [role="row"]').getAttribute("aria-rowindex"),
      await cell.getAttribute("aria-colindex")
    ]
    assert.deepStrictEqual(await at(), ["1", "1"])
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowDown")
    assert.deepStrictEqual(await at(), ["2", "2"])
    assert.include(await cell.getAttribute("aria-label"), "reward")
    assert.strictEqual(await page.locator("#live").textContent(), await cell.getAttribute("aria-label"))
    await page.keyboard.press("PageDown")
    assert.deepStrictEqual(await at(), ["2", "5"])
    await page.keyboard.press("Control+End")
    assert.deepStrictEqual(await at(), ["10", "56"])
    // Marks of a drawing, from left to right; the ring shows which.
    const course = page.locator("#course svg[tabindex]").first()
    await course.focus()
    await page.keyboard.press("End")
    const last = await page.locator("#live").textContent()
    assert.match(last!, /^c\d+, iteration \d+: \d\.\d{3} .*n = \d+ pairs$/)
    assert.strictEqual(await page.locator("#course .readout").first().textContent(), last)
    assert.strictEqual(await course.locator(".ring").count(), 1)
    await page.keyboard.press("ArrowLeft")
    assert.notStrictEqual(await page.locator("#live").textContent(), last)
    await cell.focus()
    // From a cell to its pair.
    await page.keyboard.press("Enter")
    assert.strictEqual(await focused("getAttribute('role')"), "option")
    const pair = await page.locator("#flips .panel h3").textContent()
    assert.match(pair!, /^consultation-13\/p\d$/)
    await page.keyboard.press("ArrowUp")
    assert.notStrictEqual(await page.locator("#flips .panel h3").textContent(), pair)
    // Whatever has the focus shows it.
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert.strictEqual(outline, "solid")
  })

  it("has one heading of the first level, named parts, labelled controls and drawings", async () => {
    const { page } = desk
    const problems = await page.evaluate(`(() => {
      const found = []
      const name = (e) => e.getAttribute("aria-label") ?? e.closest("label")?.textContent ?? e.textContent
      if (document.querySelectorAll("h1").length !== 1) found.push("h1")
      for (const landmark of ["header", "nav", "main", "footer"])
        if (document.querySelectorAll(landmark).length !== 1) found.push(landmark)
      for (const e of document.querySelectorAll("select, input, button, [role=img], [role=tree], [role=grid], [role=listbox], nav, [role=region]"))
        if (!name(e)?.trim()) found.push(e.outerHTML.slice(0, 100))
      for (const e of document.querySelectorAll("svg"))
        if (!e.closest("[aria-hidden=true]") && !e.getAttribute("role")) found.push("svg " + e.outerHTML.slice(0, 80))
      for (const e of document.querySelectorAll("main > section"))
        if (!document.getElementById(e.getAttribute("aria-labelledby"))) found.push("section " + e.id)
      for (const e of document.querySelectorAll(".toc a"))
        if (!document.querySelector(e.getAttribute("href"))) found.push(e.getAttribute("href"))
      for (const e of document.querySelectorAll("th")) if (!e.scope) found.push("th")
      for (const e of document.querySelectorAll("table")) if (!e.caption) found.push("table without caption")
      const ids = [...document.querySelectorAll("[id]")].map((e) => e.id)
      for (const id of ids) if (ids.filter((one) => one === id).length > 1) found.push("id " + id)
      let level = 1
      for (const e of document.querySelectorAll("h1, h2, h3, h4")) {
        const own = Number(e.tagName[1])
        if (own > level + 1) found.push("heading " + e.textContent)
        level = own
      }
      return found
    })()`)
    assert.deepStrictEqual(problems, [])
  })

  it("cuts nothing at any width and on paper; at 1280 pixels every table is seen whole", async () => {
    const { page } = desk
    const look = () => page.evaluate(overflows) as Promise<[ReadonlyArray<string>, ReadonlyArray<string>]>
    await page.evaluate('document.querySelectorAll("details").forEach((e) => { e.open = true })')
    assert.deepStrictEqual(await look(), [[], []])
    for (const width of [1024, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepStrictEqual((await look())[0], [], String(width))
    }
    // What scrolls can be reached by keys.
    assert.strictEqual(await page.locator(".scroll:not([tabindex])").count(), 0)
    assert.isAbove((await look())[1].length, 3)
    await page.emulateMedia({ media: "print" })
    await page.setViewportSize({ width: 688, height: 900 })
    assert.deepStrictEqual((await look())[0], [])
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.evaluate('document.querySelectorAll("details").forEach((e) => { e.open = false })')
  })

  it("is dark where the reader wants it, light on paper, and on paper everything is open", async () => {
    const { complaints, page } = desk
    await page.emulateMedia({ colorScheme: "dark" })
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert.strictEqual(await ground(), "rgb(20, 23, 27)")
    await page.screenshot({ path: artefact("report-dark.png"), fullPage: true })
    await page.emulateMedia({ media: "print" })
    assert.strictEqual(await ground(), "rgb(255, 255, 255)")
    assert.deepStrictEqual(await page.evaluate(hiddenTables), [])
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    assert.strictEqual(await page.locator("details:not([open])").count(), 0)
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    assert.isAbove(await page.locator("details:not([open])").count(), 3)
    const pdf = await page.pdf({ path: artefact("report-print.pdf"), preferCSSPageSize: true })
    assert.isAbove(pdf.length, 50_000)
    assert.deepStrictEqual(complaints, [])
  })

  it("is no wider than a phone, and its figures are there without the script", async () => {
    const { page } = await open(browser, files.plain, {
      viewport: { width: 375, height: 740 },
      isMobile: true,
      hasTouch: true
    })
    assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 375)
    await page.screenshot({ path: artefact("report-phone.png"), fullPage: true })
    await page.context().close()
    const silent = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await silent.goto(`file://${files.plain}`)
    assert.include(await silent.locator("#lineage table").first().textContent(), "c10")
    assert.include(await silent.locator("#course").textContent(), "needs JavaScript")
    assert.isAbove(((await silent.evaluate(hiddenTables)) as ReadonlyArray<string>).length, 3)
    await silent.emulateMedia({ media: "print" })
    assert.deepStrictEqual(await silent.evaluate(hiddenTables), [])
    assert.isTrue(await silent.locator("#course .note").isVisible())
    await silent.context().close()
  })
})
