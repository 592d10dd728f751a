import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { Consultation, ErrorClass, Severity, Trace } from "../../domain/Dataset.ts"
import type { InputError } from "../../domain/InputError.ts"

/** A row that did not become a pair, or a consultation without pairs that was left out. */
export interface LeftOut {
  /** Relative to the source. */
  readonly file: string
  /** 1-based; of a JSONL file the line. Left out where the reason is about a whole file. */
  readonly row?: number
  readonly id?: string
  readonly reason: string
}

/** What an import made of its source. Each row read is counted as paired or is in `leftOut`: none is lost. */
export interface ImportReport {
  readonly format: string
  /** Rows by file, in the order they were read; blank lines are no rows. */
  readonly read: ReadonlyArray<{ readonly file: string; readonly rows: number; readonly paired: number }>
  readonly consultations: number
  readonly notes: number
  readonly pairs: number
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Rules that were applied, and what to know of the source. */
  readonly remarks: ReadonlyArray<string>
  /** What is odd in the source and was kept as it stands. */
  readonly warnings?: ReadonlyArray<string>
  /** What rows become in place of pairs, as "questions": `paired` of `read` then counts those. */
  readonly rowsBecome?: string
  /** Figures known of the published source, against what was found. A difference is no error: it may be an excerpt. */
  readonly expected: ReadonlyArray<{ readonly what: string; readonly expected: number; readonly found: number }>
}

/** Values to write as JSON, one a line. */
export interface OtherLines {
  /** As an error message names it: "the answerability questions". */
  readonly what: string
  readonly lines: ReadonlyArray<unknown>
}

/** A judge's score of a note, as `assize score --scores` reads it. */
export interface ScoreRow {
  readonly consultation: string
  readonly note: string
  /** The clean twin's note; empty of a clean note. */
  readonly clean: string
  readonly class?: ErrorClass
  readonly trace?: Trace
  readonly severity?: Severity
  readonly stratum?: string
  readonly judge: string
  readonly replicate: number
  /** Null where the judge's reply could not be read. */
  readonly score: number | null
}

export interface Imported {
  readonly consultations: ReadonlyArray<Consultation>
  /** The same, made one by one as they are asked for, of importers whose sources may be larger than memory. */
  readonly streamed?: Iterable<Consultation>
  readonly report: ImportReport
  /** What is written in place of a dataset, of a source whose entries are no pairs of notes. */
  readonly instead?: OtherLines
  /** What the dataset format has no place for, written to a file beside it: `out.jsonl` and `out.labels.jsonl`. */
  readonly beside?: OtherLines & { readonly name: string }
  /** What judges made of the notes, if it was asked for. */
  readonly scores?: ReadonlyArray<ScoreRow>
}

/** Which column of a table, or field of a JSON line, is which part of a pair; for some, a fixed value. */
export interface ColumnMapping {
  readonly consultation?: string
  readonly transcript?: string
  readonly flawed?: string
  readonly clean?: string
  /** A column, or one of the classes for all rows. */
  readonly class?: string
  readonly pair?: string
  readonly trace?: string
  readonly severity?: string
  readonly fact?: string
  readonly errorType?: string
  readonly errorSentence?: string
  readonly correctedSentence?: string
  /** A column, or else a fixed value; as is `language`. */
  readonly stratum?: string
  readonly language?: string
  /** A comma unless given. */
  readonly delimiter?: string
  /** The format's value by the table's, letter case aside: of the class, or of `trace:…` and `severity:…`. */
  readonly values: Readonly<Record<string, string>>
}

/** What the command line says of an import beside its source. */
export interface ImportOptions {
  /** How rows are paired; of `medec` only. */
  readonly pairing?: "in-place" | "recovery"
  readonly columns?: ColumnMapping
  /** Whole edited notes, single edits of them, or both; of the `primock` formats with clinicians' edits only. */
  readonly pairs?: "all" | "whole" | "single"
  /** The folder of transcripts, where it is not beside the source. */
  readonly transcripts?: string
  /** Read the judge runs too, into `scores`. */
  readonly scores?: boolean
  /** Leave out pairs that are not of the source's evaluation set. */
  readonly evalOnly?: boolean
}

/** Brings one public format to the dataset's. The same source gives the same consultations, in the same order. */
export interface Importer {
  /** As on the command line. */
  readonly name: string
  /** In one sentence: what it reads. */
  readonly describe: string
  /** The options that it heeds; any other is refused before it runs. */
  readonly heeds?: ReadonlyArray<keyof ImportOptions>
  readonly run: (
    source: string,
    options?: ImportOptions
  ) => Effect.Effect<Imported, InputError, FileSystem.FileSystem | Path.Path>
}
