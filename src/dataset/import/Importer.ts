import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { Consultation } from "../../domain/Dataset.ts"
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
  /** Figures known of the published source, against what was found. A difference is no error: it may be an excerpt. */
  readonly expected: ReadonlyArray<{ readonly what: string; readonly expected: number; readonly found: number }>
}

export interface Imported {
  readonly consultations: ReadonlyArray<Consultation>
  readonly report: ImportReport
}

/** Brings one public format to the dataset's. The same source gives the same consultations, in the same order. */
export interface Importer {
  /** As on the command line. */
  readonly name: string
  /** In one sentence: what it reads. */
  readonly describe: string
  readonly run: (source: string) => Effect.Effect<Imported, InputError, FileSystem.FileSystem | Path.Path>
}
