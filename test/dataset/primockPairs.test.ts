import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { consultationId, primockPairs } from "../../src/dataset/import/primockPairs.ts"
import { readDataset } from "../../src/dataset/read.ts"
import { datasetSummary } from "../../src/dataset/summary.ts"
import { datasetText } from "../../src/dataset/write.ts"
import { inFolder, lines, write } from "./support.ts"

const source = new URL("../../../shared/data/primock57", import.meta.url).pathname
const absent = !existsSync(source)

const omission = (fields: object) => ({
  id: "o",
  consultation: "day1_consultation01",
  flawed_note: "b",
  clean_note: "a b",
  omissions: [{ text: "a", critical: true }],
  incorrect: [],
  removed: "a",
  words_still_in_flawed_note: 0,
  kind: "post-edit-single-omission",
  ...fields
})
const error = (fields: object) => ({
  id: "x",
  consultation: "day1_consultation01",
  flawed_note: "a b c",
  clean_note: "a b",
  omissions: [],
  incorrect: [{ text: "c", critical: null, row: 3 }],
  kind: "checklist-single",
  ...fields
})

const importFrom = (omissions: ReadonlyArray<object>, errors: ReadonlyArray<object>) =>
  inFolder((folder) => {
    mkdirSync(`${folder}/transcripts`)
    write(folder, "transcripts/day1_consultation01.txt", "Doctor: hello\r\nPatient: a\r\n")
    write(folder, "transcripts/day1_consultation10.txt", "Doctor: bye\n")
    write(folder, "clinician_single_omission_pairs.jsonl", lines(omissions))
    write(folder, "clinician_single_error_pairs.jsonl", lines(errors))
    return Effect.map(Effect.result(primockPairs.run(folder)), (result) =>
      result._tag === "Success"
        ? { ...result.success, message: "" }
        : { consultations: [], report: undefined, message: result.failure.message.replaceAll(`${folder}/`, "") }
    )
  })

describe("primock-pairs", () => {
  it.effect("takes class, trace and severity from the row, and the clean note once", () =>
    Effect.map(
      importFrom(
        [
          omission({}),
          omission({
            id: "p",
            flawed_note: "a",
            removed: "b",
            omissions: [
              { text: "b", critical: false },
              { text: "more", critical: null }
            ],
            words_still_in_flawed_note: 0.33
          }),
          omission({ id: "q", words_still_in_flawed_note: 1 })
        ],
        [
          error({}),
          error({
            id: "y",
            flawed_note: "a d",
            replaced: "b",
            restored: "d",
            next_line_insert: null,
            kind: "post-edit-single-incorrect",
            incorrect: [{ text: "d", critical: true }]
          }),
          error({
            id: "z",
            flawed_note: "a e b",
            replaced: null,
            restored: "e",
            next_line_insert: "b",
            kind: "post-edit-single-incorrect"
          }),
          error({
            id: "w",
            flawed_note: "a f b",
            replaced: null,
            restored: "f",
            next_line_insert: null,
            kind: "post-edit-single-incorrect"
          })
        ]
      ),
      ({ consultations, report }) => {
        assert.strictEqual(consultations.length, 1)
        const [one] = consultations
        assert.strictEqual(one!.transcript, "Doctor: hello\nPatient: a")
        assert.deepStrictEqual(
          one!.notes.filter((note) => note.id.startsWith("clean")),
          [{ id: "clean-1", text: "a b" }]
        )
        assert.deepStrictEqual(
          one!.pairs.map((pair) => [pair.id, pair.class, pair.trace, pair.severity, pair.fact]),
          [
            ["o", "omission", "complete", "critical", "a"],
            ["p", "omission", "fragment", "supporting", "b; more"],
            ["x", "addition", undefined, undefined, "c"],
            ["y", "alteration", undefined, "critical", "d"],
            ["z", "alteration", undefined, undefined, "c"],
            ["w", "addition", undefined, undefined, "c"]
          ]
        )
        assert.deepStrictEqual(
          report?.leftOut.map(({ file, id, row }) => [file, row, id]),
          [
            ["clinician_single_omission_pairs.jsonl", 3, "q"],
            ["transcripts/day1_consultation10.txt", undefined, "day1_consultation10"]
          ]
        )
        assert.deepStrictEqual(
          report?.read.map(({ paired, rows }) => [rows, paired]),
          [
            [3, 2],
            [4, 4]
          ]
        )
      }
    )
  )

  it("normalises consultation ids", () => {
    assert.deepStrictEqual(
      ["day1_consultation010", "day1_consultation10", "day01_consultation1", "other"].map(consultationId),
      ["day1_consultation10", "day1_consultation10", "day1_consultation01", "other"]
    )
  })

  it.effect("names the row of what it cannot use", () =>
    Effect.gen(function* () {
      const wrongType = yield* importFrom([omission({}), omission({ id: "p", words_still_in_flawed_note: "none" })], [])
      assert.strictEqual(
        wrongType.message,
        'clinician_single_omission_pairs.jsonl:2: words_still_in_flawed_note: is not usable (found "none"; expected a number from 0 to 1)'
      )
      const unknown = yield* importFrom([omission({ consultation: "day9_consultation01" })], [])
      assert.match(
        unknown.message,
        /^clinician_single_omission_pairs\.jsonl:1: consultation: there is no transcript of this consultation \(found "day9_consultation01"/
      )
      const twice = yield* importFrom([omission({}), omission({ flawed_note: "a" })], [])
      assert.match(
        twice.message,
        /^clinician_single_omission_pairs\.jsonl:2: pairs\[1\]\.id: pair id "o" is used twice/
      )
      const same = yield* importFrom([], [error({ flawed_note: "a b" })])
      assert.match(same.message, /^clinician_single_error_pairs\.jsonl:1: pairs\[0\]/)
    })
  )

  it.effect("says that the folder has not the files", () =>
    inFolder((folder) =>
      Effect.map(Effect.flip(primockPairs.run(folder)), (failure) =>
        assert.include(
          failure.message,
          "clinician_single_omission_pairs.jsonl: the file of omission pairs is not there"
        )
      )
    )
  )

  it.effect.skipIf(absent)("imports PriMock57 to the known counts (skipped where ../shared/data is absent)", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { consultations, report } = yield* primockPairs.run(source)
        assert.deepStrictEqual(
          report.read.map(({ paired, rows }) => [rows, paired]),
          [
            [186, 182],
            [163, 163]
          ]
        )
        assert.deepStrictEqual(
          report.leftOut.filter((one) => one.row !== undefined).map((one) => one.row),
          [11, 57, 181, 186]
        )
        assert.strictEqual(report.leftOut.filter((one) => one.row === undefined).length, 37)
        assert.isTrue(report.expected.every((one) => one.expected === one.found))
        const text = datasetText(consultations)
        assert.strictEqual(datasetText((yield* primockPairs.run(source)).consultations), text)

        const read = yield* readDataset(write(folder, "primock.jsonl", text))
        assert.deepStrictEqual(read.warnings, [])
        const summary = datasetSummary(read.consultations)
        assert.deepStrictEqual(
          { ...summary, transcripts: summary.transcripts.present, shortcuts: undefined },
          {
            consultations: 20,
            paired: 20,
            notes: 404,
            cleanNotes: 59,
            pairs: 345,
            facts: 0,
            transcripts: 20,
            shortcuts: undefined,
            class: { addition: 133, alteration: 30, omission: 182 },
            trace: { complete: 100, fragment: 82 },
            severity: { critical: 207, supporting: 50 },
            stratum: { primock57: 345 }
          }
        )
        for (const one of consultations) {
          assert.strictEqual(one.transcript, readFileSync(`${source}/transcripts/${one.id}.txt`, "utf8").trim())
          assert.strictEqual(new Set(one.notes.map((note) => note.text)).size, one.notes.length)
        }
      })
    )
  )
})
