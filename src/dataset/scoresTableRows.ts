import { type Column, float64, Interner, int8, int32, uint32 } from "./scoresInterner.ts"

/** What `twin` says of a note whose rows say nothing of a twin, and of a clean one. */
export const notSaid = -1
export const isClean = -2

/** The scores of one replicate of a judge. */
export interface RunRows {
  readonly judge: string
  readonly replicate: string
  /** The number of the file in which its judge is named first. */
  readonly file: number
  readonly scores: Column<Float64Array>
  /** The place of the row, 0 for none. */
  readonly places: Column<Uint32Array>
}

interface File {
  readonly path: string
  readonly judge: string
  /** The greatest place before the file's first row; -1 before it has one. */
  before: number
}

const separator = "\u0000"

/**
 * What tables of scores say, as numbers. A place is that of a row among all rows of all files, from 1: a file's lines
 * follow on those of the file before it, so that one number is file and line.
 */
export class ScoreRows {
  readonly files: Array<File> = []
  readonly consultations = new Interner()
  /** Notes, in the group of their consultation. */
  readonly notes = new Interner()
  readonly strata = new Interner()
  readonly twin = int32(notSaid)
  /** Where the twin is named, if not in the note's first row. */
  readonly twinPlace = uint32(0)
  readonly codes = { class: int8(-1), trace: int8(-1), severity: int8(-1) }
  readonly stratum = int32(-1)
  readonly runs = new Map<string, RunRows>()
  rows = 0
  #greatest = 0
  #last: RunRows | undefined

  noteNumber(consultation: string, note: string): number {
    return this.notes.number(note, this.consultations.number(consultation))
  }

  noteName(note: number): string {
    return this.notes.text(note)
  }

  consultationName(note: number): string {
    return this.consultations.text(this.notes.group(note))
  }

  /** The place of a line; the files' rows come one file after the other. */
  place(file: number, line: number): number {
    const of = this.files[file]!
    if (of.before === -1) of.before = this.#greatest
    const place = of.before + line
    if (place > this.#greatest) this.#greatest = place
    return place
  }

  /** `file:line` of a place. */
  placeText(place: number): string {
    const { file, line } = this.fileOf(place)
    return `${this.files[file]!.path}:${line}`
  }

  fileOf(place: number): { readonly file: number; readonly line: number } {
    const file = this.files.findLastIndex(({ before }) => before !== -1 && before < place)
    return { file, line: place - this.files[file]!.before }
  }

  /** Where a note has its first row; 0 where it has none. */
  firstPlace(note: number): number {
    let first = 0
    for (const { places } of this.runs.values()) {
      const place = places.at(note)
      if (place !== 0 && (first === 0 || place < first)) first = place
    }
    return first
  }

  hasRow(note: number): boolean {
    for (const { places } of this.runs.values()) if (places.at(note) !== 0) return true
    return false
  }

  placeOfTwin(note: number): number {
    return this.twinPlace.at(note) || this.firstPlace(note)
  }

  /** The rows of a judge's replicate, made when they are first asked for. */
  run(judge: string, replicate: string, file: number): RunRows {
    if (this.#last?.judge === judge && this.#last.replicate === replicate) return this.#last
    const key = judge + separator + replicate
    let run = this.runs.get(key)
    if (run === undefined) {
      run = { judge, replicate, file, scores: float64(Number.NaN), places: uint32(0) }
      this.runs.set(key, run)
    }
    this.#last = run
    return run
  }
}
