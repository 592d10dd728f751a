import { type Problem, showValue } from "../domain/InputError.ts"
import { nearest } from "../domain/nearest.ts"
import { type JudgedNotes, labels, type NoteSet } from "../measure/scoredNotes.ts"
import { type Column, float64, Interner, int8, int32, uint16 } from "./scoresInterner.ts"

/** The columns of a table of scores; the first two and the last are mandatory. */
export const scoreColumns = [
  "consultation",
  "note",
  "clean",
  "class",
  "trace",
  "severity",
  "stratum",
  "judge",
  "replicate",
  "score"
] as const
export type ScoreColumn = (typeof scoreColumns)[number]
export const mandatoryColumns = ["consultation", "note", "score"] as const satisfies ReadonlyArray<ScoreColumn>

/** One row. What is left out is not said; an empty `clean` says that the note is a clean one. */
export interface ScoreRow {
  readonly consultation: string
  readonly note: string
  readonly clean?: string
  readonly class?: string
  readonly trace?: string
  readonly severity?: string
  readonly stratum?: string
  readonly judge?: string
  readonly replicate?: string
  /** NaN for a judgement that could not be read. */
  readonly score: number
}

/** Scores of judges on notes, from one or several tables. */
export interface ScoreTables {
  readonly set: NoteSet
  /** In the order of their first rows; the replicates of a judge together. */
  readonly runs: ReadonlyArray<JudgedNotes>
  readonly rows: number
  readonly warnings: ReadonlyArray<Problem>
}

/** The first so many problems are kept; more would only be counted. */
const mostProblems = 1000
const shown = 3
const notSaid = -1
const isClean = -2

interface Run {
  readonly judge: string
  readonly replicate: string
  readonly scores: Column<Float64Array>
  /** Where the row stands, 0 for none. */
  readonly lines: Column<Int32Array>
  readonly files: Column<Uint16Array>
}

const separator = "\u0000"

/** Takes the rows of tables one after the other and keeps numbers only. */
export class ScoreTablesBuilder {
  readonly problems: Array<Problem> = []
  readonly #files: Array<{ readonly path: string; readonly judge: string }> = []
  readonly #consultations = new Interner()
  /** `number of the consultation NUL note`. */
  readonly #notes = new Interner()
  readonly #strata = new Interner()
  readonly #consultation = int32(-1)
  readonly #twin = int32(notSaid)
  /** Where a note has its first row, and where its twin is named. */
  readonly #line = int32(0)
  readonly #file = uint16(0)
  readonly #twinLine = int32(0)
  readonly #twinFile = uint16(0)
  readonly #codes = { class: int8(-1), trace: int8(-1), severity: int8(-1) }
  readonly #stratum = int32(-1)
  readonly #runs = new Map<string, Run>()
  #rows = 0
  #last: { readonly judge: string; readonly replicate: string; readonly run: Run } | undefined

  /** Announces a file; its rows name it by the number given back. `judge` is the name of the judge where a row gives none. */
  file(path: string, judge: string): number {
    return this.#files.push({ path, judge }) - 1
  }

  problem(file: number, line: number | undefined, problem: Problem): void {
    if (this.problems.length >= mostProblems) return
    this.problems.push({ file: this.#files[file]!.path, ...(line === undefined ? {} : { line }), ...problem })
  }

  add(file: number, line: number, row: ScoreRow): void {
    this.#rows++
    const problem = this.#take(file, line, row)
    if (problem !== undefined) this.problem(file, line, problem)
  }

  /** Keeps a row, or says why it cannot. */
  #take(file: number, line: number, row: ScoreRow): Problem | undefined {
    const say = (field: ScoreColumn, problem: Problem): Problem => ({ field, ...problem })
    const { consultation, note } = row
    if (consultation === "") return say("consultation", { what: "the row names no consultation" })
    if (note === "") return say("note", { what: "the row names no note" })
    if (`${consultation}${note}${row.clean ?? ""}`.includes(separator)) {
      return say("note", { what: "an id holds a NUL character" })
    }
    if (row.clean === note) {
      return say("clean", { what: `the note ${showValue(note)} is named as its own clean twin` })
    }
    const number = this.#noteNumber(consultation, note)
    if (this.#line.at(number) === 0) {
      this.#line.set(number, line)
      this.#file.set(number, file)
    }
    if (row.clean !== undefined) {
      const twin = row.clean === "" ? isClean : this.#noteNumber(consultation, row.clean)
      const known = this.#twin.at(number)
      if (known === notSaid) {
        this.#twin.set(number, twin)
        this.#twinLine.set(number, line)
        this.#twinFile.set(number, file)
      } else if (known !== twin) {
        return say("clean", {
          what: `the note ${showValue(note)} has another clean twin here than at ${this.#placeOf(this.#twinFile.at(number), this.#twinLine.at(number))}`,
          found: row.clean === "" ? "none" : showValue(row.clean),
          expected: known === isClean ? "none" : showValue(this.#name(known).note)
        })
      }
    }
    for (const field of ["class", "trace", "severity"] as const) {
      const value = row[field]
      if (value === undefined || value === "") continue
      const choices: ReadonlyArray<string> = labels[field]
      const code = choices.indexOf(value)
      const known = this.#codes[field].at(number)
      if (code === -1) {
        const close = nearest(value, choices)
        return say(field, {
          what: `is none of the ${field === "severity" ? "severities" : `${field}${field === "class" ? "es" : "s"}`}`,
          found: showValue(value),
          expected: choices.join(", "),
          hint: close === undefined ? "Put labels of your own into the column stratum" : `Did you mean ${close}?`
        })
      }
      if (known !== -1 && known !== code) {
        return say(field, {
          what: `the note ${showValue(note)} has another ${field} in an earlier row`,
          found: value,
          expected: choices[known]!
        })
      }
      this.#codes[field].set(number, code)
    }
    if (row.stratum !== undefined && row.stratum !== "") {
      const stratum = this.#strata.number(row.stratum)
      const known = this.#stratum.at(number)
      if (known !== -1 && known !== stratum) {
        return say("stratum", {
          what: `the note ${showValue(note)} has another stratum in an earlier row`,
          found: showValue(row.stratum),
          expected: showValue(this.#strata.text(known))
        })
      }
      this.#stratum.set(number, stratum)
    }
    const run = this.#run(row.judge || this.#files[file]!.judge, row.replicate || "1")
    const earlier = run.lines.at(number)
    if (earlier !== 0) {
      return say("note", {
        what: `${showValue(run.judge)}, replicate ${run.replicate}, has a score of the note ${showValue(note)} of ${showValue(consultation)} already, at ${this.#placeOf(run.files.at(number), earlier)}`,
        hint: "Take one of the rows out, or tell them apart by the columns judge and replicate"
      })
    }
    run.lines.set(number, line)
    run.files.set(number, file)
    run.scores.set(number, row.score)
    return undefined
  }

  /** The tables, or undefined where `problems` says why there are none. */
  finish(wanted: "needed" | "optional" = "needed"): ScoreTables | undefined {
    const notes = this.#notes.size
    // A row that was refused is no missing row: its mistake is told, not what follows from it.
    const complete = this.problems.length === 0
    const twin = this.#twin.toArray(notes)
    const clean = int32(-1)
    const pairs = int32(-1)
    for (let note = 0; note < notes; note++) {
      const at = this.#line.at(note)
      if (at === 0) continue
      const place = [this.#file.at(note), at] as const
      if (twin[note]! >= 0) {
        pairs.set(pairs.length, note)
        if (complete) this.#checkTwin(note, twin)
        continue
      }
      clean.set(clean.length, note)
      const label = (["class", "trace", "severity"] as const).find((field) => this.#codes[field].at(note) !== -1)
      if (label !== undefined) {
        this.problem(...place, {
          field: "clean",
          what: `the note ${showValue(this.#name(note).note)} has a ${label} and no clean twin`,
          expected:
            "the id of its clean twin in the same consultation, or no class, trace and severity for a clean note"
        })
      }
    }
    if (this.#rows === 0 && this.problems.length === 0) {
      this.problem(this.#files.length - 1, undefined, { what: "the table has no rows" })
    } else if (pairs.length === 0 && wanted === "needed" && this.problems.length === 0) {
      this.problem(0, undefined, {
        field: "clean",
        what: "no row names a clean twin, so there are no pairs to measure",
        expected: "in each row of a flawed note, the id of its clean twin in the same consultation"
      })
    }
    if (this.problems.length > 0) return undefined

    const flawed = pairs.toArray(pairs.length)
    const code = (column: Column<Int8Array>) => new Int8Array(flawed.length).map((_, pair) => column.at(flawed[pair]!))
    const set: NoteSet = {
      consultation: this.#consultation.toArray(notes),
      consultations: this.#consultations.size,
      clean: clean.toArray(clean.length),
      pairs: {
        flawed,
        clean: flawed.map((note) => twin[note]!),
        class: code(this.#codes.class),
        trace: code(this.#codes.trace),
        severity: code(this.#codes.severity),
        stratum: flawed.map((note) => {
          const own = this.#stratum.at(note)
          return own === -1 ? this.#stratum.at(twin[note]!) : own
        })
      },
      strata: Array.from({ length: this.#strata.size }, (_, stratum) => this.#strata.text(stratum))
    }
    const order = [...new Set([...this.#runs.values()].map(({ judge }) => judge))]
    const runs = [...this.#runs.values()].sort((one, other) => order.indexOf(one.judge) - order.indexOf(other.judge))
    return {
      set,
      rows: this.#rows,
      runs: runs.map(({ judge, lines, replicate, scores }) => ({
        judge,
        replicate,
        scores: scores.toArray(notes),
        judged: new Uint8Array(notes).map((_, note) => (lines.at(note) === 0 ? 0 : 1))
      })),
      warnings: runs.flatMap((run) => this.#gaps(run, notes))
    }
  }

  #checkTwin(note: number, twin: Int32Array): void {
    const of = twin[note]!
    const place = [this.#twinFile.at(note), this.#twinLine.at(note)] as const
    const names = `the clean twin ${showValue(this.#name(of).note)} of the note ${showValue(this.#name(note).note)}`
    if (this.#line.at(of) === 0) {
      this.problem(...place, {
        field: "clean",
        what: `${names} has no row in the consultation ${showValue(this.#name(of).consultation)}`,
        hint: "Add the twin's row; without its score there is no pair"
      })
    } else if (twin[of]! >= 0) {
      this.problem(...place, {
        field: "clean",
        what: `${names} is a flawed note itself: its own row names a twin`,
        expected: "a clean note"
      })
    }
  }

  /** What a judge has no row of, though another has: its pairs are left out of that judge's figures. */
  #gaps({ judge, lines, replicate }: Run, notes: number): ReadonlyArray<Problem> {
    const missing: Array<number> = []
    let count = 0
    for (let note = 0; note < notes; note++) {
      if (lines.at(note) !== 0) continue
      count++
      if (missing.length < shown) missing.push(note)
    }
    if (count === 0) return []
    const named = missing.map((note) => {
      const { consultation, note: id } = this.#name(note)
      return `${showValue(id)} of ${showValue(consultation)} (${this.#placeOf(this.#file.at(note), this.#line.at(note))})`
    })
    return [
      {
        what: `${showValue(judge)}, replicate ${replicate}, has no score of ${count} of the notes, and their pairs are left out: ${named.join(", ")}${count > shown ? ", …" : ""}`
      }
    ]
  }

  #noteNumber(consultation: string, note: string): number {
    const cluster = this.#consultations.number(consultation)
    const number = this.#notes.number(`${cluster}${separator}${note}`)
    this.#consultation.set(number, cluster)
    return number
  }

  #name(number: number): { readonly consultation: string; readonly note: string } {
    const text = this.#notes.text(number)
    const at = text.indexOf(separator)
    return { consultation: this.#consultations.text(Number(text.slice(0, at))), note: text.slice(at + 1) }
  }

  #placeOf(file: number, line: number): string {
    return `${this.#files[file]!.path}:${line}`
  }

  #run(judge: string, replicate: string): Run {
    if (this.#last?.judge === judge && this.#last.replicate === replicate) return this.#last.run
    const key = judge + separator + replicate
    let run = this.#runs.get(key)
    if (run === undefined) {
      run = { judge, replicate, scores: float64(Number.NaN), lines: int32(0), files: uint16(0) }
      this.#runs.set(key, run)
    }
    this.#last = { judge, replicate, run }
    return run
  }
}
