import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { unpackText } from "../../../src/report/html/packing.ts"
import { reportPage } from "../../../src/report/html/page.ts"
import type { ReportData } from "../../../src/report/html/ReportData.ts"
import { sampleRun } from "./sampleRun.ts"

const script = 'console.log("the page’s script")'
const small = { candidates: 5, consultations: 12, flawed: 3 }

const dataOf = (page: string): ReportData =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)![1]!) as ReportData

const trap = "</script></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'`<!-- \u202e \u2028"

describe("the page of a report", () => {
  const page = reportPage(sampleRun({ ...small, hostile: trap }), script)

  it("allows its own script and style by their hashes, and nothing else", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!.replaceAll("&#39;", "'")
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    const style = /<style>(.*?)<\/style>/s.exec(page)![1]!
    assert.strictEqual(
      policy,
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`
    )
    assert.include(page, `<script>${script}</script>`)
    // Before anything that it governs.
    assert.isBelow(page.indexOf("Content-Security-Policy"), page.indexOf("<style>"))
  })

  it("holds no element, handler or address out of hostile data", () => {
    assert.strictEqual(page.match(/<script/g)!.length, 2)
    assert.strictEqual(page.match(/<style/g)!.length, 1)
    assert.notMatch(page, /<img|<iframe|<object|<link|<base/)
    const markup = page.replace(/<script.*?<\/script>|<style.*?<\/style>/gs, "")
    assert.notMatch(markup.replace(/="[^"]*"/g, '=""'), /<[^>]*\s(?:on\w+|style|src|srcset|action)\s*=/)
    for (const [, target] of markup.matchAll(/href="([^"]*)"/g)) assert.match(target!, /^#[a-z]+$/)
    assert.notInclude(markup, "\u202e")
    assert.include(markup, "⟦U+202E⟧")
  })

  it("holds each proposal with its reason, and nothing of the train part", () => {
    const { nodes, texts } = dataOf(page)
    const rejected = nodes.filter(({ kind }) => kind === "rejected")
    assert.isAbove(rejected.length, 0)
    for (const { reason } of rejected) assert.oneOf(reason, ["not-better", "no-block"])
    for (const { reply } of rejected.filter(({ reason }) => reason === "no-block"))
      assert.include(unpackText(texts, reply!), "no block")
    assert.notInclude(page, "SECRET OF THE TRAIN PART")
  })

  it("quotes notes when it may, and not a word of them when it may not", () => {
    const input = sampleRun({ ...small, hostile: " MARKED" })
    const quoted = dataOf(reportPage(input, script))
    const some = quoted.notes.filter((at) => at >= 0)
    assert.strictEqual(some.length, 12 * 4)
    assert.isTrue(some.every((at) => unpackText(quoted.texts, at).includes("MARKED")))
    const without = reportPage({ ...input, texts: { kind: "left-out" } }, script)
    const data = dataOf(without)
    assert.deepStrictEqual(data.notes, [])
    assert.deepStrictEqual(data.reasons, {})
    assert.isTrue(data.pairs.every((pair) => Object.keys(pair).length === 0))
    for (const word of ["because MARKED", "I will not score this", "no block MARKED", "a fact 0", "a mention"])
      assert.notInclude(without, word)
    assert.isTrue(data.nodes.every(({ reply }) => reply === null))
    assert.include(without, "--no-texts")
  })

  it("says what is missing when the data are gone, and shows everything else", () => {
    const gone = reportPage(
      { ...sampleRun(small), texts: { kind: "not-at-hand", why: "dataset.jsonl: cannot be read" }, campaign: null },
      script
    )
    assert.include(gone, "The note texts are not at hand: dataset.jsonl: cannot be read")
    assert.include(gone, "limits are not known")
    assert.include(gone, "All candidates of the pool")
  })

  it("labels the embedded model, and a real one not", () => {
    assert.notInclude(page, "Stand-in model")
    assert.include(reportPage(sampleRun({ ...small, model: "embedded" }), script), "Stand-in model")
  })

  it("refuses a script that would end its own element", () => {
    assert.throws(() => reportPage(sampleRun(small), "a</script>"), /cannot stand in a page/)
  })

  it("of a run that has barely begun is a page, too", () => {
    const input = sampleRun(small)
    for (const length of [1, 2]) {
      const begun = reportPage({ ...input, logged: input.logged.slice(0, length), series: [] }, script)
      assert.include(begun, "No candidate has been evaluated.")
    }
    const one = reportPage({ ...input, logged: input.logged.slice(0, 3) }, script)
    assert.include(one, "No proposal did better than the seed")
  })

  it("takes at most 5 MB for 200 candidates of 6,000 characters on 500 instances, with 200 rejected proposals", () => {
    const large = sampleRun({
      candidates: 200,
      consultations: 100,
      flawed: 4,
      rejected: 200,
      instruction: 6000,
      note: 2500
    })
    const bytes = Buffer.byteLength(reportPage(large, script.padEnd(60_000)))
    assert.isAtMost(bytes, 5e6)
    assert.isAtLeast(bytes, 1e6)
  })
})
