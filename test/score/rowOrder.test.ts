import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type ScoreRow, ScoreTablesBuilder } from "../../src/dataset/scoresTable.ts"
import { defaultComparisons, scoreReport } from "../../src/measure/scoreReport.ts"

const reportOf = (rows: ReadonlyArray<ScoreRow>) => {
  const builder = new ScoreTablesBuilder()
  const file = builder.file("table.csv", "table")
  rows.forEach((row, at) => {
    builder.add(file, at + 2, row)
  })
  const tables = builder.finish()
  if (tables === undefined) throw new Error(JSON.stringify(builder.problems))
  const judges = [...new Set(tables.runs.map(({ judge }) => judge))]
  return scoreReport(
    {
      source: "table.csv",
      set: tables.set,
      runs: tables.runs,
      origins: new Map(),
      compare: defaultComparisons(judges)
    },
    { cap: 0.2, seed: 11, resamples: 200 }
  )
}

/** Scores with thirds, whose sums depend on their order in the last digit. */
const score = fc.oneof(
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 0, max: 30 }).map((third) => third / 3),
  fc.constant(Number.NaN)
)
const runs = [
  ["later", "22"],
  ["later", "9"],
  ["earlier", "9"],
  ["earlier", "100"],
  ["earlier", "22"]
] as const
const consultations = 12
const table = fc
  .array(score, { minLength: 3 * runs.length * consultations, maxLength: 3 * runs.length * consultations })
  .map((scores) =>
    runs.flatMap(([judge, replicate], run) =>
      Array.from({ length: 3 * consultations }, (_, at): ScoreRow => {
        const [consultation, note] = [`c${Math.floor(at / 3)}`, at % 3]
        return {
          consultation,
          note: ["z-clean", "a", "bb"][note]!,
          clean: note === 0 ? "" : "z-clean",
          ...(note === 0 ? {} : { class: note === 1 ? "omission" : "addition", severity: "critical" }),
          stratum: `s${Math.floor(at / 3) % 3}`,
          judge,
          replicate,
          score: scores[run * 3 * consultations + at]!
        }
      })
    )
  )

describe("the order of the rows", () => {
  it("says nothing: shuffled rows give the same report", () => {
    fc.assert(
      fc.property(
        table.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        ([rows, shuffled]) => {
          assert.deepStrictEqual(reportOf(shuffled), reportOf(rows))
        }
      ),
      { numRuns: 25 }
    )
  })

  it("does not choose the replicate whose flags are compared: it is the first that both judges have, by number", () => {
    const [rows] = fc.sample(table, { numRuns: 1, seed: 1 })
    const without = (rows ?? []).filter(({ judge, replicate }) => judge !== "earlier" || replicate !== "9")
    const [comparison] = reportOf(without).comparisons
    assert.deepStrictEqual(
      [comparison?.a, comparison?.b].map((side) => [side?.judge, side?.replicate, side?.replicates]),
      [
        ["later", "22", ["9", "22"]],
        ["earlier", "22", ["22", "100"]]
      ]
    )
    assert.deepStrictEqual(
      reportOf(without).judges.map(({ figures, judge }) => [judge, figures.replicate]),
      [
        ["earlier", "22"],
        ["later", "9"]
      ]
    )
  })
})

describe("tables that memory would not hold", () => {
  it("are refused at the row with which they have too many judges and replicates, and only there", () => {
    const builder = new ScoreTablesBuilder()
    const file = builder.file("table.csv", "table")
    for (let row = 0; row < 2100; row++) {
      builder.add(file, row + 2, { consultation: "c", note: "n", clean: "", judge: `row ${row}`, score: 1 })
    }
    assert.isUndefined(builder.finish())
    assert.deepStrictEqual(
      builder.problems.map(({ line, what }) => [line, what]),
      [[2002, "the tables hold more than 2,000 judges and replicates"]]
    )
  })
})
