import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { root, temporaryFolder } from "../e2e/cli.ts"
import { finishedQuickstart } from "../e2e/finished.ts"
import { assizeHere } from "../e2e/inProcess.ts"

const score = "score data.jsonl --judge seeds/completeness.md --split splits/quickstart.json"

/** Command lines that would write over what they read, by the flag that says so. */
const lines: ReadonlyArray<readonly [flag: string, line: string]> = [
  ["--out", "split create data.jsonl --out data.jsonl"],
  ["--out", "split create data.jsonl --out ./sub/../data.jsonl"],
  ["--out", "split create data.jsonl --out linked.jsonl"],
  ["--out", "split create data.jsonl --exclude splits/quickstart.json --out splits/quickstart.json"],
  ["--out", "data import csv pairs.csv --out pairs.csv --consultation v --flawed bad --clean good --class omission"],
  ["--scores-out", "data import omissionbench bench.json --out d.jsonl --scores-out bench.json"],
  ["--scores-out", "data import omissionbench bench.json --out d.jsonl --scores-out ./d.jsonl"],
  ["--csv", `${score} --csv .assize/store.sqlite`],
  ["--csv", `${score} --csv seeds/completeness.md`],
  ["--markdown", `${score} --markdown splits/quickstart.json`],
  ["--write-scores", `${score} --write-scores data.jsonl`],
  ["--markdown", `${score} --csv x --markdown x`],
  ["--markdown", "confirm latest --markdown splits/quickstart.ledger.jsonl"],
  ["--markdown", "confirm latest --markdown .assize/store.sqlite"],
  ["--out", "confirm latest --out seeds/completeness.md"],
  ["--out", "confirm latest --out campaigns/quickstart/campaign.yaml"]
]

const filesOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.includes(".assize/") && statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), "utf8")])
  )

describe("an output that is something that the command reads", () => {
  const folder = temporaryFolder()
  afterAll(() => folder[Symbol.dispose]())
  beforeAll(async () => {
    await finishedQuickstart(folder.path)
    const at = (name: string) => join(folder.path, name)
    mkdirSync(at("sub"))
    cpSync(join(root, "campaigns/quickstart/dataset.jsonl"), at("data.jsonl"))
    symlinkSync("data.jsonl", at("linked.jsonl"))
    writeFileSync(at("pairs.csv"), "v,bad,good\n1,a bad note,a good note\n")
    writeFileSync(at("bench.json"), "{}")
  })

  it.each(lines)("is refused at %s, whatever --force says: assize %s", async (flag, line) => {
    const before = filesOf(folder.path)
    const { code, stderr } = await assizeHere([...line.split(" "), "--force"], { cwd: folder.path })
    assert.strictEqual(code, 2, stderr)
    assert.match(stderr, new RegExp(`(^|\\s)${flag}: is the same file as `), stderr)
    assert.deepStrictEqual(filesOf(folder.path), before)
  })
})

describe("a table of scores in CSV", () => {
  const note = (id: string) => ({ id, text: `a note ${id}` })
  it.each(["=1+1", "+x", "-x", "@x", "\t=1", "a\u0007b", "\u001b[31mred"])(
    "is not written of a name that it would lose or that a spreadsheet would evaluate: %j",
    async (name) => {
      using folder = temporaryFolder()
      const data = { id: name, transcript: "Doctor: hello.", notes: [note("a"), note("b")] }
      const pairs = [{ id: "p", flawed: "a", clean: "b", class: "omission" }]
      writeFileSync(join(folder.path, "data.jsonl"), `${JSON.stringify({ ...data, pairs })}\n`)
      const line = (file: string) => ["score", "data.jsonl", "--designs", "whole-note-score", "--write-scores", file]
      const { code, stderr } = await assizeHere(line("s.csv"), { cwd: folder.path })
      assert.strictEqual(code, 2, stderr)
      assert.match(stderr, /--write-scores: .*CSV.*Name the file \*\.jsonl/)
      assert.deepStrictEqual(readdirSync(folder.path), ["data.jsonl"])
      const written = await assizeHere(line("s.jsonl"), { cwd: folder.path })
      assert.strictEqual(written.code, 0, written.stderr)
      const again = await assizeHere(["score", "--scores", "s.jsonl"], { cwd: folder.path })
      assert.strictEqual(again.code, 0, again.stderr)
    }
  )
})
