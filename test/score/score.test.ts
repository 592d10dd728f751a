import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import { consultation, inFolder, lines, write } from "../dataset/support.ts"
import { header, runScore, scored, twoJudges } from "./support.ts"

const table = (folder: string) => write(folder, "t.csv", twoJudges)
const root = join(import.meta.dirname, "../..")
const seed = (name: string) => join(root, `seeds/${name}.md`)

describe("score --scores", () => {
  it.effect("measures each judge, unreadable notes as not flagged and out of paired figures", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { judges } = yield* scored("--scores", table(folder), "--cap", "0.34")
        const [a, b] = judges.map(({ figures }) => figures)
        const { pairs, losses, ties, value, wins } = a!.paired
        assert.deepStrictEqual([pairs, wins, ties, losses, value], [4, 1, 2, 1, 0.5])
        // Below 8: one of four flawed notes, one of three clean ones; below 7 the same detection without an alarm.
        assert.deepStrictEqual(
          [a!.operating!.threshold, a!.operating!.detection.count, a!.operating!.falseAlarms.count],
          [7, 1, 0]
        )
        assert.deepStrictEqual(a!.severityWeighted, { value: 1 / 2.75, notes: 4, flaggedWeight: 1, totalWeight: 2.75 })
        assert.deepStrictEqual(b!.pairs, { all: 4, judged: 4, ranked: 3 })
        assert.strictEqual(b!.operating!.detection.n, 4)
        assert.deepStrictEqual([b!.parseFailures.flawed, b!.parseFailures.clean, b!.parseFailures.pairs], [1, 0, 1])
        assert.strictEqual(b!.parseFailures.imputed!.paired!.imputed, 1)
        assert.isNull(a!.parseFailures.imputed)
      })
    )
  )

  it.effect("measures the classes asked for, and shows the others beside them", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { counts, judges } = yield* scored("--scores", table(folder), "--classes", "omission")
        assert.deepStrictEqual([counts.pairs, counts.measured], [4, 3])
        assert.deepStrictEqual(
          judges[0]!.breakdown.map(({ by, paired, thin, value }) => [by, value, paired.pairs, thin]),
          [
            ["class", "omission", 3, true],
            ["class", "alteration", 1, true],
            ["trace", "complete", 1, true],
            ["trace", "fragment", 1, true],
            ["trace", "restated", 1, true],
            ["severity", "critical", 2, true],
            ["severity", "peripheral", 1, true],
            ["stratum", "gp", 1, true],
            ["stratum", "ward", 2, true]
          ]
        )
      })
    )
  )

  it.effect("compares on the pairs that both have, and counts what is left out", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = write(folder, "t.csv", twoJudges.replace("z,o,c,omission,restated,critical,ward,a,11,9\n", ""))
        const { comparisons } = yield* scored("--scores", file, "--compare", "a,b")
        assert.deepStrictEqual(comparisons[0]!.leftOut, { notJudged: 1, unparsed: 1 })
        assert.deepStrictEqual(
          [comparisons[0]!.pairs, comparisons[0]!.paired.better, comparisons[0]!.paired.worse],
          [2, 1, 1]
        )
      })
    )
  )

  it.effect("adjusts each test over the comparisons made together", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const row = (judge: string, low: boolean) =>
          Array.from(
            { length: 8 },
            (_, at) => `${at},c,,,,,,${judge},1,5\n${at},e,c,omission,,,,${judge},1,${low ? 1 : 9}\n`
          ).join("")
        const file = write(
          folder,
          "t.csv",
          `${header}\n${row("first", false)}${row("second", true)}${row("third", true)}`
        )
        const { comparisons } = yield* scored("--scores", file)
        assert.deepStrictEqual(
          comparisons.map(({ a, b, paired }) => [a.judge, b.judge, paired.signTest!.p, paired.signTest!.holm]),
          [
            ["second", "first", 2 / 256, 6 / 256],
            ["third", "first", 2 / 256, 6 / 256],
            ["third", "second", 1, 1]
          ]
        )
      })
    )
  )

  it.effect("shows the spread of replicates and holds the difference against it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const rows = (judge: string, replicate: number, flawed: number) =>
          `1,c,,,,,,${judge},${replicate},5\n1,e,c,omission,,,,${judge},${replicate},${flawed}\n`
        const text = `${header}\n${rows("a", 11, 9)}${rows("a", 22, 5)}${rows("b", 11, 1)}${rows("b", 22, 1)}`
        const { comparisons, judges } = yield* scored("--scores", write(folder, "t.csv", text))
        assert.deepStrictEqual(judges[0]!.spread.paired.values, [0, 0.5])
        assert.deepStrictEqual([judges[0]!.spread.paired.mean, judges[0]!.figures.replicate], [0.25, "11"])
        assert.deepStrictEqual(comparisons[0]!.noise, { rangeA: 0, rangeB: 0.5, ratio: 1.5 })
        assert.strictEqual(comparisons[0]!.paired.difference, 0.75)
      })
    )
  )

  it.effect("changes no figure of separation or detection under a rising relabelling of the scores", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const relabelled = twoJudges.replace(/,(\d+)\n/g, (_, score: string) => `,${Number(score) ** 3 - 400}\n`)
        const one = yield* scored("--scores", table(folder))
        const other = yield* scored("--scores", write(folder, "u.csv", relabelled))
        const kept = (report: typeof one) =>
          report.judges.map(({ figures }) => [
            figures.paired,
            figures.auc,
            figures.operating!.detection,
            figures.operating!.falseAlarms
          ])
        assert.deepStrictEqual(kept(other), kept(one))
      })
    )
  )

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
        assert.include(readFileSync(markdown, "utf8"), "| b\\|\\<i\\> | ")
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
})

const holdout = ["--split", join(root, "splits/quickstart.json"), "--part", "holdout"]

describe("score DATASET", () => {
  it.effect("refuses the holdout and points to confirm", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { result } = yield* runScore(
          join(root, "campaigns/quickstart/dataset.jsonl"),
          ...holdout,
          "--judge",
          seed("completeness"),
          "--store",
          join(folder, "s.sqlite")
        )
        assert.strictEqual(result._tag, "Failure")
        if (result._tag === "Failure") assert.include(String((result.failure as Error).message), "assize confirm RUN")
        const all = yield* runScore(
          join(root, "campaigns/quickstart/dataset.jsonl"),
          ...holdout.slice(0, 2),
          "--part",
          "all",
          "--judge",
          seed("completeness"),
          "--store",
          join(folder, "s.sqlite")
        )
        assert.strictEqual(all.result._tag, "Failure")
      })
    )
  )

  it.effect("buys every judgement once, says so before, and labels the stand-in", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("a"), consultation("b"), consultation("c")]))
        const args = [
          data,
          "--judge",
          seed("completeness"),
          "--judge",
          seed("faithfulness"),
          "--replicates",
          "2",
          "--store",
          join(folder, "s.sqlite")
        ]
        const first = yield* runScore(...args)
        assert.strictEqual(first.result._tag, "Success")
        assert.include(
          first.errors,
          "plan: 2 judges × 2 replicates × 9 notes × 1 sample: 36 judgements, 0 of them in the store; 36 calls to send"
        )
        assert.include(first.out, "say nothing about real models")
        const second = yield* runScore(...args)
        assert.include(second.errors, "36 of them in the store; 0 calls to send")
        assert.include(second.errors, "0 calls sent")
        assert.strictEqual(second.out, first.out)
      })
    )
  )

  it.effect("sends nothing when the budget cannot buy the judgements", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("a")]))
        const store = join(folder, "s.sqlite")
        const { errors, result } = yield* runScore(
          data,
          "--judge",
          seed("completeness"),
          "--budget-calls",
          "2",
          "--store",
          store
        )
        assert.include(errors, "nothing was sent")
        if (result._tag === "Failure")
          assert.strictEqual((result.failure as { [errorExitCode]?: number })[errorExitCode], 4)
        const after = yield* runScore(data, "--judge", seed("completeness"), "--store", store)
        assert.include(after.errors, "0 of them in the store")
      })
    )
  )

  it.effect("refuses a model whose key is not set, and a key on the command line", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("a")]))
        const unset = yield* runScore(
          data,
          "--judge",
          seed("completeness"),
          "--model",
          "m={ provider: openai, model: x, apiKeyEnv: ASSIZE_TEST_UNSET }"
        )
        const secret = yield* runScore(data, "--judge", seed("completeness"), "--model", "m=sk-abcdefghijklmnopqrstuv")
        for (const [ran, expected] of [
          [unset, "ASSIZE_TEST_UNSET"],
          [secret, "looks like an API key"]
        ] as const) {
          assert.strictEqual(ran.result._tag, "Failure")
          if (ran.result._tag !== "Failure") continue
          const text = String((ran.result.failure as Error).message)
          assert.include(text, expected)
          assert.notInclude(text, "sk-abc")
        }
      })
    )
  )
})
