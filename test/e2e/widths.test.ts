import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { columns } from "../../src/terminal/columns.ts"
import { finishedQuickstart } from "./finished.ts"
import { assizeHere } from "./inProcess.ts"

/** Others are tried by the laws of tables and lines, which cost less. */
const widths = [60, 80]
const data = "campaigns/quickstart/dataset.jsonl"
const split = "splits/quickstart.json"

/** Commands that print a table, sentences or help, and need no model. */
const commands: ReadonlyArray<ReadonlyArray<string>> = [
  ["data", "check", data],
  ["data", "show", data],
  ["split", "verify", split],
  ["split", "show", split],
  ["store", "stats"],
  ["runs", "list"],
  ["runs", "show"],
  ["runs", "show", "--candidate", "winner"],
  ["score", "--scores", "scores.csv"],
  ["calibrate", "--scores", "scores.csv", "--of", "a judge of a rather long name"],
  ["--help"],
  ["score", "--help"],
  ["run", "nowhere.yaml"],
  ["score", data, "--part", "acceptance"]
]

/** Numbers, whole. */
const figuresOf = (text: string): ReadonlySet<string> => new Set(text.match(/(?<![\p{L}\p{N}.])[−+]?\d[\d.,:%]*/gu))

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assize-widths-"))
  await finishedQuickstart(folder)
  const rows = Array.from({ length: 24 }, (_, at) => [
    `v${at},clean,,,${(at % 7) + 3},a judge of a rather long name`,
    `v${at},flawed,clean,omission,${at % 6},a judge of a rather long name`,
    `v${at},clean,,,${(at % 5) + 4},漢字の判定者 🙂`,
    `v${at},flawed,clean,omission,${at % 4},漢字の判定者 🙂`
  ]).flat()
  writeFileSync(join(folder, "scores.csv"), `consultation,note,clean,class,score,judge\n${rows.join("\n")}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("on a terminal", () => {
  it.each(commands.map((args) => [args.join(" "), args] as const))(
    "%s: breaks no line within a word, and loses no figure",
    async (_, args) => {
      const { stderr, stdout } = await assizeHere(args, { cwd: folder })
      const whole = [...figuresOf(`${stdout}\n${stderr}`)]
      for (const width of widths) {
        const shown = await assizeHere(args, { cwd: folder, columns: width })
        for (const line of `${shown.stdout}\n${shown.stderr}`.split("\n")) {
          // A hash or a path stays whole, so that it can be copied.
          if (/\S{40}/.test(line)) continue
          assert.isAtMost(columns(line), width, line)
        }
        const figures = figuresOf(`${shown.stdout}\n${shown.stderr}`)
        assert.deepStrictEqual(
          whole.filter((figure) => !figures.has(figure)),
          []
        )
      }
    }
  )
})
