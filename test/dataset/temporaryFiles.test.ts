import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { temporaryFolder } from "../e2e/cli.ts"
import { assizeHere } from "../e2e/inProcess.ts"

/** Three texts of a consultation, more than half a megabyte, and no line that is like another. */
const words = (at: number): string => Array.from({ length: 25_000 }, (_, n) => `w${at}x${n}`).join(" ")

const rows = Array.from({ length: 24 }, (_, at) => ({ at, text: words(at) }))

const inputs = {
  "data.jsonl": rows
    .map(({ at, text }) =>
      JSON.stringify({
        id: `v${at}`,
        transcript: text,
        notes: [
          { id: "a", text: `bad ${text}` },
          { id: "b", text: `good ${text}` }
        ],
        pairs: [{ id: `p${at}`, flawed: "a", clean: "b", class: "omission" }]
      })
    )
    .join("\n"),
  "pairs.csv": [
    "visit,talk,bad,good,kind",
    ...rows.map(({ at, text }) => `v${at},${text},bad ${text},good,omission`)
  ].join("\n"),
  "pairs.jsonl": rows
    .map(({ at, text }) =>
      JSON.stringify({ visit: `v${at}`, talk: text, bad: `bad ${text}`, good: "good", kind: "omission" })
    )
    .join("\n")
}

const columns = "--consultation visit --transcript talk --flawed bad --clean good --class kind"

describe("a folder for temporary files that cannot be used", () => {
  it.each([
    "data check data.jsonl",
    `data import csv pairs.csv --out out.jsonl ${columns}`,
    `data import jsonl pairs.jsonl --out out.jsonl ${columns}`
  ])(
    "is named, with what to do, and is not taken for a fault of the file: assize %s",
    { timeout: 60_000 },
    async (line) => {
      using folder = temporaryFolder()
      for (const [name, text] of Object.entries(inputs)) writeFileSync(join(folder.path, name), text)
      const place = join(folder.path, "no-folder")
      writeFileSync(place, "")
      const { code, stderr } = await assizeHere(line.split(" "), { cwd: folder.path, env: { TMPDIR: place } })
      assert.strictEqual(code, 2, stderr)
      assert.include(stderr, `${place}: a temporary file cannot be used here: `)
      assert.include(stderr, "name another one by the variable TMPDIR")
    }
  )
})
