import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Consultation } from "../../domain/Dataset.ts"
import { InputError, inputError, type Problem } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { cleanTexts, halfCharacter, parseJson } from "../parseJson.ts"
import { readTextFile } from "../textFile.ts"
import { readCsv } from "./csvRows.ts"
import { blankRowsLeftOut, type SourceFile, sourceFiles } from "./drafts.ts"
import type { Imported, Importer, ImportReport, LeftOut } from "./Importer.ts"
import { readJsonRows } from "./jsonRows.ts"
import { mojibakeWarning } from "./mojibake.ts"

const csvColumns = ["dataset", "encounter_id", "dialogue", "note"] as const

const Line = Schema.Struct({
  id: Schema.NonEmptyString,
  split: Schema.optionalKey(Schema.String),
  dataset: Schema.optionalKey(Schema.String),
  dialogue: Schema.String,
  note: Schema.String,
  omissionbench_partition: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Document = Schema.Struct({
  data: Schema.Array(Schema.Struct({ src: Schema.String, tgt: Schema.String, file: Schema.NonEmptyString }))
})

/** The published encounters by split. */
const published: Readonly<Record<string, number>> = {
  train: 67,
  valid: 20,
  clinicalnlp_taskB_test1: 40,
  clinicalnlp_taskC_test2: 40,
  clef_taskC_test3: 40
}

interface Encounter {
  readonly file: string
  readonly row: number
  readonly id: string
  readonly dialogue: string
  readonly note: string
  readonly dataset?: string | undefined
  readonly split?: string | undefined
  readonly partition?: string | undefined
}

interface Read {
  readonly rows: number
  readonly encounters: ReadonlyArray<Encounter>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** A file that is there and holds no encounters. */
const otherFile = (file: string, reason: string): Read => ({ rows: 0, encounters: [], leftOut: [{ file, reason }] })

const splitOf = (name: string): string | undefined => {
  const stem = name
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.[a-z]+$/i, "")
  return Object.keys(published).find((split) => stem === split || stem.startsWith(`${split}_`))
}

const readLines = Effect.fn("readLines")(function* ({ name, path }: SourceFile) {
  const rows = yield* readJsonRows(path, "the file of encounters", Line)
  return {
    rows: rows.length,
    encounters: rows.map(({ row, value }) => ({
      file: name,
      row,
      ...value,
      id: value.id.trim(),
      partition: value.omissionbench_partition ?? undefined
    })),
    leftOut: []
  } satisfies Read
})

const readTable = Effect.fn("readTable")(function* ({ name, path }: SourceFile) {
  if (/_metadata\.csv$/i.test(name)) return otherFile(name, "a table of metadata: the dataset has no place for it")
  const table = yield* readCsv(path, "the table of encounters")
  const missing = csvColumns.filter((column) => !table.header.includes(column))
  if (missing.length > 0) return otherFile(name, `no table of encounters: it has no column ${missing.join(", ")}`)
  return {
    rows: table.rows.length + table.blankRows.length,
    encounters: table.rows.map(({ cells, row }) => ({
      file: name,
      row,
      id: cells.encounter_id!.trim(),
      dialogue: cells.dialogue!,
      note: cells.note!,
      dataset: cells.dataset,
      split: splitOf(name)
    })),
    leftOut: blankRowsLeftOut(name, table)
  } satisfies Read
})

const readDocument = Effect.fn("readDocument")(function* ({ name, path }: SourceFile) {
  if (/_(?:subjective|objective_exam|objective_results|assessment_and_plan)\.json$/i.test(name))
    return otherFile(name, "holds notes by section, not whole notes")
  const parsed = parseJson(yield* readTextFile(path, "the file of encounters"))
  if (Result.isFailure(parsed)) return yield* inputError({ ...parsed.failure, file: path })
  const cleaned = cleanTexts(parsed.success)
  const half = halfCharacter(cleaned)
  if (half !== undefined) return yield* inputError({ ...half, file: path })
  const document = cleaned.value
  const decoded = Schema.decodeUnknownResult(Document, { errors: "all" })(document)
  if (Result.isFailure(decoded)) {
    const problems: ReadonlyArray<Problem> = schemaProblems(decoded.failure.issue, document, Document.ast).map(
      ({ problem }) => ({ ...problem, file: path })
    )
    return yield* new InputError({ problems })
  }
  return {
    rows: decoded.success.data.length,
    encounters: decoded.success.data.map(({ file, src, tgt }, at) => {
      // "D2N087-aci": the encounter, and in which way its dialogue was recorded.
      const [id, dataset] = [file.split("-")[0]!.trim(), file.split("-").slice(1).join("-")]
      return { file: name, row: at + 1, id, dialogue: src, note: tgt, dataset, split: splitOf(name) }
    }),
    leftOut: []
  } satisfies Read
})

/** The dialogues.jsonl of a folder, or else its tables, or else its JSON files; so that no encounter comes twice. */
const chosenFiles = Effect.fn("chosenFiles")(function* (
  source: string
): Effect.fn.Return<ReadonlyArray<SourceFile>, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const folder of [path.join(source, "data", "challenge_data"), path.join(source, "challenge_data")]) {
    if (!(yield* Effect.orElseSucceed(fs.exists(folder), () => false))) continue
    const inside = path.relative(source, folder)
    return (yield* sourceFiles(folder, "the folder of encounters", [".csv"])).map((file) => ({
      ...file,
      name: path.join(inside, file.name)
    }))
  }
  const files = yield* sourceFiles(source, "the ACI-Bench file or folder", [".jsonl", ".csv", ".json"])
  if (files.length === 1) return files
  for (const ending of [".jsonl", ".csv", ".json"]) {
    const some = files.filter(({ name }) => name.toLowerCase().endsWith(ending))
    if (some.length > 0) return some
  }
  return files
})

const run = Effect.fn("aciBench")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const read: Array<ImportReport["read"][number]> = []
  const leftOut: Array<LeftOut> = []
  const kept = new Map<string, Encounter>()
  const warnings: Array<string> = []
  for (const file of yield* chosenFiles(source)) {
    const {
      encounters,
      leftOut: notRead,
      rows
    } = yield* /\.csv$/i.test(file.name)
      ? readTable(file)
      : /\.json$/i.test(file.name)
        ? readDocument(file)
        : readLines(file)
    for (const one of notRead) leftOut.push(one)
    let taken = 0
    for (const one of encounters) {
      const first = kept.get(one.id)
      const reason =
        one.id === ""
          ? "no encounter is named"
          : one.note.trim() === ""
            ? "the note is blank"
            : one.dialogue.trim() === ""
              ? "the dialogue is blank"
              : first === undefined
                ? undefined
                : `the encounter is there already (${first.file === one.file ? "" : `${first.file}, `}row ${first.row}${first.dialogue === one.dialogue && first.note === one.note ? "" : "; another variant"})`
      if (reason !== undefined) {
        leftOut.push({ file: one.file, row: one.row, id: one.id, reason })
        continue
      }
      kept.set(one.id, one)
      taken += 1
    }
    read.push({ file: file.name, rows, paired: taken })
    warnings.push(
      ...mojibakeWarning(
        file.name,
        encounters.map((one) => ({ row: one.row, texts: [one.dialogue, one.note] }))
      )
    )
  }
  const encounters = [...kept.values()]
  if (encounters.length === 0) {
    return yield* inputError({ file: source, what: "holds no encounter", expected: "files of ACI-Bench" })
  }
  const consultations = encounters.map(
    ({ dataset, dialogue, id, note }): Consultation => ({
      id,
      stratum: dataset === undefined || dataset.trim() === "" ? "aci-bench" : `aci-bench-${dataset.trim()}`,
      language: "en-US",
      transcript: dialogue.trim(),
      notes: [{ id: "clean-1", text: note.trim() }],
      pairs: []
    })
  )
  const used = encounters.filter((one) => one.partition !== undefined)
  const excerpt = encounters.every((one) => one.file.endsWith(".jsonl"))
  const splits = Object.entries(published).map(([split, number]) => ({
    what: `encounters of ${split}`,
    expected: excerpt ? 8 : number,
    found: encounters.filter((one) => one.split === split).length
  }))
  return {
    consultations,
    report: {
      format: "aci-bench",
      read,
      consultations: consultations.length,
      notes: consultations.length,
      pairs: 0,
      leftOut,
      remarks: [
        "clean notes only: there are no flawed ones, and the dataset has no pairs until some are made",
        "an encounter's variants (another recording or transcription) are one consultation: the first that comes is taken"
      ],
      warnings: [
        ...warnings,
        ...(used.length === 0
          ? []
          : [
              `${used.length} of the encounters are OmissionBench's too (${used.map((one) => `${one.id} ${one.partition}`).join(", ")}): exclude them where OmissionBench is a holdout`
            ])
      ],
      rowsBecome: "clean notes",
      expected: [
        { what: "encounters", expected: excerpt ? 40 : 207, found: encounters.length },
        ...(encounters.some((one) => one.split !== undefined) ? splits : [])
      ]
    }
  }
})

export const aciBench: Importer = {
  name: "aci-bench",
  describe: "ACI-Bench's clean notes: dialogues.jsonl, a table or JSON file of the release, or a folder with some",
  run
}
