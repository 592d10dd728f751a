import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { genericCsv, genericJsonl } from "../../src/dataset/import/generic.ts"
import { healthBenchMeta } from "../../src/dataset/import/healthBenchMeta.ts"
import type { ColumnMapping, Imported, Importer, ImportOptions } from "../../src/dataset/import/Importer.ts"
import { medErrBench } from "../../src/dataset/import/medErrBench.ts"
import { medec } from "../../src/dataset/import/medec.ts"
import { medHallu } from "../../src/dataset/import/medHallu.ts"
import { medRect } from "../../src/dataset/import/medRect.ts"
import { mojibake } from "../../src/dataset/import/mojibake.ts"
import { type AnswerabilityContext, squad2 } from "../../src/dataset/import/squad.ts"
import { readDataset } from "../../src/dataset/read.ts"
import { datasetText } from "../../src/dataset/write.ts"
import { inFolder, lines, write } from "./support.ts"

const data = new URL("../../../shared/data", import.meta.url).pathname
const absent = !existsSync(data)

const from = (importer: Importer, name: string, content: string, options?: ImportOptions) =>
  inFolder((folder) => importer.run(write(folder, name, content), options))

const refusal = (importer: Importer, name: string, content: string, options?: ImportOptions) =>
  Effect.map(Effect.flip(from(importer, name, content, options)), (failure) =>
    failure.message.replaceAll(/\/\S*\//g, "")
  )

const csv = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n")

/** Each row read is paired or left out by its number. */
const noneLost = ({ report }: Imported) => {
  for (const { file, paired, rows } of report.read) {
    const left = report.leftOut.filter((one) => one.file === file && one.row !== undefined)
    assert.strictEqual(new Set(left.map((one) => one.row)).size, rows - paired, file)
  }
}

const sides = ({ consultations }: Imported) =>
  consultations.flatMap((one) =>
    one.pairs.map((pair) => {
      const text = (id: string) => one.notes.find((note) => note.id === id)!.text
      return [one.id, text(pair.flawed), text(pair.clean)]
    })
  )

const reasons = ({ report }: Imported) => report.leftOut.map(({ reason, row }) => [row, reason])

const medecHeader = [
  "Text ID",
  "Text",
  "Sentences",
  "Error Flag",
  "Error Type",
  "Error Sentence ID",
  "Error Sentence",
  "Corrected Sentence",
  "Corrected Text"
]
const vignette = "A man of 30 has had a cough for three days and a fever since last night. "
const medecRows = [
  medecHeader,
  [
    "ms-test-0",
    `${vignette}He has gout.`,
    "",
    "1",
    "diagnosis",
    "1",
    "He has gout.",
    "He has flu.",
    `${vignette} He has flu.`
  ],
  ["ms-test-1", `He has flu. ${vignette}`, "", "0", "NA", "-1", "NA", "NA", "NA"],
  ["", " ", "", "", "", "", "", "", ""],
  ["ms-test-2", "Twice. Twice.", "", "1", "diagnosis", "0", "Twice.", "Once.", "Once."],
  ["ms-test-3", "Caf\u00c3\u00a9.", "", "1", "", "0", "Not there.", "x", "x"],
  ["ms-test-4", "Text.", "", "2", "", "", "", "", ""]
]

describe("medec", () => {
  it.effect("replaces the error where it stands, and says of every other row why it has no pair", () =>
    Effect.map(from(medec, "m.csv", `\uFEFF${csv(medecRows)}`), (imported) => {
      assert.deepStrictEqual(sides(imported), [["ms-test-0", `${vignette}He has gout.`, `${vignette}He has flu.`]])
      assert.deepStrictEqual(reasons(imported), [
        [2, "a row without an error: both sides of a pair come from its error row"],
        [3, "every cell of the row is blank"],
        [4, "the error sentence is in the text more than once"],
        [5, "the error sentence is not in the text"],
        [6, 'the error flag is "2", not 0 or 1']
      ])
      assert.deepStrictEqual(imported.report.warnings, [
        'm.csv: 1 of 5 rows hold what looks like wrongly decoded characters, such as "Ã©" (row 5): kept as they stand'
      ])
      noneLost(imported)
    })
  )
  it.effect("recovers pairs by the words that rows share", () =>
    Effect.map(from(medec, "m.csv", csv(medecRows), { pairing: "recovery" }), (imported) => {
      assert.deepStrictEqual(sides(imported), [
        ["ms-test-0", `${vignette}He has gout.`, `He has flu. ${vignette}`.trim()]
      ])
      noneLost(imported)
    })
  )
  it.effect.skipIf(absent)("imports MEDEC-MS to the known counts (skipped where ../shared/data is absent)", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        for (const [pairing, pairs] of [
          ["in-place", [311, 319]],
          ["recovery", [286, 255]]
        ] as const) {
          const imported = yield* medec.run(`${data}/medec`, { pairing })
          noneLost(imported)
          assert.isTrue(imported.report.expected.every((one) => one.expected === one.found))
          assert.deepStrictEqual(
            ["ms-test", "ms-val"].map((part) => imported.consultations.filter((one) => one.id.startsWith(part)).length),
            [...pairs]
          )
          const text = datasetText(imported.consultations)
          assert.strictEqual(datasetText((yield* medec.run(`${data}/medec`, { pairing })).consultations), text)
          const read = yield* readDataset(write(folder, `${pairing}.jsonl`, text))
          assert.strictEqual(read.consultations.length, pairs[0] + pairs[1])
        }
      })
    )
  )
})

describe("mederrbench, medrect, medhallu", () => {
  it.effect("mederrbench takes English in place and others' corrected text, and falls back aloud", () =>
    Effect.gen(function* () {
      const header = [...medecHeader.filter((name) => name !== "Sentences"), "Reasoning Type"]
      const row = (id: string, text: string, flag: string, error: string, fixed: string, whole: string) => [
        id,
        text,
        flag,
        "Diagnosis ",
        "1",
        error,
        fixed,
        whole,
        "Single-hop"
      ]
      const rows = [
        header,
        row("en-0", `${vignette}He has gout.`, "1", "He has gout.", "He has flu.", `${vignette}has flu.`),
        row("en-1", `${vignette}has flu.`, "0", "NA", "NA", "NA"),
        row("en-2", "A text.", "1", "Not in it.", "Fixed.", "Another text.")
      ]
      const english = yield* from(medErrBench, "reviewed_data_EN_test.csv", csv(rows))
      assert.deepStrictEqual(sides(english), [
        ["en-0", `${vignette}He has gout.`, `${vignette}He has flu.`],
        ["en-2", "A text.", "Another text."]
      ])
      assert.include(reasons(english)[0]![1], "beside its error row")
      assert.include(english.report.warnings!.join(), "the clean note of row 3 is not made as the others' are")
      assert.deepStrictEqual(english.report.expected, [
        { what: "EN test: rows with an error", expected: 104, found: 2 }
      ])
      noneLost(english)
      const arabic = yield* from(medErrBench, "x_ARA_train.csv", csv(rows))
      assert.deepStrictEqual(sides(arabic)[0]![2], `${vignette}has flu.`)
    })
  )
  it.effect("medrect joins sentences, keeps the layout of both sides, and groups by question", () =>
    Effect.map(
      from(
        medRect,
        "m.json",
        JSON.stringify([
          {
            sample_id: "Q1_a",
            sentences: "1. One.\n2. Two 3. x\nand more.\n10. Ten.",
            error_flag: 1,
            error_type: "診断",
            error_sentence_id: 1,
            error_sentence: "One.",
            corrected_sentence: "Uno.",
            corrected_text: "Uno.\nTwo 3. x and more. Ten.",
            metadata: { jmle_question_id: "Q1" }
          },
          { sample_id: "Q1_b", sentences: "1. Uno.", error_flag: 0, metadata: { jmle_question_id: "Q1" } }
        ])
      ),
      (imported) => {
        assert.deepStrictEqual(sides(imported), [
          ["Q1", "One. Two 3. x and more. Ten.", "Uno. Two 3. x and more. Ten."]
        ])
        noneLost(imported)
      }
    )
  )
  it.effect("medhallu gives the class by category, and leaves out what has none", () =>
    Effect.gen(function* () {
      const row = (category: string | null, answer: string) => ({
        Question: "Q?",
        Knowledge: ["K1", "K2"],
        "Ground Truth": "Yes.",
        "Difficulty Level": "easy",
        "Hallucinated Answer": answer,
        "Category of Hallucination": category
      })
      const imported = yield* from(
        medHallu,
        "m.jsonl",
        lines([row("Incomplete Information", "N."), row("Other", "M."), row("incomplete information ", "N.")])
      )
      assert.strictEqual(imported.consultations.length, 1)
      assert.deepStrictEqual(
        imported.consultations[0]!.pairs.map((pair) => pair.class),
        ["omission"]
      )
      assert.deepStrictEqual(reasons(imported), [
        [2, 'the category "Other" has no class'],
        [3, "the pair's id is that of row 1"]
      ])
      noneLost(imported)
      assert.include(yield* refusal(medHallu, "m.parquet", ""), "is a Parquet file")
    })
  )
})

describe("healthbench-meta and squad2", () => {
  it.effect("healthbench-meta keeps criteria as facts and labels beside, and no canary", () =>
    Effect.map(
      from(
        healthBenchMeta,
        "h.jsonl",
        lines(
          [[true, false], [true, true, false], []].map((labels, at) => ({
            prompt_id: "p",
            prompt: [{ role: "user", content: "Hi" }],
            completion: "Hello",
            completion_id: "c",
            rubric: `criterion ${at}`,
            category: "cluster:x",
            binary_labels: labels,
            anonymized_physician_ids: ["a"],
            canary: "CANARY"
          }))
        )
      ),
      (imported) => {
        assert.deepStrictEqual(imported.consultations, [
          {
            id: "p",
            stratum: "healthbench",
            transcript: "User: Hi",
            facts: [
              { id: "criterion-1", text: "criterion 0" },
              { id: "criterion-2", text: "criterion 1" }
            ],
            notes: [{ id: "c", text: "Hello" }],
            pairs: []
          }
        ])
        assert.deepStrictEqual(
          imported.beside!.lines.map((line) => (line as { met: boolean | null }).met),
          [null, true]
        )
        assert.notInclude(JSON.stringify(imported), "CANARY")
        noneLost(imported)
      }
    )
  )
  it.effect("squad2 counts starts in code units, searches where they are wrong, and never drops an answer", () =>
    Effect.gen(function* () {
      const context = "🙂 No effusion.\r\nNo effusion."
      const qas = [
        { id: "a", question: "?", answers: [{ text: "No effusion", answer_start: 2 }], is_impossible: false },
        { id: "b", question: "?", answers: [{ text: "No effusion", answer_start: 14 }] },
        { id: "c", question: "?", answers: [{ text: "absent", answer_start: 0 }] },
        { id: "d", question: "?", answers: [] },
        { id: "d", question: "?", answers: [] }
      ]
      const file = JSON.stringify({ version: "v2.0", data: [{ title: "T", paragraphs: [{ context, qas }] }] })
      const imported = yield* from(squad2, "s.json", file)
      const [one] = imported.instead!.lines as ReadonlyArray<AnswerabilityContext>
      assert.deepStrictEqual(
        one!.questions.map(({ answerable, answers, id }) => [id, answerable, answers[0]?.start]),
        [
          ["a", true, 3],
          ["b", true, 17],
          ["c", true, null],
          ["d", false, undefined]
        ]
      )
      assert.strictEqual(one!.context, context)
      assert.lengthOf(imported.report.warnings!, 2)
      noneLost(imported)
      assert.strictEqual(
        yield* refusal(squad2, "s.json", '{"data":[{"paragraphs":[{"context":1,"qas":[]}]}]}'),
        "s.json: data[0].paragraphs[0].context: is not usable (found 1; expected text)"
      )
    })
  )
})

const mapping: ColumnMapping = {
  consultation: "visit",
  transcript: "talk",
  flawed: "bad",
  clean: "good",
  class: "kind",
  severity: "grade",
  stratum: "gp",
  values: { wrong: "alteration", "severity:high": "critical" }
}

describe("csv and jsonl", () => {
  const table = csv([
    ["visit", "talk", "bad", "good", "kind", "grade"],
    ["1", "Doctor:\r\nhello", "=A1", "B", "Wrong", "HIGH"],
    ["1", "Doctor:\nhello", "C", "B", "omission", ""],
    ["1", "other", "D", "B", "omission", ""],
    ["2", "", "E", "E", "omission", ""],
    ["2", "", "F", "E", "unknown", ""],
    ["", "", "F", "E", "omission", ""]
  ])
  it.effect("maps columns and values, and names the row of what cannot be used", () =>
    Effect.map(from(genericCsv, "t.csv", table, { columns: mapping }), (imported) => {
      assert.deepStrictEqual(imported.consultations, [
        {
          id: "1",
          stratum: "gp",
          transcript: "Doctor:\nhello",
          notes: [
            { id: "clean-1", text: "B" },
            { id: "flawed-1", text: "=A1" },
            { id: "flawed-2", text: "C" }
          ],
          pairs: [
            { id: "row-1", flawed: "flawed-1", clean: "clean-1", class: "alteration", severity: "critical" },
            { id: "row-2", flawed: "flawed-2", clean: "clean-1", class: "omission" }
          ]
        }
      ])
      assert.deepStrictEqual(reasons(imported), [
        [3, 'the transcript is not that of row 1, which has the same consultation "1"'],
        [4, "the flawed note and the clean one have the same text"],
        [
          5,
          'the class "unknown" is none of omission, addition, alteration (say what it means: --value unknown=<omission|addition|alteration>)'
        ],
        [6, "the consultation's id is blank"]
      ])
      noneLost(imported)
    })
  )
  it.effect("reads nested fields and lists of a JSON line; a stratum of its own stays with the pair", () =>
    Effect.map(
      from(
        genericJsonl,
        "t.jsonl",
        lines([
          { visit: 1, talk: ["a", "b"], note: { bad: "x", good: "y" }, kind: "s1" },
          { visit: 1, talk: ["a", "b"], note: { bad: "z", good: "y" }, kind: "s2" }
        ]),
        {
          columns: {
            consultation: "visit",
            transcript: "talk",
            flawed: "note.bad",
            clean: "note.good",
            class: "omission",
            stratum: "kind",
            values: {}
          }
        }
      ),
      ({ consultations }) => {
        assert.strictEqual(consultations[0]!.transcript, "a\nb")
        assert.deepStrictEqual(
          consultations.map((one) => [one.stratum, one.pairs.map((pair) => pair.stratum)]),
          [["s1", [undefined, "s2"]]]
        )
      }
    )
  )
  it.effect("says which columns and values are missing or unknown", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* refusal(genericCsv, "t.csv", table)).split("\n"), [
        "--consultation is not given (expected the name of a column)",
        "--flawed is not given (expected the name of a column)",
        "--clean is not given (expected the name of a column)",
        "--class is not given (expected a column, or omission, addition or alteration for all rows)"
      ])
      assert.strictEqual(
        yield* refusal(genericCsv, "t.csv", table, { columns: { ...mapping, clean: "Good", values: { a: "b" } } }),
        '--value a=b: "b" is no class (expected omission, addition, alteration)'
      )
      assert.include(
        yield* refusal(genericCsv, "t.csv", table, { columns: { ...mapping, clean: "Good" } }),
        't.csv: --clean names "Good", which no column has'
      )
      assert.include(
        yield* refusal(genericJsonl, "t.jsonl", '{"visit":{}}\n[]\n', { columns: mapping }),
        "t.jsonl:2: is no JSON object"
      )
    })
  )
})

describe("mojibake", () => {
  it("is seen as Windows-1252 or Mac Roman read it, and not in text as it should be", () => {
    for (const text of [
      "\u00e2\u20ac\u0153x",
      "5 \u00ce\u00bcg",
      "37 \u00c2\u00b0C",
      "a \u201a\u00c4\u00ec b",
      "\ufffd"
    ])
      assert.isDefined(mojibake(text), text)
    for (const text of ["naïve café", "5 µg", "37 °C", "“quoted” – dash", "α ≥ β", "Ação", "漢字"])
      assert.isUndefined(mojibake(text), text)
  })
})
