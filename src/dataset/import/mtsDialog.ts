import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { Pair } from "../../domain/Dataset.ts"
import { type InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import { fileProblem } from "../fileProblem.ts"
import { readCsv, spoolCsv } from "./csvRows.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import type { Draft } from "./drafts.ts"
import type { Imported, Importer, LeftOut } from "./Importer.ts"
import { eachJsonRow } from "./jsonRows.ts"
import { mojibakeIn, mojibakeText, RowTally } from "./mojibake.ts"
import { mixed } from "./primockWholePair.ts"
import { repeatWarning } from "./repeats.ts"

const joinedFile = "human_scored_summaries.jsonl"
const summaryColumns = ["ID", "Dialogue", "Reference Summary", "Automatic Summary"] as const
const scoreColumns = ["HallucinationRate", "OmissionRate"] as const

const Rate = Schema.NullOr(
  Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a rate from 0 to 1, or null" }))
)

const JoinedRow = Schema.Struct({
  id: Schema.NonEmptyString,
  dialogue_id: Schema.NonEmptyString,
  dialogue: Schema.String,
  reference: Schema.String,
  automatic: Schema.String,
  hallucination_rate: Rate,
  omission_rate: Rate
})

interface Summary {
  readonly file: string
  readonly row: number
  readonly id: string
  readonly dialogueId: string
  readonly dialogue: string
  readonly reference: string
  readonly automatic: string
  /** Null where the annotators gave none. */
  readonly omission: number | null
  readonly hallucination: number | null
}

interface Source {
  readonly files: ReadonlyArray<{ readonly name: string; readonly rows: number }>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** Hands over the summaries one after the other; they are no part of a source that is refused afterwards. */
type OnSummary = (summary: Summary) => void

const readJoined = Effect.fn("readJoined")(function* (
  file: string,
  name: string,
  onSummary: OnSummary
): Effect.fn.Return<Source, InputError, FileSystem.FileSystem> {
  const rows = yield* eachJsonRow(file, "the file of scored summaries", JoinedRow, ({ row, value }) =>
    onSummary({
      file: name,
      row,
      id: value.id,
      dialogueId: value.dialogue_id.trim(),
      dialogue: value.dialogue,
      reference: value.reference,
      automatic: value.automatic,
      omission: value.omission_rate,
      hallucination: value.hallucination_rate
    })
  )
  return { files: [{ name, rows }], leftOut: [] }
})

/** A rate as a cell says it; null of -1, which stands for none. Undefined where it is no rate. */
const rateOf = (cell: string): number | null | undefined => {
  const text = cell.trim()
  const value = Number(text)
  if (text === "" || value === -1) return null
  return value >= 0 && value <= 1 ? value : undefined
}

/** The released tables belong together by row: the one of scores has no ids. */
const readAligned = Effect.fn("readAligned")(function* (
  folder: string,
  summaryName: string,
  scoreName: string,
  onSummary: OnSummary
): Effect.fn.Return<Source, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const file = path.join(folder, scoreName)
  const summaries = yield* spoolCsv(path.join(folder, summaryName), "the table of summaries", {
    columns: summaryColumns
  })
  const scores = yield* readCsv(file, "the table of scores", { columns: scoreColumns })
  const rows = summaries.rows.size + summaries.blankRows.length
  const scored = scores.rows.length + scores.blankRows.length
  if (rows !== scored) {
    return yield* inputError({
      file,
      what: `the table of scores has not as many rows as ${summaryName}, to which it belongs row by row`,
      found: `${scored}`,
      expected: `${rows}`
    })
  }
  const scoreOf = new Map(scores.rows.map((row) => [row.row, row]))
  const leftOut: Array<LeftOut> = []
  const problems: Array<Problem> = []
  for (const row of summaries.blankRows) {
    const beside = scoreOf.has(row) ? `, and its row of ${scoreName} is not` : ""
    leftOut.push({ file: summaryName, row, reason: `every cell of the row is blank${beside}` })
  }
  for (const { cells, row } of summaries.rows) {
    const score = scoreOf.get(row)
    if (score === undefined) {
      leftOut.push({ file: summaryName, row, id: cells.ID, reason: `its row of ${scoreName} is blank` })
      continue
    }
    const [omission, hallucination] = [rateOf(score.cells.OmissionRate), rateOf(score.cells.HallucinationRate)]
    for (const [field, value] of [
      ["OmissionRate", omission],
      ["HallucinationRate", hallucination]
    ] as const) {
      if (value !== undefined) continue
      problems.push({
        file,
        line: score.line,
        field,
        what: `row ${row} has no rate`,
        found: showValue(score.cells[field]),
        expected: "a number from 0 to 1, or -1 for none"
      })
    }
    onSummary({
      file: summaryName,
      row,
      id: `mts-auto-${String(row - 1).padStart(3, "0")}`,
      dialogueId: cells.ID.trim(),
      dialogue: cells.Dialogue,
      reference: cells["Reference Summary"],
      automatic: cells["Automatic Summary"],
      omission: omission ?? null,
      hallucination: hallucination ?? null
    })
  }
  if (problems.length > 0) return yield* inputError(...problems)
  return { files: [{ name: summaryName, rows }], leftOut }
})

const readSource = Effect.fn("readSource")(function* (
  source: string,
  onSummary: OnSummary
): Effect.fn.Return<Source, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = Effect.mapError((error: Parameters<typeof fileProblem>[2]) =>
    inputError(fileProblem(source, "the MTS-Dialog file or folder", error))
  )
  if ((yield* fs.stat(source).pipe(failed)).type !== "Directory") {
    return yield* readJoined(source, path.basename(source), onSummary)
  }
  const names = (yield* fs.readDirectory(source, { recursive: true }).pipe(failed)).sort()
  const named = (pattern: RegExp) => names.find((name) => pattern.test(path.basename(name)))
  const joined = named(/^human_scored_summaries\.jsonl$/)
  if (joined !== undefined) return yield* readJoined(path.join(source, joined), joined, onSummary)
  const summaries = named(/Automatic-Summaries.*\.csv$/i)
  const scores = named(/Manual-Scores.*\.csv$/i)
  if (summaries !== undefined && scores !== undefined) return yield* readAligned(source, summaries, scores, onSummary)
  return yield* inputError({
    file: source,
    what: "the folder has no scored summaries",
    expected: `${joinedFile}, or the tables MTS-Dialog-Automatic-Summaries-….csv and MTS-Dialog-…Manual-Scores….csv`
  })
})

const labelsOf = (
  omission: number,
  hallucination: number
): Pick<Pair, "class" | "errorType" | "stratum"> | undefined => {
  if (omission > 0 && hallucination > 0) {
    return { class: "alteration", errorType: mixed, stratum: "mts-dialog-mixed" }
  }
  if (omission > 0) return { class: "omission", stratum: "mts-dialog-omission" }
  if (hallucination > 0) return { class: "addition", stratum: "mts-dialog-hallucination" }
  return undefined
}

/** The pair of a summary, or why it makes none. */
const draftOf = (one: Summary): Draft | LeftOut => {
  const leave = (reason: string): LeftOut => ({ file: one.file, row: one.row, id: one.id, reason })
  if (one.dialogueId === "") return leave("no dialogue is named")
  const labels = labelsOf(one.omission ?? 0, one.hallucination ?? 0)
  if (labels === undefined) {
    return one.omission === null || one.hallucination === null
      ? leave("a rate is absent (-1 in the source), and the other is zero or absent too")
      : leave("both rates are zero: no labelled flaw")
  }
  return {
    file: one.file,
    row: one.row,
    consultation: `mts-validation-${one.dialogueId}`,
    stratum: "mts-dialog",
    language: "en",
    transcript: one.dialogue.trim(),
    flawed: one.automatic.trim(),
    clean: one.reference.trim(),
    pair: { id: one.id, ...labels }
  }
}

const run = Effect.fn("mtsDialog")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const drafts = new DraftSpool()
  const wronglyDecoded = new RowTally()
  const dialogues = new Set<string>()
  const rows = { omissions: 0, hallucinations: 0, neither: 0, withoutOmission: 0 }
  const { files, leftOut } = yield* readSource(source, (one) => {
    wronglyDecoded.add(one.row, mojibakeIn([one.dialogue, one.reference, one.automatic]))
    dialogues.add(one.dialogueId)
    if ((one.omission ?? 0) > 0) rows.omissions += 1
    if ((one.hallucination ?? 0) > 0) rows.hallucinations += 1
    if (one.omission === 0 && one.hallucination === 0) rows.neither += 1
    if (one.omission === null) rows.withoutOmission += 1
    drafts.take(draftOf(one))
  })
  for (const { name, rows } of files) drafts.file(name, rows)
  for (const one of leftOut) drafts.leave(one)
  const made = drafts.assembled()
  return importedOf(made, {
    format: "mts-dialog",
    remarks: [
      "flawed = the automatic summary, clean = the reference; rows whose rates are both zero are no pairs",
      `class by the annotators' rates: "omission" where only OmissionRate is above zero, "addition" where only HallucinationRate is, "alteration" with the error type "${mixed}" where both are`,
      "what is missed is not named; the two sides are by different authors, and style and length may give the answer away (see data check)"
    ],
    warnings: [
      ...files.flatMap(({ name }) => mojibakeText(name, wronglyDecoded)),
      ...repeatWarning(made.repeats, made.counts.pairs)
    ],
    expected: [
      { what: "rows", expected: 400, found: wronglyDecoded.rows },
      { what: "dialogues", expected: 100, found: dialogues.size },
      { what: "rows with omissions", expected: 256, found: rows.omissions },
      { what: "rows with hallucinations", expected: 33, found: rows.hallucinations },
      { what: "rows with both rates zero", expected: 128, found: rows.neither },
      { what: "rows without an omission rate", expected: 2, found: rows.withoutOmission }
    ]
  })
}, catchSpoolFailure)

export const mtsDialog: Importer = {
  name: "mts-dialog",
  describe: `MTS-Dialog's human-scored summaries: ${joinedFile}, or the folder with the tables of summaries and scores`,
  run
}
