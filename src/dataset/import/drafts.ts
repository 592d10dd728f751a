import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { Consultation, Note, Pair } from "../../domain/Dataset.ts"
import { type InputError, inputError, showValue } from "../../domain/InputError.ts"
import { fileProblem } from "../fileProblem.ts"
import type { CsvTable } from "./csvRows.ts"
import type { LeftOut } from "./Importer.ts"

/** The pair that a row makes; its notes as texts still. */
export interface Draft {
  readonly file: string
  readonly row: number
  /** A second row of the file that the pair is made of. */
  readonly partner?: number
  readonly consultation: string
  readonly stratum?: string
  readonly language?: string
  readonly transcript: string | null
  readonly flawed: string
  readonly clean: string
  readonly pair: Omit<Pair, "flawed" | "clean">
}

/** A source's file: where it is, and its name in reports. */
export interface SourceFile {
  readonly path: string
  readonly name: string
}

/** The source itself if it is a file; of a folder, its files with one of the endings, subfolders too, by name. */
export const sourceFiles = Effect.fn("sourceFiles")(function* (
  source: string,
  what: string,
  endings: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<SourceFile>, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = Effect.mapError((error: Parameters<typeof fileProblem>[2]) =>
    inputError(fileProblem(source, what, error))
  )
  const info = yield* fs.stat(source).pipe(failed)
  // A pipe has no name of its own.
  if (info.type !== "Directory") return [{ path: source, name: info.type === "File" ? path.basename(source) : source }]
  const names = (yield* fs.readDirectory(source, { recursive: true }).pipe(failed))
    .filter((name) => endings.some((ending) => name.toLowerCase().endsWith(ending)))
    .sort()
  if (names.length > 0) return names.map((name) => ({ path: path.join(source, name), name }))
  return yield* inputError({ file: source, what: `the folder has no file that ends in ${endings.join(" or ")}` })
})

export const blankRowsLeftOut = (name: string, table: Pick<CsvTable, "blankRows">): ReadonlyArray<LeftOut> =>
  table.blankRows.map((row) => ({ file: name, row, reason: "every cell of the row is blank" }))

interface Open {
  readonly first: Draft
  readonly notes: Array<Note>
  readonly pairs: Array<Pair>
  readonly ids: Map<string, string>
  readonly rows: Map<string, Draft>
}

const place = (draft: Draft, other: Draft): string =>
  draft.file === other.file ? `row ${other.row}` : `${other.file}, row ${other.row}`

/** Why a draft cannot join the consultation that its id names; undefined where it can. */
const refusal = (draft: Draft, open: Open | undefined): string | undefined => {
  if (draft.flawed.trim() === "") return "the flawed note is blank"
  if (draft.clean.trim() === "") return "the clean note is blank"
  if (draft.flawed === draft.clean) return "the flawed note and the clean one have the same text"
  if (open === undefined) return undefined
  if (open.first.transcript !== draft.transcript)
    return `the transcript is not that of ${place(draft, open.first)}, which has the same consultation ${showValue(draft.consultation)}`
  if (open.first.language !== draft.language)
    return `the language is not that of ${place(draft, open.first)}, which has the same consultation`
  const twin = open.rows.get(draft.pair.id)
  if (twin !== undefined) return `the pair's id is that of ${place(draft, twin)}`
  return undefined
}

const noteId = (open: Open, text: string, kind: "clean" | "flawed"): string => {
  const present = open.ids.get(text)
  if (present !== undefined) return present
  const id = `${kind}-${open.notes.filter((note) => note.id.startsWith(kind)).length + 1}`
  open.ids.set(text, id)
  open.notes.push({ id, text })
  return id
}

/**
 * Consultations of drafts, in the order in which their first row comes; a text that a consultation has twice is one
 * note. Drafts that make no usable pair are in `leftOut`, every other in `kept`.
 */
export const assemble = (
  drafts: ReadonlyArray<Draft>
): {
  readonly consultations: ReadonlyArray<Consultation>
  readonly kept: ReadonlyArray<Draft>
  readonly leftOut: ReadonlyArray<LeftOut>
} => {
  const opened = new Map<string, Open>()
  const kept: Array<Draft> = []
  const leftOut: Array<LeftOut> = []
  for (const draft of drafts) {
    const known = opened.get(draft.consultation)
    const reason = refusal(draft, known)
    if (reason !== undefined) {
      leftOut.push({ file: draft.file, row: draft.row, id: draft.pair.id, reason })
      continue
    }
    const open: Open = known ?? { first: draft, notes: [], pairs: [], ids: new Map(), rows: new Map() }
    opened.set(draft.consultation, open)
    open.rows.set(draft.pair.id, draft)
    const clean = noteId(open, draft.clean, "clean")
    const flawed = noteId(open, draft.flawed, "flawed")
    const { id, ...rest } = draft.pair
    // A consultation's stratum is its first row's: a later row with another keeps its own.
    const own = draft.stratum === undefined || draft.stratum === open.first.stratum ? {} : { stratum: draft.stratum }
    open.pairs.push({ id, flawed, clean, ...rest, ...own })
    kept.push(draft)
  }
  const consultations = [...opened].map(
    ([id, { first, notes, pairs }]): Consultation => ({
      id,
      ...(first.stratum === undefined ? {} : { stratum: first.stratum }),
      ...(first.language === undefined ? {} : { language: first.language }),
      transcript: first.transcript,
      notes,
      pairs
    })
  )
  return { consultations, kept, leftOut }
}
