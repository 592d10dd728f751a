import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mergeTextGrids, primockTranscripts } from "../../../src/dataset/import/primockTranscripts.ts"
import { inFolder, write } from "../support.ts"

const source = new URL("../../../../shared/data/primock57", import.meta.url).pathname
const absent = !existsSync(source)

const grid = (...intervals: ReadonlyArray<readonly [number, number, string]>) =>
  [
    'File type = "ooTextFile"\nxmin = 0\nxmax = 9\ntiers? <exists>\nitem []:\n\titem [1]:\n\t\tname = "Speaker"\n\t\txmin = 0\n\t\txmax = 9',
    ...intervals.map(
      ([from, to, text], at) =>
        `\t\tintervals [${at + 1}]:\n\t\t\txmin = ${from}\n\t\t\txmax = ${to}\n\t\t\ttext = "${text}"`
    )
  ].join("\n")

describe("primockTranscripts", () => {
  it("merges two TextGrids by start, the doctor first, and resolves the transcriber's marks", () => {
    assert.strictEqual(
      mergeTextGrids(
        grid([0, 1, "Hello"], [1, 2, ""], [3, 4, 'Say ""ah""  <UNSURE>now</UNSURE>']),
        grid([0, 1, "Hi"], [2, 3, "<UNIN/> <INAUDIBLE_SPEECH/>\nwell <UNIN/>"])
      ),
      'Doctor: Hello\nPatient: Hi\nPatient: [unintelligible] well [unintelligible]\nDoctor: Say "ah" now'
    )
  })
  it.effect("reads a folder of either kind, ids normalised, and takes no TextGrid without its other half", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        mkdirSync(`${folder}/t`)
        write(folder, "t/day1_consultation010.txt", "Doctor: text\r\n")
        write(folder, "t/day1_consultation02_doctor.TextGrid", grid([0, 1, "a"]))
        write(folder, "t/day1_consultation02_patient.TextGrid", grid([1, 2, "b"]))
        write(folder, "t/day1_consultation03_doctor.TextGrid", grid([0, 1, "a"]))
        assert.deepStrictEqual(
          [...(yield* primockTranscripts(`${folder}/t`))!],
          [
            ["day1_consultation10", "Doctor: text"],
            ["day1_consultation02", "Doctor: a\nPatient: b"]
          ]
        )
        assert.isUndefined(yield* primockTranscripts(`${folder}/none`))
      })
    )
  )
  it.effect.skipIf(absent)(
    "makes the shared transcripts of the shared TextGrids (skipped without ../shared/data)",
    () =>
      Effect.gen(function* () {
        const made = yield* primockTranscripts(`${source}/textgrid`)
        assert.strictEqual(made!.size, 2)
        for (const [id, text] of made!) {
          assert.strictEqual(text, readFileSync(`${source}/transcripts/${id}.txt`, "utf8").trim())
        }
      }).pipe((test) => inFolder(() => test))
  )
})
