import { existsSync, mkdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ImportOptions } from "../../../src/dataset/import/Importer.ts"
import { primockClinicianPairs } from "../../../src/dataset/import/primockClinicianPairs.ts"
import { readDataset } from "../../../src/dataset/read.ts"
import { shortcuts } from "../../../src/dataset/shortcuts.ts"
import { datasetSummary } from "../../../src/dataset/summary.ts"
import { datasetText } from "../../../src/dataset/write.ts"
import { inFolder, lines, write } from "../support.ts"

const source = new URL("../../../../shared/data/primock57", import.meta.url).pathname
const absent = !existsSync(source)

const whole = (fields: object) => ({
  id: "w",
  consultation: "day1_consultation01",
  flawed_note: "a x",
  clean_note: "a b",
  omissions: [],
  incorrect: [],
  kind: "post-edit",
  ...fields
})

const rows = [
  whole({ id: "o", flawed_note: "a", omissions: [{ text: "b", critical: false }] }),
  whole({
    id: "m",
    omissions: [{ text: "b", critical: false }],
    incorrect: [{ text: "x", critical: true, in_flawed_note: true }]
  }),
  whole({ id: "e", flawed_note: "a y", incorrect: [{ text: "y", critical: null }] }),
  whole({ id: "c", kind: "checklist", flawed_note: "a b z", incorrect: [{ text: "z", critical: null }] }),
  whole({ id: "none" }),
  whole({ id: "same", flawed_note: "a b", omissions: [{ text: "b", critical: true }] }),
  whole({ id: "elsewhere", consultation: "../../etc/passwd", omissions: [{ text: "b", critical: true }] })
]

const importFrom = (options: ImportOptions) =>
  inFolder((folder) => {
    mkdirSync(`${folder}/transcripts`)
    write(folder, "transcripts/day1_consultation01.txt", "Doctor: hello\n")
    write(folder, "clinician_pairs.jsonl", lines(rows))
    return primockClinicianPairs.run(folder, options)
  })

describe("primock-clinician-pairs", () => {
  it.effect("takes the class from the lists, and says of every row that is no pair why", () =>
    Effect.map(importFrom({ pairs: "whole" }), ({ consultations, report }) => {
      assert.deepStrictEqual(
        consultations.flatMap((one) =>
          one.pairs.map((pair) => [pair.id, pair.class, pair.severity, pair.errorType, pair.fact, pair.stratum])
        ),
        [
          ["o", "omission", "supporting", undefined, "b", "primock57-post-edit"],
          ["m", "alteration", "critical", "mixed: omission and incorrect statement", "b; x", "primock57-post-edit"],
          ["e", "alteration", undefined, undefined, "y", "primock57-post-edit"],
          ["c", "addition", undefined, undefined, "z", "primock57-checklist"]
        ]
      )
      assert.deepStrictEqual(
        report.leftOut.map(({ id, reason, row }) => [row, id, reason]),
        [
          [5, "none", "neither an omission nor an incorrect statement is listed"],
          [6, "same", "the flawed note and the clean one have the same text"],
          [7, "elsewhere", "there is no transcript of its consultation"]
        ]
      )
      assert.deepStrictEqual(report.read, [{ file: "clinician_pairs.jsonl", rows: 7, paired: 4 }])
    })
  )
  it.effect("says which file is not there, and where transcripts were looked for", () =>
    Effect.gen(function* () {
      assert.include(
        (yield* Effect.flip(importFrom({}))).message,
        "clinician_single_omission_pairs.jsonl: the file of omission pairs is not there"
      )
      assert.include(
        (yield* Effect.flip(importFrom({ pairs: "whole", transcripts: "/nowhere" }))).message,
        "/nowhere: the folder of transcripts is not there. Name it with --transcripts"
      )
    })
  )
  it.effect.skipIf(absent)("imports 60, 186 and 163 pairs, twice the same (skipped without ../shared/data)", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { consultations, report } = yield* primockClinicianPairs.run(source)
        assert.deepStrictEqual(
          report.read.map(({ paired, rows }) => [rows, paired]),
          [
            [60, 60],
            [186, 186],
            [163, 163]
          ]
        )
        assert.deepStrictEqual(report.leftOut, [])
        assert.isTrue(report.expected.every((one) => one.expected === one.found))
        const text = datasetText(consultations)
        assert.strictEqual(datasetText((yield* primockClinicianPairs.run(source)).consultations), text)
        const read = yield* readDataset(write(folder, "p.jsonl", text))
        assert.deepStrictEqual(read.warnings, [])
        const summary = datasetSummary(read.consultations)
        assert.deepStrictEqual(summary.class, { addition: 151, alteration: 65, omission: 193 })
        assert.deepStrictEqual(summary.trace, { complete: 100, fragment: 82, restated: 4 })
        const postEdits = shortcuts(consultations).groups.find((group) => group.value === "primock57-post-edit")
        const longer = postEdits?.cues[0]
        assert.deepStrictEqual([longer?.picks, longer?.n, longer?.right, longer?.wrong], ["the longer note", 42, 35, 7])
      })
    )
  )
})
