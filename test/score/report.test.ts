import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { warningLines } from "../../src/cli/output.ts"
import { sectionsText } from "../../src/cli/sections.ts"
import { headLines, scoreSections } from "../../src/report/scoreSections.ts"
import { inFolder, lines, write } from "../dataset/support.ts"
import { runScore, scored, twoJudges } from "./support.ts"

const table = (folder: string) => write(folder, "t.csv", twoJudges)

describe("what score shows", () => {
  it.effect("writes CSV without formulas and Markdown without markup from names", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const evil = twoJudges
          .trim()
          .split("\n")
          .slice(1)
          .map((row) => {
            const cells = row.split(",")
            const score = cells[9] === "" ? null : Number(cells[9])
            return {
              consultation: cells[0],
              note: cells[1],
              clean: cells[2],
              judge: cells[7] === "a" ? "=1+2" : "b|<i>",
              score
            }
          })
        const [csv, markdown] = [join(folder, "f.csv"), join(folder, "f.md")]
        const ran = yield* runScore(
          "--scores",
          write(folder, "t.jsonl", lines(evil)),
          "--csv",
          csv,
          "--markdown",
          markdown
        )
        assert.strictEqual(ran.result._tag, "Success")
        const rows = readFileSync(csv, "utf8").trim().split("\n")
        assert.isTrue(rows.slice(1).every((row) => /^('=1\+2|b\|<i>),/.test(row)))
        assert.isTrue(rows.some((row) => row.startsWith("'=1+2,1,,,,paired,0.5,")))
        assert.include(readFileSync(markdown, "utf8"), "| b\\|\\<i> | ")
        const again = yield* runScore("--scores", join(folder, "t.jsonl"), "--classes", "omission", "--csv", csv)
        assert.strictEqual(again.result._tag, "Failure")
      })
    )
  )

  it.effect("shows the tables, thin cells marked", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { out } = yield* runScore("--scores", table(folder), "--compare", "b", "a")
        assert.include(out, "2 judges, 3 consultations, 3 clean notes, 4 pairs")
        assert.match(out, /class omission +a .* thin/)
        assert.include(out, "b against a")
        assert.include(
          out,
          "on 3 pairs of 2 consultations that both could rank; 1 left out: 0 not judged by both, 1 not readable"
        )
        assert.include(out, "Judgements that could not be read")
      })
    )
  )

  it.effect("leaves brackets in Markdown alone, but for those of links", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const markdown = join(folder, "f.md")
        const named = twoJudges.replaceAll(",b,11,", ",[x](http://y),11,").replaceAll(",a,11,", ",_a_ a_b ~~c~~,11,")
        yield* runScore("--scores", write(folder, "t.csv", named), "--markdown", markdown)
        const text = readFileSync(markdown, "utf8")
        assert.include(text, "| \\[x\\](http://y) | ")
        assert.include(text, "| \\_a\\_ a_b \\~\\~c\\~\\~ | ")
        assert.match(text, /\| 1\/4 \| 0\.250 \[0\.\d+, 0\.\d+\] \|/)
      })
    )
  )

  it.effect("fits a terminal of 80 columns, and leaves nothing out", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const long = twoJudges.replaceAll(",b,11,", ",a-judge-of-a-very-long-name @ some-model,11,")
        const report = yield* scored("--scores", write(folder, "t.csv", long))
        const narrow = sectionsText(headLines(report), scoreSections(report), 80)
        for (const line of narrow.split("\n")) assert.isAtMost(line.length, 80, line)
        const words = (text: string) => new Set(text.match(/[\w.%/−]+/g))
        const wide = sectionsText(headLines(report), scoreSections(report), undefined)
        const cut = [...words(wide)].filter((word) => !words(narrow).has(word))
        assert.deepStrictEqual(
          cut.filter((word) => !"a-judge-of-a-very-long-name @ some-model".includes(word)),
          []
        )
      })
    )
  )

  it.effect("marks the classes that the figures leave out, and does not call no spread of replicates none", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const again = twoJudges.replaceAll(",11,", ",22,").split("\n").slice(1).join("\n")
        const { out } = yield* runScore("--scores", write(folder, "t.csv", twoJudges + again), "--classes", "omission")
        assert.match(out, /class alteration +a .* outside, thin/)
        assert.include(out, "no difference between replicates of one judge was seen")
        assert.match(out, /Detection at false alarms of at most 10 %, first replicate of each judge/)
        assert.match(out, /Breakdown, first replicate of each judge/)
        assert.match(out, /replicate 22 .* 3 pairs|replicate 22 .* 2 pairs/)
      })
    )
  )
})

describe("many warnings alike", () => {
  it("are one line with how many there are, and examples", () => {
    const warnings = Array.from({ length: 49 }, (_, at) => ({ what: `"judge ${at}" has no score of ${at} notes` }))
    const told = warningLines([...warnings, { what: "another" }])
    assert.deepStrictEqual(told, ['"judge 0" has no score of 0 notes (and 48 more such)', "another"])
  })
})
