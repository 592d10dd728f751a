import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { Consultation, Note, Pair } from "../../domain/Dataset.ts"
import { InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { checkConsultation } from "../check.ts"
import { fileProblem } from "../fileProblem.ts"
import { readTextFile } from "../textFile.ts"
import type { Imported, Importer, LeftOut } from "./Importer.ts"
import { type Row, readJsonRows } from "./jsonRows.ts"

export const omissionFile = "clinician_single_omission_pairs.jsonl"
export const errorFile = "clinician_single_error_pairs.jsonl"
const folder = "transcripts"

/** What a clinician listed as omitted or incorrect, and whether it was marked critical. */
export const Statement = Schema.Struct({ text: Schema.String, critical: Schema.NullOr(Schema.Boolean) })
export type Statement = typeof Statement.Type

const common = {
  id: Schema.NonEmptyString,
  consultation: Schema.NonEmptyString,
  flawed_note: Schema.NonEmptyString,
  clean_note: Schema.NonEmptyString
}

export const OmissionRow = Schema.Struct({
  ...common,
  omissions: Schema.NonEmptyArray(Statement),
  removed: Schema.NonEmptyString,
  /** Share of the removed passage's content words that stand elsewhere in the flawed note. */
  words_still_in_flawed_note: Schema.Finite.check(
    Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a number from 0 to 1" })
  )
})

export const ErrorRow = Schema.Struct({
  ...common,
  incorrect: Schema.NonEmptyArray(Statement),
  kind: Schema.NonEmptyString,
  restored: Schema.optionalKey(Schema.NullOr(Schema.String)),
  replaced: Schema.optionalKey(Schema.NullOr(Schema.String)),
  next_line_insert: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** `day1_consultation010`, as some sources write it, is `day1_consultation10`; two digits throughout. */
export const consultationId = (written: string): string => {
  const match = /^day0*(\d+)_consultation0*(\d+)$/.exec(written.trim())
  return match === null ? written.trim() : `day${match[1]}_consultation${match[2]!.padStart(2, "0")}`
}

/** Critical if any of the statements is; unknown where none says. */
export const severityOf = (statements: ReadonlyArray<Statement>): Pick<Pair, "severity"> =>
  statements.some((one) => one.critical === true)
    ? { severity: "critical" }
    : statements.some((one) => one.critical === false)
      ? { severity: "supporting" }
      : {}

export const factOf = (statements: ReadonlyArray<Statement>): string =>
  statements.map((one) => one.text.trim()).join("; ")

/** The pair that a row makes; its notes as texts still. */
interface Draft {
  readonly file: string
  readonly row: number
  readonly consultation: string
  readonly flawed: string
  readonly clean: string
  readonly pair: Omit<Pair, "flawed" | "clean">
}

export const omissionDraft = ({ row, value }: Row<typeof OmissionRow.Type>): Draft => ({
  file: omissionFile,
  row,
  consultation: consultationId(value.consultation),
  flawed: value.flawed_note,
  clean: value.clean_note,
  pair: {
    id: value.id,
    class: "omission",
    trace: value.words_still_in_flawed_note === 0 ? "complete" : "fragment",
    ...severityOf(value.omissions),
    fact: factOf(value.omissions),
    correctedSentence: value.removed
  }
})

const isGiven = (text: string | null | undefined): boolean => text !== null && text !== undefined && text.trim() !== ""

export const errorDraft = ({ row, value }: Row<typeof ErrorRow.Type>): Draft => {
  const corrected = [value.replaced, value.next_line_insert].find(isGiven)
  return {
    file: errorFile,
    row,
    consultation: consultationId(value.consultation),
    flawed: value.flawed_note,
    clean: value.clean_note,
    pair: {
      id: value.id,
      class: corrected === undefined ? "addition" : "alteration",
      ...severityOf(value.incorrect),
      fact: factOf(value.incorrect),
      errorType: value.kind,
      errorSentence: isGiven(value.restored) ? value.restored! : value.incorrect[0].text,
      ...(corrected === undefined || corrected === null ? {} : { correctedSentence: corrected })
    }
  }
}

/** One consultation of its drafts, in the order of the rows; a text that occurs twice is one note. */
const assemble = (id: string, transcript: string, drafts: ReadonlyArray<Draft>): Consultation => {
  const notes: Array<Note> = []
  const known = new Map<string, string>()
  const noteId = (text: string, kind: "clean" | "flawed"): string => {
    const present = known.get(text)
    if (present !== undefined) return present
    const own = `${kind}-${notes.filter((note) => note.id.startsWith(`${kind}-`)).length + 1}`
    known.set(text, own)
    notes.push({ id: own, text })
    return own
  }
  const pairs = drafts.map(({ clean, flawed, pair }): Pair => {
    const cleanId = noteId(clean, "clean")
    const { id: pairId, ...rest } = pair
    return { id: pairId, flawed: noteId(flawed, "flawed"), clean: cleanId, ...rest }
  })
  return { id, stratum: "primock57", language: "en-GB", transcript, notes, pairs }
}

const remarks = [
  'omissions: trace "complete" where none of the removed words is left in the flawed note, else "fragment" (unverified); rows whose words are all left are dropped, since the fact may still be stated',
  'errors: class "alteration" where the clean note says something else in its place (`replaced`, or a correction on the next line), else "addition"',
  'severity: "critical" and "supporting" as the clinician marked it; none for rows of kind checklist-single, which carry no mark',
  "the omitted or wrong content is the clinician's; the flawed note is constructed, and several pairs share one clean note"
]

const run = Effect.fn("primockPairs")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const omissions = yield* readJsonRows(path.join(source, omissionFile), "the file of omission pairs", OmissionRow)
  const errors = yield* readJsonRows(path.join(source, errorFile), "the file of error pairs", ErrorRow)
  const transcriptFolder = path.join(source, folder)
  const names = yield* fs
    .readDirectory(transcriptFolder)
    .pipe(Effect.mapError((error) => inputError(fileProblem(transcriptFolder, "the folder of transcripts", error))))
  const files = new Map(
    names.filter((name) => name.endsWith(".txt")).map((name) => [consultationId(name.slice(0, -4)), name])
  )

  const leftOut: Array<LeftOut> = []
  const kept = omissions.filter(({ row, value }) => {
    if (value.words_still_in_flawed_note < 1) return true
    leftOut.push({
      file: omissionFile,
      row,
      id: value.id,
      reason: "all content words of the omitted fact are still in the flawed note: it may be stated there"
    })
    return false
  })
  const drafts = [...kept.map(omissionDraft), ...errors.map(errorDraft)]
  const grouped = Map.groupBy(drafts, (draft) => draft.consultation)
  const ids = [...grouped.keys()].sort()

  const problems: Array<Problem> = []
  const consultations: Array<Consultation> = []
  for (const id of ids) {
    const some = grouped.get(id)!
    const name = files.get(id)
    if (name === undefined) {
      const first = some[0]!
      problems.push({
        file: path.join(source, first.file),
        line: first.row,
        field: "consultation",
        what: "there is no transcript of this consultation",
        found: showValue(id),
        expected: `a file ${id}.txt in ${transcriptFolder}`
      })
      continue
    }
    const transcript = yield* readTextFile(path.join(transcriptFolder, name), "the transcript")
    const consultation = assemble(id, transcript.trim(), some)
    consultations.push(consultation)
    for (const error of checkConsultation(consultation).errors) {
      const at = /^pairs\[(\d+)\]/.exec(error.field ?? "")?.[1]
      const draft = at === undefined ? undefined : some[Number(at)]
      problems.push({
        ...error,
        file: path.join(source, draft?.file ?? ""),
        ...(draft === undefined ? {} : { line: draft.row })
      })
    }
  }
  if (problems.length > 0) return yield* new InputError({ problems })

  for (const [id, name] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!grouped.has(id)) leftOut.push({ file: `${folder}/${name}`, id, reason: "the consultation has no pair" })
  }
  const paired = (file: string) => drafts.filter((draft) => draft.file === file).length
  return {
    consultations,
    report: {
      format: "primock-pairs",
      read: [
        { file: omissionFile, rows: omissions.length, paired: paired(omissionFile) },
        { file: errorFile, rows: errors.length, paired: paired(errorFile) }
      ],
      consultations: consultations.length,
      notes: consultations.reduce((sum, one) => sum + one.notes.length, 0),
      pairs: drafts.length,
      leftOut,
      remarks,
      expected: [
        { what: "transcripts", expected: 57, found: files.size },
        { what: `rows of ${omissionFile}`, expected: 186, found: omissions.length },
        { what: `rows of ${errorFile}`, expected: 163, found: errors.length },
        { what: "omission rows whose fact may still be stated", expected: 4, found: omissions.length - kept.length }
      ]
    }
  }
})

export const primockPairs: Importer = {
  name: "primock-pairs",
  describe: "Clinicians' single-error pairs of PriMock57: a folder with its two pair files and transcripts/",
  run
}
