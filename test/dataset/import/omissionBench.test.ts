import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as TestConsole from "effect/testing/TestConsole"
import { data } from "../../../src/cli/data.ts"
import type { ImportOptions } from "../../../src/dataset/import/Importer.ts"
import { omissionBench } from "../../../src/dataset/import/omissionBench.ts"
import { scoreCsv, scoreJsonl } from "../../../src/dataset/import/scoreTable.ts"
import { readDataset } from "../../../src/dataset/read.ts"
import { datasetText } from "../../../src/dataset/write.ts"
import { sha256 } from "../../../src/domain/hash.ts"
import { inFolder, write } from "../support.ts"

const source = new URL("../../../../shared/data/format-samples/synthetic/omissionbench", import.meta.url).pathname
const absent = !existsSync(source)

const clean = "Cough.\r\nSmoker, 20 a day."
const cleanKey = `primock|c1|clean|${sha256(clean).slice(0, 12)}`
const pair = (fields: object) => ({ id: "c1", type: "omit", stratum: "primock", clean, errored: "Cough.", ...fields })

const pairs = [
  pair({
    pair_id: "primock|c1|omitps|mc1",
    class: "omit-partial",
    residual_level: "partial-strong",
    severity: " Critical",
    fact: "Smokes 20",
    target: { kind: "must_contain", index: 1, fact: "Smokes 20", load_bearing: "high" },
    residual: {
      sites: [{ quote: "not this", section: "A", strength: "partial" }],
      verified_sites: [{ quote: "Cough", section: "B", strength: "explicit" }]
    },
    matched_pair_ids: ["primock|c1|omitpw"]
  }),
  pair({
    pair_id: "primock|c1|omitpw",
    errored: "Cough. Smoker.",
    residual: { sites: [{ span: "Smoker", strength: "partial" }], max_strength: "partial" },
    matched_pair_ids: ["primock|c1|omitps|mc1"]
  }),
  pair({ type: "change", errored: "Cough. Never smoked.", target: { kind: "trap", index: 0, mode: "polarity" } }),
  pair({ pair_id: "held", type: "add", errored: "Cough. Fever.", eval_set: false, held_out_reason: "gepa_dev_split" }),
  pair({ pair_id: "odd", type: "constructor", errored: "x" }),
  pair({ pair_id: "same", errored: clean }),
  pair({ pair_id: "away", id: "../../c1", errored: "x" })
]

const sheet = {
  records: [
    {
      id: "c1",
      fact_sheet: {
        must_contain: ["Cough", { fact: "Smokes 20", evidence: "I smoke 20", load_bearing: "high", scope: "SH" }],
        must_not_contain: [{ assertion: "fever", why_wrong: "not said" }]
      }
    },
    { id: "c2" }
  ]
}

const record = (cell: string, note: string, score: number | null, fields: object = {}) => ({
  key: `${cell}|r1|${note}`,
  cell,
  format: "score",
  replicate: 1,
  model_key: "m",
  note_key: note,
  note_role: note === cleanKey ? "clean" : "errored",
  consultation: "primock|c1",
  stratum: "primock",
  pair_id: note === cleanKey ? null : note.replace(/\|err$/, ""),
  pair_type: note === cleanKey ? null : "omit",
  pair_class: note === cleanKey ? null : "omit-partial",
  residual_level: note === cleanKey ? null : "partial-strong",
  severity: note === cleanKey ? null : "critical",
  clean_key: cleanKey,
  aggregate: score,
  verdict: null,
  parse_failure: false,
  t: 1,
  ...fields
})
const flawed = "primock|c1|omitps|mc1|err"

interface Run {
  readonly family?: string
  readonly manifest?: object
  readonly records: unknown
  readonly file?: string
}

const build = (folder: string, options: { readonly pairs?: unknown; readonly runs?: ReadonlyArray<Run> } = {}) => {
  const put = (name: string, value: unknown) => {
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true })
    write(folder, name, typeof value === "string" ? value : JSON.stringify(value))
  }
  put("pairs/dataset_v2.json", options.pairs ?? { dataset_version: "v", pairs })
  put("transcripts/primock/c1.txt", "Doctor: hi\n")
  put("fact_sheets/primock.json", sheet)
  for (const [at, run] of (options.runs ?? []).entries()) {
    const home = `judgements/judges/${run.family ?? "w2"}/2026010${at}-000000-abc1234-r1`
    put(`${home}/manifest.json`, {
      status: "complete",
      replicate: 1,
      calls: { errors: 0 },
      cost_usd: 0,
      ...run.manifest
    })
    put(`${home}/${run.file ?? "w2_grid_x.json"}`, { records: run.records })
  }
  return folder
}

const importFrom = (build_: Parameters<typeof build>[1], options: ImportOptions = {}) =>
  inFolder((folder) =>
    Effect.map(Effect.result(omissionBench.run(build(folder, build_), options)), (result) =>
      result._tag === "Success"
        ? { ...result.success, message: "" }
        : {
            consultations: [],
            report: undefined,
            scores: undefined,
            message: result.failure.message.replaceAll(folder, "")
          }
    )
  )

describe("omissionbench", () => {
  it.effect("makes one consultation a key, with note keys as ids, facts of the sheet and labels of the pair", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { beside, consultations, report } = yield* omissionBench.run(build(folder))
        assert.deepStrictEqual(consultations, [
          {
            id: "primock|c1",
            stratum: "primock",
            language: "en",
            transcript: "Doctor: hi",
            facts: [
              { id: "mc0", text: "Cough" },
              { id: "mc1", text: "Smokes 20", evidence: "I smoke 20" }
            ],
            notes: [
              { id: cleanKey, text: "Cough.\nSmoker, 20 a day." },
              { id: flawed, text: "Cough." },
              { id: "primock|c1|omitpw|err", text: "Cough. Smoker." },
              { id: "primock|c1|change|err", text: "Cough. Never smoked." },
              { id: "held|err", text: "Cough. Fever." }
            ],
            pairs: [
              {
                id: "primock|c1|omitps|mc1",
                flawed,
                clean: cleanKey,
                class: "omission",
                trace: "restated",
                severity: "critical",
                fact: "mc1",
                residual: [{ quote: "Cough", section: "B", strength: "explicit" }]
              },
              {
                id: "primock|c1|omitpw",
                flawed: "primock|c1|omitpw|err",
                clean: cleanKey,
                class: "omission",
                trace: "fragment",
                residual: [{ quote: "Smoker", strength: "partial" }]
              },
              {
                id: "primock|c1|change",
                flawed: "primock|c1|change|err",
                clean: cleanKey,
                class: "alteration",
                errorType: "polarity"
              },
              { id: "held", flawed: "held|err", clean: cleanKey, class: "addition" }
            ]
          }
        ])
        assert.deepStrictEqual(
          report.leftOut.map(({ reason, row }) => [row, reason]),
          [
            [5, 'the class "constructor" is none of add, change and omit'],
            [6, "the errored note and the clean one have the same text"],
            [7, 'there is no transcript "transcripts/primock/../../c1.txt"']
          ]
        )
        assert.deepStrictEqual(beside?.lines, [
          {
            consultation: "primock|c1",
            facts: [{ id: "mc0" }, { id: "mc1", load_bearing: "high", scope: "SH" }],
            must_not_contain: [{ assertion: "fever", why_wrong: "not said" }],
            salience_traps: []
          }
        ])
        assert.isTrue(
          report.warnings?.some((one) => one.includes("primock.json: entry 2 has no id or no usable fact_sheet"))
        )
        assert.deepStrictEqual(
          report.expected.filter((one) => one.what === "matched couples").map((one) => one.found),
          [1]
        )
        yield* readDataset(write(folder, "d.jsonl", datasetText(consultations)))
      })
    )
  )
  it.effect("leaves out what is not of the evaluation set when asked", () =>
    Effect.map(importFrom({}, { evalOnly: true }), ({ consultations, report }) => {
      assert.deepStrictEqual(consultations[0]?.pairs.length, 3)
      assert.deepStrictEqual(report?.leftOut[0], {
        file: "pairs/dataset_v2.json",
        row: 4,
        id: "held",
        reason: "not of the evaluation set: gepa_dev_split"
      })
    })
  )
  it.effect("reads a bare list and every wrapper", () =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach([pairs, { pairs }, { items: pairs }, { data: pairs }], (document) =>
        importFrom({ pairs: document })
      )
      assert.strictEqual(new Set(found.map((one) => datasetText(one.consultations))).size, 1)
      assert.include((yield* importFrom({ pairs: { rows: pairs } })).message, "holds no list of pairs")
    })
  )
  it.effect("refuses an id that is used twice, a second clean text, and a pair without its texts", () =>
    Effect.gen(function* () {
      const { message } = yield* importFrom({
        pairs: [pair({ pair_id: "a" }), pair({ pair_id: "a" }), pair({ pair_id: "b", clean: "Other" })]
      })
      assert.include(message, "row 2 has the pair_id of row 1")
      assert.include(message, "row 3 has another clean note than row 1 of the same consultation")
      assert.include((yield* importFrom({ pairs: { items: [{ id: "c1" }] } })).message, "items[0].errored: is missing")
    })
  )
  it.effect("joins judgements to their clean twin by judge and replicate, and says of each other why not", () =>
    Effect.map(
      importFrom(
        {
          runs: [
            {
              records: [
                record("s", cleanKey, 8),
                record("s", flawed, 5, { t: 1 }),
                record("s", flawed, 6.5, { t: 2 }),
                record("s", "primock|c1|omitpw|err", 4, { parse_failure: true }),
                record("lone", flawed, 3),
                record("bin", cleanKey, 0.25, { format: "bin", verdict: "PASS" }),
                record("bin", flawed, 0.75, { format: "bin", verdict: "FAIL" }),
                record("s", "stranger|err", 1)
              ]
            },
            { manifest: { status: "failed" }, records: [record("s", cleanKey, 1)] },
            { manifest: { cost_usd: null }, records: [record("s", cleanKey, 1)] },
            { manifest: { calls: { errors: 2 } }, records: [record("s", cleanKey, 1)] },
            { records: [{ cell: "s" }] }
          ]
        },
        { scores: true }
      ),
      ({ report, scores }) => {
        assert.deepStrictEqual(
          scores?.map((row) => [row.judge, row.note, row.clean, row.score]),
          [
            ["w2/s/m", cleanKey, "", 8],
            ["w2/s/m", flawed, cleanKey, 6.5],
            ["w2/s/m", "primock|c1|omitpw|err", cleanKey, null],
            ["w2/bin/m", cleanKey, "", 1],
            ["w2/bin/m", flawed, cleanKey, 0],
            ["w2/s/m", "stranger|err", cleanKey, 1]
          ]
        )
        assert.deepStrictEqual(
          report?.leftOut.filter((one) => one.file.startsWith("judgements")).map(({ reason, row }) => [row, reason]),
          [
            [2, "the same judge's newer judgement of the note is row 3"],
            [1, "the run is not used: its status is failed"],
            [1, "the run is not used: its cost is not known"],
            [1, "the run is not used: 2 of its calls failed"],
            [
              undefined,
              "the run's judgements cannot be used: records[0].note_key: is missing (expected text that is not empty), and 2 more"
            ],
            [5, "the clean twin has no judgement by the same judge in the same replicate"]
          ]
        )
        assert.deepStrictEqual(
          report?.read.slice(1).map(({ paired, rows }) => [rows, paired]),
          [
            [8, 6],
            [1, 0],
            [1, 0],
            [1, 0]
          ]
        )
        assert.isTrue(report?.warnings?.some((one) => one.startsWith("1 of the judged notes are not in the dataset")))
      }
    )
  )
  it.effect("tells two runs of one judge and replicate apart", () =>
    Effect.map(
      importFrom(
        { runs: [{ records: [record("s", cleanKey, 8)] }, { records: [record("s", cleanKey, 7)] }] },
        { scores: true }
      ),
      ({ scores }) =>
        assert.deepStrictEqual(
          scores?.map((row) => [row.judge, row.score]),
          [
            ["w2/s/m@20260100-000000-abc1234-r1", 8],
            ["w2/s/m@20260101-000000-abc1234-r1", 7]
          ]
        )
    )
  )
  it.effect("says that there are no scores to write", () =>
    Effect.map(importFrom({}, { scores: true }), ({ message }) =>
      assert.include(message, "the release has no judge runs")
    )
  )
  it.effect("is asked for scores on the command line, and never writes them over the dataset", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        build(folder, { runs: [{ records: [record("s", cleanKey, 8)] }] })
        const run = (scoresOut: string) =>
          Command.runWith(data, { version: "test" })([
            "import",
            "omissionbench",
            folder,
            ...["--out", `${folder}/d.jsonl`, "--scores-out", `${folder}/${scoresOut}`]
          ])
        const same = yield* Effect.flip(run("d.jsonl"))
        assert.include(String(Reflect.get(same, "message")), "--scores-out: is the same file as --out")
        yield* run("s.csv")
        assert.include((yield* TestConsole.logLines).join("\n"), `wrote ${folder}/s.csv: 1 score of 1 judge`)
        assert.strictEqual(
          readFileSync(`${folder}/s.csv`, "utf8").split("\n")[1],
          `primock|c1,${cleanKey},,,,,primock,w2/s/m,1,8`
        )
      })
    )
  )
  it("writes scores as CSV and as JSON lines, hostile names included", () => {
    const row = {
      consultation: 'a,"b"\n',
      note: "=1+1",
      clean: "",
      judge: "j",
      replicate: 1,
      score: null
    }
    assert.strictEqual(
      scoreCsv([row]),
      'consultation,note,clean,class,trace,severity,stratum,judge,replicate,score\n"a,""b""\n",=1+1,,,,,,j,1,\n'
    )
    assert.deepStrictEqual(JSON.parse(scoreJsonl([row])), row)
  })
  it.effect.skipIf(absent)("imports the shared sample and its judge run (skipped without ../shared/data)", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { consultations, report, scores } = yield* omissionBench.run(source, { scores: true })
        assert.deepStrictEqual(
          report.read.map(({ paired, rows }) => [rows, paired]),
          [
            [5, 5],
            [5, 5]
          ]
        )
        const noteIds = consultations.flatMap((one) => one.notes.map((note) => note.id))
        assert.isTrue(scores!.every((row) => noteIds.includes(row.note)))
        assert.deepStrictEqual(
          scores!.map((row) => row.score),
          [6, 3, 8, 8, 4]
        )
        const text = datasetText(consultations)
        const again = yield* omissionBench.run(source, { scores: true })
        assert.strictEqual(datasetText(again.consultations), text)
        assert.strictEqual(scoreCsv(again.scores!), scoreCsv(scores!))
        assert.deepStrictEqual((yield* readDataset(write(folder, "o.jsonl", text))).warnings, [])
        assert.strictEqual((yield* omissionBench.run(source, { evalOnly: true })).report.pairs, 4)
      })
    )
  )
})
