import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { Pair } from "../../domain/Dataset.ts"
import { type InputError, inputError } from "../../domain/InputError.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import { fileProblem } from "../fileProblem.ts"
import { type CsvRow, readCsv } from "./csvRows.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import { blankRowsLeftOut, type Draft } from "./drafts.ts"
import type { Imported, Importer, ImportOptions } from "./Importer.ts"
import { mojibakeWarning } from "./mojibake.ts"
import { consultationId, factOf, type Statement, severityOf } from "./primockPairs.ts"
import { isCleanSide, isFlawedSide, noteText, readTrackedEdit, withLayoutOf } from "./primockResultsHtml.ts"
import { type Single, singlesOf } from "./primockResultsSingles.ts"
import { primockTranscripts } from "./primockTranscripts.ts"
import { wholePair, wholePairRemarks } from "./primockWholePair.ts"
import { repeatWarning } from "./repeats.ts"

const columns = ["Evaluator", "Consultation", "Model", "Model Note", "Post-edited note", "Omissions"] as const
/** Spelt in two ways. */
const incorrectColumn = "incorrect statements"

type Row = CsvRow<(typeof columns)[number]>

/**
 * The items of a list as a clinician typed it: `!` before a critical one, `-` before another. A line without a mark
 * goes on with the item above it; before the first mark it is an item of which nothing is known. A bare "nil" is none.
 */
export const listedStatements = (cell: string): ReadonlyArray<Statement> => {
  const items: Array<{ text: string; critical: boolean | null }> = []
  for (const line of cell.split(/\r\n|\n|\r/)) {
    const text = line.trim()
    const mark = /^([!-])\s*(.*)$/.exec(text)
    const last = items.at(-1)
    if (mark !== null) items.push({ text: mark[2]!, critical: mark[1] === "!" })
    else if (text === "") continue
    else if (last !== undefined) last.text = `${last.text} ${text}`.trim()
    else items.push({ text, critical: null })
  }
  return items.filter(
    ({ critical, text }) =>
      /[\p{L}\p{N}]/u.test(text) && !(critical === null && /^(?:nil|none|n\/?a|no)\.?$/i.test(text))
  )
}

const singlePair = (single: Single): Omit<Pair, "id" | "flawed" | "clean"> =>
  single.kind === "omission"
    ? {
        class: "omission",
        trace: single.trace ?? "restated",
        ...severityOf(single.statements),
        fact: factOf(single.statements),
        correctedSentence: single.edited,
        stratum: "primock57-single-omission"
      }
    : {
        class: single.corrected === undefined ? "addition" : "alteration",
        ...severityOf(single.statements),
        fact: factOf(single.statements),
        errorSentence: single.edited,
        ...(single.corrected === undefined ? {} : { correctedSentence: single.corrected }),
        stratum: "primock57-single-error"
      }

interface Made {
  readonly drafts: ReadonlyArray<Draft>
  /** Why the row has no pair. */
  readonly reason?: string
  readonly counts?: {
    readonly omissions: number
    readonly incorrect: number
    readonly inserted: number
    readonly deleted: number
    readonly restated: number
  }
}

const pairsOf = (
  file: string,
  { cells, row }: Row,
  incorrectCell: string,
  transcript: string | null,
  wanted: "all" | "whole" | "single"
): Made => {
  const edited = readTrackedEdit(cells["Post-edited note"])
  if ("reason" in edited) return { drafts: [], reason: edited.reason }
  const characters = withLayoutOf(edited.characters, cells["Model Note"].replaceAll("\u00a0", " "))
  if (characters === undefined)
    return { drafts: [], reason: "the post-edited note without its edits is not the model's note, white space aside" }
  const clean = noteText(characters.filter(isCleanSide))
  const flawed = noteText(characters.filter(isFlawedSide))
  const omissions = listedStatements(cells.Omissions)
  const incorrect = listedStatements(incorrectCell)
  const whole = wholePair({ omissions, incorrect, onlyRemoved: false })
  if (whole === undefined) return { drafts: [], reason: "neither an omission nor an incorrect statement is listed" }
  if (clean === flawed) return { drafts: [], reason: "the clinician's edit changes no word" }
  const consultation = consultationId(cells.Consultation)
  const id = `primock57|${consultation}|${cells.Model.trim()}|${cells.Evaluator.trim()}`
  const draft = (flawedText: string, pair: Omit<Pair, "flawed" | "clean">): Draft => ({
    file,
    row,
    consultation,
    stratum: "primock57",
    language: "en-GB",
    transcript,
    flawed: flawedText,
    clean,
    pair
  })
  const { singles, unmatched } = singlesOf(characters, { omissions, incorrect })
  const numbered = { omission: 0, error: 0 }
  const restated = singles.filter((one) => one.kind === "omission" && one.trace === undefined).length
  const single = singles.map((one) => {
    numbered[one.kind] += 1
    return draft(one.flawed, {
      id: `${id}|${one.kind === "omission" ? "o" : "x"}${numbered[one.kind]}`,
      ...singlePair(one)
    })
  })
  const drafts = [
    ...(wanted === "single" ? [] : [draft(flawed, { id, ...whole, stratum: "primock57-post-edit" })]),
    ...(wanted === "whole" ? [] : single)
  ]
  return {
    drafts,
    ...(drafts.length === 0 ? { reason: "no single edit is one of the listed items" } : {}),
    counts: { omissions: omissions.length, incorrect: incorrect.length, ...unmatched, restated }
  }
}

const findTable = Effect.fn("findTable")(function* (
  source: string
): Effect.fn.Return<string, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = Effect.mapError((error: Parameters<typeof fileProblem>[2]) =>
    inputError(fileProblem(source, "the table of results", error))
  )
  if ((yield* fs.stat(source).pipe(failed)).type !== "Directory") return source
  for (const name of ["results.csv", path.join("human_eval_data", "results.csv")]) {
    if (yield* fs.exists(path.join(source, name)).pipe(failed)) return path.join(source, name)
  }
  return yield* inputError({
    file: source,
    what: "the folder has no table of results",
    expected: "results.csv, or human_eval_data/results.csv"
  })
})

const run = Effect.fn("primockResults")(function* (
  source: string,
  options: ImportOptions = {}
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const wanted = options.pairs ?? "all"
  const tablePath = yield* findTable(source)
  const file = path.basename(tablePath)
  const table = yield* readCsv(tablePath, "the table of results", { columns })
  const incorrectName = table.header.find((name) => name.toLowerCase() === incorrectColumn)
  if (incorrectName === undefined) {
    return yield* inputError({
      file: tablePath,
      line: 1,
      what: 'the header has no column "Incorrect statements"',
      expected: "the columns of PriMock57's results.csv"
    })
  }

  const near = path.dirname(tablePath)
  let transcripts: ReadonlyMap<string, string> | undefined
  for (const folder of options.transcripts === undefined
    ? [path.join(near, "transcripts"), path.join(near, "..", "transcripts")]
    : [options.transcripts]) {
    transcripts ??= yield* primockTranscripts(folder)
  }
  if (transcripts === undefined && options.transcripts !== undefined) {
    return yield* inputError({ file: options.transcripts, what: "the folder of transcripts is not there" })
  }

  const drafts = new DraftSpool()
  drafts.file(file, table.rows.length + table.blankRows.length)
  for (const one of blankRowsLeftOut(file, table)) drafts.leave(one)
  const counts = { omissions: 0, incorrect: 0, inserted: 0, deleted: 0, restated: 0 }
  for (const row of table.rows) {
    const { cells } = row
    const consultation = consultationId(cells.Consultation)
    const id = `${consultation}|${cells.Model.trim()}|${cells.Evaluator.trim()}`
    const transcript = transcripts === undefined ? null : transcripts.get(consultation)
    if (consultation === "" || transcript === undefined) {
      const reason = consultation === "" ? "no consultation is named" : "there is no transcript of its consultation"
      drafts.leave({ file, row: row.row, id, reason })
      continue
    }
    const made = pairsOf(file, row, cells[incorrectName]!, transcript, wanted)
    for (const draft of made.drafts) drafts.add(draft)
    if (made.reason !== undefined) drafts.leave({ file, row: row.row, id, reason: made.reason })
    for (const name of Object.keys(counts) as Array<keyof typeof counts>) counts[name] += made.counts?.[name] ?? 0
  }

  // A row can make several pairs, and is counted once.
  const rows = new Set<number>()
  const made = drafts.assembled(({ row }) => rows.add(row))
  const counted = { ...made.counts, read: made.counts.read.map((one) => ({ ...one, paired: rows.size })) }
  return importedOf(
    { ...made, counts: counted },
    {
      format: "primock-results",
      remarks: [
        "both sides come from the post-edited note, so their layout is the same: flawed without insertions and with deletions, clean the other way round; line breaks that the editor lost or misplaced are put back as in the model's note",
        ...wholePairRemarks,
        ...(wanted === "whole"
          ? []
          : [
              'single pairs: the clean note without one insertion that is a listed omission (trace "complete" where none of its words is left, "restated" where all are, else "fragment", unverified), or with one deletion that is a listed incorrect statement ("alteration" where something else stands in its place or below it, else "addition"); three quarters of the content words must agree with the list',
              `listed: ${counts.omissions} omissions, ${counts.incorrect} incorrect statements; edits that are no listed item, or say otherwise what was deleted: ${counts.inserted} insertions, ${counts.deleted} deletions; omissions of which all words are left: ${counts.restated}`
            ]),
        "the pair's stratum is its kind; pairs of one note and of several evaluators belong together, so figures go by consultation"
      ],
      warnings: [
        ...(transcripts === undefined
          ? ["there is no folder of transcripts beside the table: the notes have none (name it with --transcripts)"]
          : []),
        ...mojibakeWarning(
          file,
          table.rows.map(({ cells, row }) => ({ row, texts: Object.values(cells) }))
        ),
        ...repeatWarning(made.repeats, made.counts.pairs)
      ],
      expected: [
        { what: "rows", expected: 1425, found: table.rows.length },
        {
          what: "rows on human notes",
          expected: 285,
          found: table.rows.filter(({ cells }) => cells.Model.trim() === "doctor").length
        },
        {
          what: "consultations named",
          expected: 57,
          found: new Set(table.rows.map(({ cells }) => consultationId(cells.Consultation))).size
        }
      ]
    }
  )
}, catchSpoolFailure)

export const primockResults: Importer = {
  name: "primock-results",
  describe: "Clinicians' post-edits of PriMock57: results.csv, or the repository's folder",
  heeds: ["pairs", "transcripts"],
  run
}
