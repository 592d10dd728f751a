import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { type InputError, inputError } from "../../domain/InputError.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import type { Draft } from "./drafts.ts"
import type { Imported, Importer, ImportOptions, LeftOut } from "./Importer.ts"
import { type Row, readJsonRows } from "./jsonRows.ts"
import {
  consultationId,
  ErrorRow,
  errorDraft,
  errorFile,
  OmissionRow,
  omissionDraft,
  omissionFile,
  Statement
} from "./primockPairs.ts"
import { primockTranscripts } from "./primockTranscripts.ts"
import { wholePair, wholePairRemarks } from "./primockWholePair.ts"
import { repeatWarning } from "./repeats.ts"

const wholeFile = "clinician_pairs.jsonl"
const kinds = ["post-edit", "checklist"] as const

const WholeRow = Schema.Struct({
  id: Schema.NonEmptyString,
  consultation: Schema.NonEmptyString,
  flawed_note: Schema.NonEmptyString,
  clean_note: Schema.NonEmptyString,
  omissions: Schema.Array(Statement),
  incorrect: Schema.Array(Statement),
  kind: Schema.Literals(kinds)
})

/** A draft but for what its consultation gives it. */
type Part = Omit<Draft, "transcript" | "language" | "stratum">

const wholePart = ({ row, value }: Row<typeof WholeRow.Type>): Part | LeftOut => {
  const pair = wholePair({ ...value, onlyRemoved: value.kind === "checklist" })
  if (pair === undefined) {
    return { file: wholeFile, row, id: value.id, reason: "neither an omission nor an incorrect statement is listed" }
  }
  return {
    file: wholeFile,
    row,
    consultation: consultationId(value.consultation),
    flawed: value.flawed_note,
    clean: value.clean_note,
    pair: { id: value.id, ...pair, stratum: `primock57-${value.kind}` }
  }
}

const omissionPart = (row: Row<typeof OmissionRow.Type>): Part => {
  const draft = omissionDraft(row)
  return {
    ...draft,
    pair: {
      ...draft.pair,
      ...(row.value.words_still_in_flawed_note === 1 ? { trace: "restated" } : {}),
      stratum: "primock57-single-omission"
    }
  }
}

const errorPart = (row: Row<typeof ErrorRow.Type>): Part => {
  const draft = errorDraft(row)
  return { ...draft, pair: { ...draft.pair, stratum: "primock57-single-error" } }
}

const run = Effect.fn("primockClinicianPairs")(function* (
  source: string,
  options: ImportOptions = {}
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const chosen = options.pairs ?? "all"
  const parts: Array<Part> = []
  const leftOut: Array<LeftOut> = []
  const files: Array<{ name: string; rows: number }> = []
  const take = (name: string, made: ReadonlyArray<Part | LeftOut>) => {
    files.push({ name, rows: made.length })
    for (const one of made) {
      if ("reason" in one) leftOut.push(one)
      else parts.push(one)
    }
  }
  if (chosen !== "single") {
    take(wholeFile, (yield* readJsonRows(path.join(source, wholeFile), "the file of pairs", WholeRow)).map(wholePart))
  }
  if (chosen !== "whole") {
    const omissions = yield* readJsonRows(path.join(source, omissionFile), "the file of omission pairs", OmissionRow)
    const errors = yield* readJsonRows(path.join(source, errorFile), "the file of error pairs", ErrorRow)
    take(omissionFile, omissions.map(omissionPart))
    take(errorFile, errors.map(errorPart))
  }

  const folder = options.transcripts ?? path.join(source, "transcripts")
  const transcripts = yield* primockTranscripts(folder)
  if (transcripts === undefined) {
    return yield* inputError({
      file: folder,
      what: "the folder of transcripts is not there",
      hint: "Name it with --transcripts"
    })
  }
  const drafts = new DraftSpool()
  for (const { name, rows } of files) drafts.file(name, rows)
  for (const one of leftOut) drafts.leave(one)
  for (const part of parts) {
    const transcript = transcripts.get(part.consultation)
    if (transcript !== undefined) drafts.add({ ...part, stratum: "primock57", language: "en-GB", transcript })
    else {
      const reason = "there is no transcript of its consultation"
      drafts.leave({ file: part.file, row: part.row, id: part.pair.id, reason })
    }
  }
  const pairsOf = new Map<string, number>()
  const made = drafts.assembled(({ file }) => pairsOf.set(file, (pairsOf.get(file) ?? 0) + 1))
  const rowsOf = (name: string) => files.find((file) => file.name === name)?.rows
  const published = [
    { name: wholeFile, expected: 60 },
    { name: omissionFile, expected: 186 },
    { name: errorFile, expected: 163 }
  ]
  return importedOf(made, {
    format: "primock-clinician-pairs",
    remarks: [
      ...(chosen === "single" ? [] : wholePairRemarks),
      ...(chosen === "single"
        ? []
        : [
            'checklist: class "addition", no severity (the sheets give none); the clean note is constructed by leaving the incorrect statements out, and is not complete'
          ]),
      ...(chosen === "whole"
        ? []
        : [
            'single omissions: trace "complete" where none of the removed words is left in the flawed note, "restated" where all are (the fact may still be stated: no item for a test), else "fragment" (unverified)',
            'single errors: class "alteration" where the clean note says something else in its place, else "addition"'
          ]),
      "the pair's stratum is its kind; several pairs share a flawed or a clean note, so figures go by consultation"
    ],
    warnings: repeatWarning(made.repeats, made.counts.pairs),
    expected: published.flatMap(({ expected, name }) => {
      const found = rowsOf(name)
      return found === undefined
        ? []
        : [
            { what: `rows of ${name}`, expected, found },
            {
              what: `pairs of ${name}`,
              expected,
              found: pairsOf.get(name) ?? 0
            }
          ]
    })
  })
}, catchSpoolFailure)

export const primockClinicianPairs: Importer = {
  name: "primock-clinician-pairs",
  describe: "All pairs of clinicians on PriMock57: whole notes, single omissions and single errors, from their folder",
  heeds: ["pairs", "transcripts"],
  run
}
