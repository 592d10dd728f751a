import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { ErrorClass } from "../../domain/Dataset.ts"
import { hashOf } from "../../domain/hash.ts"
import { type InputError, inputError, showValue } from "../../domain/InputError.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import { type Draft, sourceFiles } from "./drafts.ts"
import type { Imported, Importer, LeftOut } from "./Importer.ts"
import { eachJsonRow } from "./jsonRows.ts"
import { mojibakeIn, mojibakeText, RowTally } from "./mojibake.ts"

const Row = Schema.Struct({
  Question: Schema.NonEmptyString,
  Knowledge: Schema.Union([Schema.Array(Schema.String), Schema.String]),
  "Ground Truth": Schema.String,
  "Difficulty Level": Schema.optionalKey(Schema.NullOr(Schema.String)),
  "Hallucinated Answer": Schema.String,
  "Category of Hallucination": Schema.NullOr(Schema.String)
})

/** The class by the category, trimmed and in lower case. */
const classes: Readonly<Record<string, ErrorClass>> = {
  "incomplete information": "omission",
  "misinterpretation of question": "alteration",
  "misinterpretation of #question#": "alteration",
  "mechanism and pathway misattribution": "alteration",
  "methodological and evidence fabrication": "addition"
}

const published = [1000, 9000, 10_000]

/** The pair of a row, or why it makes none. */
const draftOf = (file: string, row: number, value: typeof Row.Type): Draft | LeftOut => {
  const knowledge = [value.Knowledge].flat().map((part) => part.trim())
  const category = value["Category of Hallucination"]?.trim() ?? ""
  const named = Object.hasOwn(classes, category.toLowerCase())
    ? classes[category.toLowerCase() as keyof typeof classes]
    : undefined
  const hash = hashOf([value.Question, knowledge]).slice(0, 12)
  if (named === undefined) return { file, row, id: hash, reason: `the category ${showValue(category)} has no class` }
  const difficulty = value["Difficulty Level"]?.trim().toLowerCase() ?? ""
  return {
    file,
    row,
    consultation: `medhallu-${hash}`,
    stratum: difficulty === "" ? "medhallu" : `medhallu-${difficulty}`,
    language: "en",
    transcript: `Question: ${value.Question.trim()}\n\n${knowledge.join("\n")}`,
    flawed: value["Hallucinated Answer"].trim(),
    clean: value["Ground Truth"].trim(),
    pair: {
      id: hashOf([value["Hallucinated Answer"], value["Ground Truth"]]).slice(0, 12),
      class: named,
      errorType: category
    }
  }
}

const run = Effect.fn("medHallu")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  if (/\.parquet$/i.test(source)) {
    return yield* inputError({
      file: source,
      what: "is a Parquet file",
      expected: "JSON, one row a line",
      hint: "Convert it, for example: python -c \"import pandas as p; p.read_parquet('in.parquet').to_json('out.jsonl', orient='records', lines=True)\""
    })
  }
  const drafts = new DraftSpool()
  const warnings: Array<string> = []
  let all = 0
  for (const { name, path } of yield* sourceFiles(source, "the MedHallu file or folder", [".jsonl", ".ndjson"])) {
    const wronglyDecoded = new RowTally()
    const rows = yield* eachJsonRow(path, "the MedHallu file", Row, ({ row, value }) => {
      wronglyDecoded.add(
        row,
        mojibakeIn([
          value.Question,
          [value.Knowledge].flat().join("\n"),
          value["Ground Truth"],
          value["Hallucinated Answer"]
        ])
      )
      drafts.take(draftOf(name, row, value))
    })
    drafts.file(name, rows)
    all += rows
    warnings.push(...mojibakeText(name, wronglyDecoded))
  }
  return importedOf(drafts.assembled(), {
    format: "medhallu",
    remarks: [
      "flawed = Hallucinated Answer, clean = Ground Truth; transcript = the question and then Knowledge, without which an answer cannot be judged",
      "class by category: Incomplete Information is an omission, Methodological and Evidence Fabrication an addition, the others alterations",
      "ids are hashes of question and knowledge, and of the answers, since the source has none; difficulty is the stratum",
      "the two sides are by different authors: style and length may give the answer away (see data check)"
    ],
    warnings,
    expected: [
      {
        what: "rows (1,000 labelled, 9,000 artificial, or both)",
        expected: published.find((size) => all <= size) ?? 10_000,
        found: all
      }
    ]
  })
}, catchSpoolFailure)

export const medHallu: Importer = {
  name: "medhallu",
  describe: "MedHallu as JSON, one row a line: a file, or a folder with some",
  run
}
