import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { temporaryFolder } from "../e2e/cli.ts"
import { finishedQuickstart } from "../e2e/finished.ts"
import { assizeHere } from "../e2e/inProcess.ts"

interface Line {
  readonly id: string
}

describe("data show --run without a pair", () => {
  it("shows the first pair that was judged, or says that there is none", async () => {
    using folder = temporaryFolder()
    await finishedQuickstart(folder.path)
    const { acceptance, holdout } = JSON.parse(readFileSync(join(folder.path, "splits/quickstart.json"), "utf8"))
    const dataset = readFileSync(join(folder.path, "campaigns/quickstart/dataset.jsonl"), "utf8").trim().split("\n")
    const of = (ids: ReadonlyArray<string>) => dataset.filter((line) => ids.includes((JSON.parse(line) as Line).id))
    const show = (lines: ReadonlyArray<string>) => {
      writeFileSync(join(folder.path, "part.jsonl"), `${lines.join("\n")}\n`)
      return assizeHere(["data", "show", "part.jsonl", "--run", "latest", "--json"], { cwd: folder.path })
    }
    // What nobody has judged stands first.
    const { code, stderr, stdout } = await show([...of(holdout), ...of(acceptance)])
    assert.strictEqual(code, 0, stderr)
    const [{ consultation, judged }, ...more] = JSON.parse(stdout)
    assert.deepStrictEqual(more, [])
    assert.include(acceptance, consultation)
    assert.deepStrictEqual([judged.clean._tag, judged.flawed._tag], ["scored", "scored"])

    const none = await show(of(holdout))
    assert.strictEqual(none.code, 2)
    assert.match(none.stderr, /--run: c\d+ \(\w+\) of run quickstart-1 has judged no pair of this dataset/)
  })
})
