import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { Consultation } from "../../src/domain/Dataset.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { assize, quickstartCopy, temporaryFolder } from "./cli.ts"

interface Written {
  readonly file: string
  readonly bytes: number
  readonly texts: boolean
  readonly withoutTexts: string | null
  readonly confirmations: number
}

/** Sentences of the notes of one part that no note of another has. */
const sentencesOf = (consultations: ReadonlyArray<Consultation>, ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const others = consultations
    .filter(({ id }) => !ids.includes(id))
    .flatMap(({ notes, transcript }) => [...notes.map(({ text }) => text), transcript ?? ""])
    .join("\n")
  return consultations
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ notes }) => notes.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/)))
    .filter((sentence) => sentence.length > 50 && !/["\\\n<>&']/.test(sentence) && !others.includes(sentence))
}

describe("assize report", () => {
  it("writes one page and says so; quotes acceptance notes unless told not to, and holdout notes never", {
    timeout: 90_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const yaml = quickstartCopy(cwd, (text) => text.replace(/iterations: \d+/, "iterations: 3"))
    const dataset = join(cwd, "campaigns/quickstart/dataset.jsonl")
    const consultations = readFileSync(dataset, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Consultation)
    const split = JSON.parse(readFileSync(join(cwd, "splits/quickstart.json"), "utf8")) as SplitManifest
    const nothing = await assize(["report"], { cwd })
    assert.strictEqual(nothing.code, 2)
    assert.strictEqual((await assize(["run", yaml], { cwd })).code, 0)

    const { code, stderr, stdout } = await assize(["report", "--json"], { cwd })
    assert.strictEqual(code, 0, stderr)
    const written = JSON.parse(stdout) as Written
    assert.include(written, { file: "quickstart-1.html", texts: true, withoutTexts: null, confirmations: 0 })
    const page = readFileSync(join(cwd, written.file), "utf8")
    assert.strictEqual(Buffer.byteLength(page), written.bytes)
    assert.include(page, "Content-Security-Policy")
    assert.include(page, "Separation or relocation?")
    assert.include(page, "Nothing in this report is evidence")
    const quoted = (text: string, part: ReadonlyArray<string>) =>
      sentencesOf(consultations, part).filter((sentence) => text.includes(sentence)).length
    assert.isAbove(quoted(page, split.acceptance), 20)
    assert.strictEqual(quoted(page, split.holdout), 0)

    // Over its own report it writes; over anything else it does not.
    const shared = await assize(["report", "latest", "--no-texts", "--out", written.file], { cwd })
    assert.strictEqual(shared.code, 0, shared.stderr)
    assert.include(shared.stdout, "wrote quickstart-1.html")
    const without = readFileSync(join(cwd, written.file), "utf8")
    for (const part of [split.train, split.acceptance, split.holdout]) assert.strictEqual(quoted(without, part), 0)
    writeFileSync(join(cwd, "letter.html"), "<p>a letter</p>")
    const refused = await assize(["report", "--out", "letter.html"], { cwd })
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "is no report of assize")
    assert.strictEqual(readFileSync(join(cwd, "letter.html"), "utf8"), "<p>a letter</p>")
    assert.strictEqual((await assize(["report", "--out", "nowhere/report.html"], { cwd })).code, 2)
    assert.isFalse(existsSync(join(cwd, "nowhere")))

    // The data are no longer what the split sealed: the report goes without them, and says so.
    appendFileSync(dataset, `${JSON.stringify({ ...consultations[0]!, id: "another" })}\n`)
    const changed = await assize(["report", "--out", "changed.html", "--json"], { cwd })
    assert.strictEqual(changed.code, 0, changed.stderr)
    assert.include(changed.stderr, "without note texts")
    assert.isFalse((JSON.parse(changed.stdout) as Written).texts)
    const bare = readFileSync(join(cwd, "changed.html"), "utf8")
    assert.strictEqual(quoted(bare, split.acceptance), 0)
    assert.include(bare, "The note texts are not at hand")
    assert.include(bare, "All candidates of the pool")
  })
})
