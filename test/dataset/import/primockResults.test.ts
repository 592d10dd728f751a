import { existsSync, mkdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ImportOptions } from "../../../src/dataset/import/Importer.ts"
import { listedStatements, primockResults } from "../../../src/dataset/import/primockResults.ts"
import {
  isCleanSide,
  isFlawedSide,
  noteText,
  readTrackedEdit,
  withLayoutOf
} from "../../../src/dataset/import/primockResultsHtml.ts"
import { datasetText } from "../../../src/dataset/write.ts"
import { inFolder, write } from "../support.ts"

const source = new URL("../../../../shared/data/format-samples/synthetic/primock_results.csv", import.meta.url).pathname
const absent = !existsSync(source)

const sides = (html: string, note: string) => {
  const edited = readTrackedEdit(html)
  if ("reason" in edited) return edited.reason
  const characters = withLayoutOf(edited.characters, note)
  if (characters === undefined) return "not the note"
  return { flawed: noteText(characters.filter(isFlawedSide)), clean: noteText(characters.filter(isCleanSide)) }
}

describe("a post-edited note", () => {
  it("drops deletions on one side and insertions on the other, whatever their nesting", () => {
    assert.deepStrictEqual(
      sides(
        '<p>BP <140/90 &amp; <delete title="a > b">no&nbsp;</delete>pain<insert>, <insert><span>left</span></insert><delete> arm</delete></insert></p>',
        "BP <140/90 & no pain"
      ),
      { flawed: "BP <140/90 & no pain", clean: "BP <140/90 & pain, left" }
    )
  })
  it("puts back the note's line breaks that the editor lost, misplaced or made", () => {
    assert.deepStrictEqual(sides("<p>One.two<br />th<br />ree. F<br />our</p>", "One.\ntwo\n  three.  Four"), {
      flawed: "One.\ntwo\nthree. Four",
      clean: "One.\ntwo\nthree. Four"
    })
  })
  it("joins lines on the clean side only, where a break was deleted", () => {
    assert.deepStrictEqual(
      sides("<p>Gout.<delete><br /></delete><insert>&nbsp;and </insert>stones.</p>", "Gout.\nstones."),
      {
        flawed: "Gout.\nstones.",
        clean: "Gout. and stones."
      }
    )
  })
  it("leaves no line without a word and no punctuation at the start of a line", () => {
    assert.deepStrictEqual(
      sides("<p><delete>Fever</delete>, cough<br /><delete>Rash</delete>.</p>", "Fever, cough\nRash."),
      {
        flawed: "Fever, cough\nRash.",
        clean: "cough"
      }
    )
  })
  it("is refused where it is not the note, or its edits are not closed", () => {
    assert.strictEqual(sides("<p>Cough</p>", "Cold"), "not the note")
    assert.strictEqual(sides("<p>Cough</p>", "Cough and"), "not the note")
    assert.strictEqual(
      sides("<p>Cough<insert>ing</p>", "Cough"),
      "the post-edited note has a <insert> that is never closed"
    )
    assert.strictEqual(
      sides("<p>Cough</delete></p>", "Cough"),
      "the post-edited note closes a <delete> that is not open"
    )
  })
  it("keeps an entity of no known name, and reads numbers", () => {
    assert.deepStrictEqual(sides("<p>a &constructor; &#x41;&#66; &#99999999;</p>", "a &constructor; AB &#99999999;"), {
      flawed: "a &constructor; AB &#99999999;",
      clean: "a &constructor; AB &#99999999;"
    })
  })
})

describe("listedStatements", () => {
  it("reads marks, items over several lines, and nil as none", () => {
    assert.deepStrictEqual(listedStatements("! left ear\r\n - fever\nnot measured\n\n !\n-3/7 cough"), [
      { text: "left ear", critical: true },
      { text: "fever not measured", critical: false },
      { text: "3/7 cough", critical: false }
    ])
    assert.deepStrictEqual(listedStatements("unmarked"), [{ text: "unmarked", critical: null }])
    assert.deepStrictEqual(["", "Nil", "none."].map(listedStatements), [[], [], []])
  })
})

const header =
  "Evaluator,Consultation,Model,Evaluator Note,Model Note,Post-edited note,Post-edit time,Incorrect Statements,Omissions,Other Issues"
const csv = (...rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [header, ...rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))].join("\r\n")
const row = (
  evaluator: string,
  note: string,
  html: string,
  incorrect: string,
  omissions: string,
  consultation = "day1_consultation010"
) => [evaluator, consultation, "model_1", "", note, html, "1", incorrect, omissions, ""]

const importFrom = (text: string, options: ImportOptions = {}) =>
  inFolder((folder) => {
    mkdirSync(`${folder}/human_eval_data`)
    mkdirSync(`${folder}/transcripts`)
    write(folder, "human_eval_data/results.csv", text)
    write(folder, "transcripts/day1_consultation10.txt", "Doctor: hello\n")
    return primockResults.run(folder, options)
  })

describe("primock-results", () => {
  it.effect("isolates each edit that is a listed item, against the note with all the others", () =>
    Effect.map(
      importFrom(
        csv(
          row(
            "e1",
            "Takes iron.\nNo pain.\nSmokes.",
            "<p>Takes <delete>iron</delete><insert>aspirin</insert>.<br /><delete>No pain.</delete><br /><insert>Chest pain</insert><br />Smokes<insert> 20 cigarettes</insert>.<insert>Also chest pain</insert></p>",
            "! Takes iron\n- No pain.",
            "! Smokes 20 cigarettes\n- Also chest pain\n- an item without an edit"
          )
        ),
        { pairs: "single" }
      ),
      ({ consultations: [one], report }) => {
        const clean = "Takes aspirin.\nChest pain\nSmokes 20 cigarettes.Also chest pain"
        const text = (id: string) => one!.notes.find((note) => note.id === id)!.text
        assert.strictEqual(one!.transcript, "Doctor: hello")
        assert.deepStrictEqual(
          one!.pairs.map((pair) => {
            assert.strictEqual(text(pair.clean), clean)
            const { errorSentence, correctedSentence, id, severity, trace } = pair
            return [
              id.split("|").at(-1),
              pair.class,
              trace,
              severity,
              text(pair.flawed),
              errorSentence,
              correctedSentence
            ]
          }),
          [
            ["x1", "alteration", undefined, "critical", clean.replace("aspirin", "iron"), "iron", "aspirin"],
            [
              "x2",
              "alteration",
              undefined,
              "supporting",
              `${clean.replace("\n", "\nNo pain.\n")}`,
              "No pain.",
              "Chest pain"
            ],
            ["o1", "omission", "complete", "critical", clean.replace(" 20 cigarettes", ""), undefined, "20 cigarettes"],
            [
              "o2",
              "omission",
              "fragment",
              "supporting",
              clean.replace("Also chest pain", ""),
              undefined,
              "Also chest pain"
            ]
          ]
        )
        // What replaces a deletion, and what no item lists, is no omission.
        assert.isTrue(report.remarks.some((remark) => remark.includes("2 insertions, 0 deletions")))
        assert.deepStrictEqual(report.read, [{ file: "results.csv", rows: 1, paired: 1 }])
      }
    )
  )
  it.effect("says of every row without a pair why", () =>
    Effect.map(
      importFrom(
        csv(
          row("e1", "Cough", "<p>Cough<insert> 3/7</insert></p>", "", "- 3/7 cough"),
          row("e1", "Cough", "<p>Cough<insert> 4/7</insert></p>", "", "- 4/7 cough"),
          row("e2", "Cough", "<p>Cough</p>", "", "! fever"),
          row("e3", "Cough", "<p>Cold</p>", "", "! fever"),
          row("e4", "Cough", "<p>Cough<insert> 3/7</insert></p>", "nil", ""),
          Array(10).fill(" "),
          row("e5", "Cough", "<p>Cough<insert> 3/7</insert></p>", "", "! 3/7", "../\u001b[31mx")
        ),
        { pairs: "whole" }
      ),
      ({ report }) => {
        assert.deepStrictEqual(
          report.leftOut.map(({ reason, row }) => [row, reason]),
          [
            [2, "the pair's id is that of row 1"],
            [3, "the clinician's edit changes no word"],
            [4, "the post-edited note without its edits is not the model's note, white space aside"],
            [5, "neither an omission nor an incorrect statement is listed"],
            [6, "every cell of the row is blank"],
            [7, "there is no transcript of its consultation"]
          ]
        )
        assert.deepStrictEqual(report.read, [{ file: "results.csv", rows: 7, paired: 1 }])
      }
    )
  )
  it.effect("names a column that is missing", () =>
    Effect.map(Effect.flip(importFrom(csv().replace("Incorrect Statements", "Wrong"))), (failure) =>
      assert.include(failure.message, 'the header has no column "Incorrect statements"')
    )
  )
  it.effect.skipIf(absent)("makes the stated pairs of the shared sample (skipped without ../shared/data)", () =>
    inFolder(() =>
      Effect.gen(function* () {
        const { consultations, report } = yield* primockResults.run(source)
        assert.deepStrictEqual(
          consultations.flatMap((one) =>
            one.pairs.map((pair) => [pair.id.split("model_3|")[1], pair.class, pair.fact])
          ),
          [
            [
              "evaluator_1",
              "alteration",
              "left ear; fever last night not measured; father had kidney stones; 2 days; no fever."
            ],
            ["evaluator_1|o1", "omission", "left ear"],
            ["evaluator_1|x1", "alteration", "2 days"],
            ["evaluator_1|x2", "alteration", "no fever."],
            ["evaluator_1|o2", "omission", "fever last night not measured"],
            ["evaluator_2", "omission", "Penicillin & aspirin ok"],
            ["evaluator_2|o1", "omission", "Penicillin & aspirin ok"]
          ]
        )
        assert.deepStrictEqual(
          report.leftOut.map((one) => one.row),
          [3]
        )
        assert.strictEqual(datasetText((yield* primockResults.run(source)).consultations), datasetText(consultations))
      })
    )
  )
})
