import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mtsDialog } from "../../../src/dataset/import/mtsDialog.ts"
import { datasetSummary } from "../../../src/dataset/summary.ts"
import { datasetText } from "../../../src/dataset/write.ts"
import { inFolder, lines, write } from "../support.ts"

const source = new URL("../../../../shared/data/mts-dialog", import.meta.url).pathname
const absent = !existsSync(source)

const scored = (row: number, omission: number | null, hallucination: number | null, fields: object = {}) => ({
  id: `mts-auto-00${row}`,
  row,
  dialogue_id: "0",
  dialogue: "Doctor: Well?\nPatient: Ill.",
  reference: "Ill, and tired.",
  automatic: `Summary ${row}.`,
  hallucination_rate: hallucination,
  omission_rate: omission,
  ...fields
})

const sample = [
  scored(0, 0.5, 0),
  scored(1, 0, 0.2),
  scored(2, 0.5, 0.2),
  scored(3, 0, 0),
  scored(4, null, 0),
  scored(5, null, 0.3),
  scored(6, 0.1, 0, { automatic: "Ill, and tired." })
]

const quoted = (cells: ReadonlyArray<unknown>) =>
  cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",")

/** The released tables of joined rows. */
const tables = (folder: string, rows: ReadonlyArray<ReturnType<typeof scored>>, scores = rows) => {
  mkdirSync(`${folder}/Correlation-Study`)
  write(
    folder,
    "Correlation-Study/MTS-Dialog-Automatic-Summaries-ValidationSet.csv",
    [
      "ID,Dialogue,Reference Summary,Automatic Summary",
      ...rows.map((one) => quoted([one.dialogue_id, one.dialogue, one.reference, one.automatic]))
    ].join("\r\n")
  )
  write(
    folder,
    "Correlation-Study/MTS-Dialog-Automatic-Summaries-Manual-Scores4CorrelationStudy.csv".replace(
      "-Automatic-Summaries",
      ""
    ),
    `\uFEFF${["FactualPrecision,FactualRecall,FactualF1,HallucinationRate,OmissionRate,Edit Distance (Correction)", ...scores.map((one) => `1,1,1,${one.hallucination_rate ?? -1},${one.omission_rate ?? -1},0`)].join("\n")}`
  )
  return folder
}

describe("mts-dialog", () => {
  it.effect("takes the class from the rates, and leaves out rows without a labelled flaw", () =>
    inFolder((folder) =>
      Effect.map(mtsDialog.run(write(folder, "m.jsonl", lines(sample))), ({ consultations, report }) => {
        assert.deepStrictEqual(
          consultations.flatMap((one) => one.pairs.map((pair) => [one.id, pair.id, pair.class, pair.stratum])),
          [
            ["mts-validation-0", "mts-auto-000", "omission", "mts-dialog-omission"],
            ["mts-validation-0", "mts-auto-001", "addition", "mts-dialog-hallucination"],
            ["mts-validation-0", "mts-auto-002", "alteration", "mts-dialog-mixed"],
            ["mts-validation-0", "mts-auto-005", "addition", "mts-dialog-hallucination"]
          ]
        )
        assert.deepStrictEqual(
          report.leftOut.map(({ reason, row }) => [row, reason]),
          [
            [4, "both rates are zero: no labelled flaw"],
            [5, "a rate is absent (-1 in the source), and the other is zero or absent too"],
            [7, "the flawed note and the clean one have the same text"]
          ]
        )
      })
    )
  )
  it.effect("reads the released tables row by row to the same dataset", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const joined = yield* mtsDialog.run(write(folder, "m.jsonl", lines(sample)))
        const aligned = yield* mtsDialog.run(tables(folder, sample))
        assert.deepStrictEqual(aligned.consultations, joined.consultations)
        assert.deepStrictEqual(
          aligned.report.leftOut.map(({ id, row }) => [row, id]),
          joined.report.leftOut.map(({ id, row }) => [row, id])
        )
      })
    )
  )
  it.effect("refuses tables of different length, and rates that are none", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        mkdirSync(`${folder}/a`)
        mkdirSync(`${folder}/b`)
        assert.include(
          (yield* Effect.flip(mtsDialog.run(tables(`${folder}/a`, sample, sample.slice(1))))).message,
          "not as many rows as"
        )
        assert.match(
          (yield* Effect.flip(mtsDialog.run(tables(`${folder}/b`, sample, sample.with(2, scored(2, 7, 0)))))).message,
          /CorrelationStudy\.csv:4: OmissionRate: row 3 has no rate \(found "7"/
        )
        assert.include((yield* Effect.flip(mtsDialog.run(`${folder}`.concat("/a/none")))).message, "is not there")
      })
    )
  )
  it.effect.skipIf(absent)("reads the 400 scored summaries to the known counts (skipped without ../shared/data)", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { consultations, report } = yield* mtsDialog.run(source)
        assert.isTrue(report.expected.every((one) => one.expected === one.found))
        assert.deepStrictEqual(report.read, [{ file: "human_scored_summaries.jsonl", rows: 400, paired: 270 }])
        assert.strictEqual(report.leftOut.length, 130)
        assert.deepStrictEqual(datasetSummary(consultations).class, { addition: 14, alteration: 19, omission: 237 })
        const text = datasetText(consultations)
        assert.strictEqual(datasetText((yield* mtsDialog.run(source)).consultations), text)

        const rows = readFileSync(`${source}/human_scored_summaries.jsonl`, "utf8").trim().split("\n")
        const again = yield* mtsDialog.run(
          tables(
            folder,
            rows.map((line) => JSON.parse(line))
          )
        )
        assert.strictEqual(datasetText(again.consultations), text)
      })
    )
  )
})
