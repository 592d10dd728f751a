import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { Pair } from "../../domain/Dataset.ts"
import { type InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { fileProblem } from "../fileProblem.ts"
import { readCsv } from "./csvRows.ts"
import { assemble, type Draft, draftReport } from "./drafts.ts"
import type { Imported, Importer, LeftOut } from "./Importer.ts"
import { readJsonRows } from "./jsonRows.ts"
import { mojibakeWarning } from "./mojibake.ts"
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
  readonly summaries: ReadonlyArray<Summary>
  readonly leftOut: ReadonlyArray<LeftOut>
}

const readJoined = Effect.fn("readJoined")(function* (
  file: string,
  name: string
): Effect.fn.Return<Source, InputError, FileSystem.FileSystem> {
  const rows = yield* readJsonRows(file, "the file of scored summaries", JoinedRow)
  return {
    files: [{ name, rows: rows.length }],
    summaries: rows.map(({ row, value }) => ({
      file: name,
      row,
      id: value.id,
      dialogueId: value.dialogue_id.trim(),
      dialogue: value.dialogue,
      reference: value.reference,
      automatic: value.automatic,
      omission: value.omission_rate,
      hallucination: value.hallucination_rate
    })),
    leftOut: []
  }
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
  scoreName: string
): Effect.fn.Return<Source, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const file = path.join(folder, scoreName)
  const summaries = yield* readCsv(path.join(folder, summaryName), "the table of summaries", {
    columns: summaryColumns
  })
  const scores = yield* readCsv(file, "the table of scores", { columns: scoreColumns })
  const length = (table: typeof summaries | typeof scores) => table.rows.length + table.blankRows.length
  if (length(summaries) !== length(scores)) {
    return yield* inputError({
      file,
      what: `the table of scores has not as many rows as ${summaryName}, to which it belongs row by row`,
      found: `${length(scores)}`,
      expected: `${length(summaries)}`
    })
  }
  const scoreOf = new Map(scores.rows.map((row) => [row.row, row]))
  const joined: Array<Summary> = []
  const leftOut: Array<LeftOut> = []
  const problems: Array<Problem> = []
  for (const row of summaries.blankRows) {
    const scored = scoreOf.has(row) ? `, and its row of ${scoreName} is not` : ""
    leftOut.push({ file: summaryName, row, reason: `every cell of the row is blank${scored}` })
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
    joined.push({
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
  return { files: [{ name: summaryName, rows: length(summaries) }], summaries: joined, leftOut }
})

const readSource = Effect.fn("readSource")(function* (
  source: string
): Effect.fn.Return<Source, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = Effect.mapError((error: Parameters<typeof fileProblem>[2]) =>
    inputError(fileProblem(source, "the MTS-Dialog file or folder", error))
  )
  if ((yield* fs.stat(source).pipe(failed)).type !== "Directory") {
    return yield* readJoined(source, path.basename(source))
  }
  const names = (yield* fs.readDirectory(source, { recursive: true }).pipe(failed)).sort()
  const named = (pattern: RegExp) => names.find((name) => pattern.test(path.basename(name)))
  const joined = named(/^human_scored_summaries\.jsonl$/)
  if (joined !== undefined) return yield* readJoined(path.join(source, joined), joined)
  const summaries = named(/Automatic-Summaries.*\.csv$/i)
  const scores = named(/Manual-Scores.*\.csv$/i)
  if (summaries !== undefined && scores !== undefined) return yield* readAligned(source, summaries, scores)
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

const run = Effect.fn("mtsDialog")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const { files, leftOut: notRead, summaries } = yield* readSource(source)
  const leftOut: Array<LeftOut> = [...notRead]
  const drafts = summaries.flatMap((one): ReadonlyArray<Draft> => {
    const leave = (reason: string) => {
      leftOut.push({ file: one.file, row: one.row, id: one.id, reason })
      return []
    }
    if (one.dialogueId === "") return leave("no dialogue is named")
    const labels = labelsOf(one.omission ?? 0, one.hallucination ?? 0)
    if (labels === undefined) {
      return one.omission === null || one.hallucination === null
        ? leave("a rate is absent (-1 in the source), and the other is zero or absent too")
        : leave("both rates are zero: no labelled flaw")
    }
    return [
      {
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
    ]
  })
  const made = assemble(drafts)
  const having = (test: (one: Summary) => boolean) => summaries.filter(test).length
  return {
    consultations: made.consultations,
    report: draftReport({
      format: "mts-dialog",
      files,
      consultations: made.consultations,
      kept: made.kept,
      leftOut: [...leftOut, ...made.leftOut],
      remarks: [
        "flawed = the automatic summary, clean = the reference; rows whose rates are both zero are no pairs",
        `class by the annotators' rates: "omission" where only OmissionRate is above zero, "addition" where only HallucinationRate is, "alteration" with the error type "${mixed}" where both are`,
        "what is missed is not named; the two sides are by different authors, and style and length may give the answer away (see data check)"
      ],
      warnings: [
        ...files.flatMap(({ name }) =>
          mojibakeWarning(
            name,
            summaries.map((one) => ({ row: one.row, texts: [one.dialogue, one.reference, one.automatic] }))
          )
        ),
        ...repeatWarning(made.kept)
      ],
      expected: [
        { what: "rows", expected: 400, found: summaries.length },
        { what: "dialogues", expected: 100, found: new Set(summaries.map((one) => one.dialogueId)).size },
        { what: "rows with omissions", expected: 256, found: having((one) => (one.omission ?? 0) > 0) },
        { what: "rows with hallucinations", expected: 33, found: having((one) => (one.hallucination ?? 0) > 0) },
        {
          what: "rows with both rates zero",
          expected: 128,
          found: having((one) => one.omission === 0 && one.hallucination === 0)
        },
        { what: "rows without an omission rate", expected: 2, found: having((one) => one.omission === null) }
      ]
    })
  }
})

export const mtsDialog: Importer = {
  name: "mts-dialog",
  describe: `MTS-Dialog's human-scored summaries: ${joinedFile}, or the folder with the tables of summaries and scores`,
  run
}
