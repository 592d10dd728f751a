import { existsSync, mkdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { aciBench } from "../../../src/dataset/import/aciBench.ts"
import { readDataset } from "../../../src/dataset/read.ts"
import { datasetText } from "../../../src/dataset/write.ts"
import { inFolder, lines, write } from "../support.ts"

const source = new URL("../../../../shared/data/aci-bench", import.meta.url).pathname
const absent = !existsSync(source)

describe("aci-bench", () => {
  it.effect("reads the release's tables, passes over metadata, and counts variants of an encounter", () =>
    inFolder((folder) => {
      mkdirSync(`${folder}/data/challenge_data`, { recursive: true })
      write(
        folder,
        "data/challenge_data/train.csv",
        'dataset,encounter_id,dialogue,note\r\nvirtassist,D2N001,"[doctor] hi\r\n[patient] hello","CC\r\n\r\nBack pain"\r\n,,,\r\naci,D2N002,[doctor] hi,\r\naci,D2N001,[doctor] hi again,Other\r\n'
      )
      write(folder, "data/challenge_data/train_metadata.csv", "dataset,encounter_id,id\naci,D2N001,1\n")
      write(folder, "data/challenge_data/other.csv", "a,b\n1,2\n")
      return Effect.map(aciBench.run(folder), ({ consultations, report }) => {
        assert.deepStrictEqual(consultations, [
          {
            id: "D2N001",
            stratum: "aci-bench-virtassist",
            language: "en-US",
            transcript: "[doctor] hi\n[patient] hello",
            notes: [{ id: "clean-1", text: "CC\n\nBack pain" }],
            pairs: []
          }
        ])
        assert.deepStrictEqual(
          report.leftOut.map(({ file, reason, row }) => [file.split("/").at(-1), row, reason]),
          [
            ["other.csv", undefined, "no table of encounters: it has no column dataset, encounter_id, dialogue, note"],
            ["train.csv", 2, "every cell of the row is blank"],
            ["train.csv", 3, "the note is blank"],
            ["train.csv", 4, "the encounter is there already (row 1; another variant)"],
            ["train_metadata.csv", undefined, "a table of metadata: the dataset has no place for it"]
          ]
        )
        assert.strictEqual(report.expected[0]?.expected, 207)
      })
    })
  )
  it.effect("reads the JSON layout, without the notes by section", () =>
    inFolder((folder) => {
      write(
        folder,
        "valid_full.json",
        JSON.stringify({
          data: [
            { src: "[doctor] hi", tgt: "CC", file: "D2N087-aci" },
            { src: "[doctor] hi", tgt: "CC", file: "D2N087-virtscribe" }
          ]
        })
      )
      write(folder, "valid_subjective.json", JSON.stringify({ data: [{ src: "x", tgt: "y", file: "D2N088-aci" }] }))
      return Effect.map(aciBench.run(folder), ({ consultations, report }) => {
        assert.deepStrictEqual(
          consultations.map(({ id, stratum }) => [id, stratum]),
          [["D2N087", "aci-bench-aci"]]
        )
        assert.deepStrictEqual(
          report.leftOut.map(({ file, row }) => [file, row]),
          [
            ["valid_full.json", 2],
            ["valid_subjective.json", undefined]
          ]
        )
      })
    })
  )
  it.effect("names what it cannot use", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const bad = yield* Effect.flip(
          aciBench.run(write(folder, "a.json", JSON.stringify({ data: [{ src: "x", file: "f" }] })))
        )
        assert.match(bad.message, /a\.json: data\[0\]\.tgt: is missing/)
        const line = yield* Effect.flip(aciBench.run(write(folder, "b.jsonl", lines([{ id: "a", dialogue: "d" }]))))
        assert.match(line.message, /b\.jsonl:1: note: is missing/)
        const none = yield* Effect.flip(aciBench.run(write(folder, "c.csv", "a\n1\n")))
        assert.include(none.message, "holds no encounter")
      })
    )
  )
  it.effect.skipIf(absent)("imports the 40 shared encounters (skipped without ../shared/data)", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { consultations, report } = yield* aciBench.run(source)
        assert.deepStrictEqual(report.read, [{ file: "dialogues.jsonl", rows: 40, paired: 40 }])
        assert.isTrue(report.expected.every((one) => one.expected === one.found))
        assert.isTrue(report.warnings?.some((one) => one.startsWith("8 of the encounters are OmissionBench's too")))
        const text = datasetText(consultations)
        assert.strictEqual(datasetText((yield* aciBench.run(source)).consultations), text)
        assert.strictEqual((yield* readDataset(write(folder, "a.jsonl", text))).consultations.length, 40)
      })
    )
  )
})
