import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inFolder, write } from "../dataset/support.ts"
import { header, runScore, scored, twoJudges } from "./support.ts"

const table = (folder: string) => write(folder, "t.csv", twoJudges)

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

  it.effect("flags below a threshold that is given, for all or by an earlier result, and fits none", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const fixed = yield* scored("--scores", table(folder), "--threshold", "8")
        const points = (report: typeof fixed) =>
          report.judges.map(({ figures: { operating } }) => [
            operating!.threshold,
            operating!.fitted,
            operating!.detection.count,
            operating!.falseAlarms.count
          ])
        assert.deepStrictEqual(points(fixed), [
          [8, false, 1, 1],
          [8, false, 3, 3]
        ])
        assert.deepStrictEqual(
          [fixed.comparisons[0]!.a.operating!.threshold, fixed.comparisons[0]!.b.operating!.threshold],
          [8, 8]
        )
        const fitted = yield* scored("--scores", table(folder), "--cap", "0.34")
        const earlier = write(folder, "earlier.json", JSON.stringify(fitted))
        const kept = yield* scored("--scores", table(folder), "--threshold-from", earlier)
        assert.deepStrictEqual(
          points(kept).map(([threshold, own]) => [threshold, own]),
          points(fitted).map(([threshold]) => [threshold, false])
        )
        const other = write(folder, "o.csv", twoJudges.replaceAll(",b,11,", ",c,11,"))
        const { result } = yield* runScore("--scores", other, "--threshold-from", earlier)
        assert.include(String(result._tag === "Failure" && result.failure), 'gives no threshold for "c"')
      })
    )
  )

  const refused: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    [
      "flags of a scoring",
      ["--replicates", "3", "--samples", "2"],
      "--replicates: has no meaning with --scores, where no model"
    ],
    ["too few resamples", ["--resamples", "999"], "expected at least 1000"],
    [
      "two thresholds",
      ["--threshold", "3", "--threshold-from", "x"],
      "--threshold: and --threshold-from ask for different things"
    ]
  ]
  for (const [what, args, expected] of refused) {
    it.effect(`refuses ${what}`, () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          const { result } = yield* runScore("--scores", table(folder), ...args)
          assert.include(String(result._tag === "Failure" && result.failure), expected)
        })
      )
    )
  }

  it.effect("refuses the same file twice by whatever path", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = table(folder)
        const { result } = yield* runScore("--scores", file, "--scores", file.replace("t.csv", "./t.csv"))
        assert.include(String(result._tag === "Failure" && result.failure), "the same file twice")
      })
    )
  )

  it.effect("has no test of judges that share no pair, and says over how many Holm goes", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const rows = (judge: string, consultations: ReadonlyArray<string>) =>
          consultations.map((one) => `${one},c,,,,,,${judge},1,5\n${one},e,c,omission,,,,${judge},1,4\n`).join("")
        const file = write(
          folder,
          "t.csv",
          `${header}\n${rows("a", ["1", "2"])}${rows("b", ["3", "4"])}${rows("c", ["1", "2", "3"])}`
        )
        const { comparisons, families } = yield* scored("--scores", file)
        assert.deepStrictEqual(
          comparisons.map(({ a, b, paired }) => [a.judge, b.judge, paired.signTest?.p ?? null]),
          [
            ["b", "a", null],
            ["c", "a", 1],
            ["c", "b", 1]
          ]
        )
        assert.strictEqual(families.signTest, 2)
        const { out } = yield* runScore("--scores", file)
        assert.match(out, /b against a\nshare no pairs/)
        assert.include(out, "1.0000 (2)")
      })
    )
  )
})
