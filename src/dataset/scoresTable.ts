import { type Problem, showValue } from "../domain/InputError.ts"
import { nearest } from "../domain/nearest.ts"
import { type JudgedNotes, labels, type NoteSet } from "../measure/scoredNotes.ts"
import { finishTables } from "./scoresTableFinish.ts"
import { isClean, notSaid, ScoreRows } from "./scoresTableRows.ts"

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
  /**
   * Judges by the table that names them first, then by name; the replicates of a judge together, by number or name.
   * Like the order of the notes, it says nothing of the order of the rows.
   */
  readonly runs: ReadonlyArray<JudgedNotes>
  readonly rows: number
  readonly warnings: ReadonlyArray<Problem>
}

const labelled = ["class", "trace", "severity"] as const
const nul = "\u0000"

/** The first so many problems are kept; more would only be counted. */
const mostProblems = 1000
/** As many as are read and measured in less than 300 MB, at some forty-five bytes each. */
const mostNotes = 4_000_000
const mostIdBytes = 2 ** 30
/** Each is measured and resampled on its own; more than this is a column taken for another. */
const mostRuns = 2000

const grouped = (count: number): string => count.toLocaleString("en-US")

/** Takes the rows of tables one after the other and keeps numbers only. */
export class ScoreTablesBuilder {
  readonly problems: Array<Problem> = []
  readonly #rows = new ScoreRows()
  #full: Problem | undefined

  /** Announces a file; its rows name it by the number given back. `judge` is the name of the judge where a row gives none. */
  file(path: string, judge: string): number {
    return this.#rows.files.push({ path, judge, before: -1 }) - 1
  }

  /** Whether the tables are too large, and no further row is looked at. */
  get full(): boolean {
    return this.#full !== undefined
  }

  problem(file: number, line: number | undefined, problem: Problem): void {
    if (this.problems.length >= mostProblems) return
    const { path } = this.#rows.files[file]!
    this.problems.push({ file: path, ...(line === undefined ? {} : { line }), ...problem })
  }

  add(file: number, line: number, row: ScoreRow): void {
    if (this.full) return
    this.#rows.rows++
    const problem = this.#take(file, line, row) ?? this.#tooLarge()
    if (problem !== undefined) this.problem(file, line, problem)
  }

  /** Keeps a row, or says why it cannot. */
  #take(file: number, line: number, row: ScoreRow): Problem | undefined {
    const rows = this.#rows
    const { consultation, note } = row
    if (consultation === "") return { field: "consultation", what: "the row names no consultation" }
    if (note === "") return { field: "note", what: "the row names no note" }
    if (consultation.includes(nul) || note.includes(nul) || row.clean?.includes(nul)) {
      return { field: "note", what: "an id holds a NUL character" }
    }
    if (row.clean === note) {
      return { field: "clean", what: `the note ${showValue(note)} is named as its own clean twin` }
    }
    const place = rows.place(file, line)
    const number = rows.noteNumber(consultation, note)
    let isTwinNew = false
    const refuse = (field: ScoreColumn, problem: Problem): Problem => {
      // What a refused row says of the note stays, and later rows may not gainsay it.
      if (isTwinNew) rows.twinPlace.set(number, place)
      return { field, ...problem }
    }
    if (row.clean !== undefined) {
      const twin = row.clean === "" ? isClean : rows.noteNumber(consultation, row.clean)
      const known = rows.twin.at(number)
      if (known === notSaid) {
        rows.twin.set(number, twin)
        isTwinNew = true
        if (rows.hasRow(number)) rows.twinPlace.set(number, place)
      } else if (known !== twin) {
        return refuse("clean", {
          what: `the note ${showValue(note)} has another clean twin here than at ${rows.placeText(rows.placeOfTwin(number))}`,
          found: row.clean === "" ? "none" : showValue(row.clean),
          expected: known === isClean ? "none" : showValue(rows.noteName(known))
        })
      }
    }
    for (const field of labelled) {
      const value = row[field]
      if (value === undefined || value === "") continue
      const choices: ReadonlyArray<string> = labels[field]
      const code = choices.indexOf(value)
      const known = rows.codes[field].at(number)
      if (code === -1) {
        const close = nearest(value, choices)
        return refuse(field, {
          what: `is none of the ${field === "severity" ? "severities" : `${field}${field === "class" ? "es" : "s"}`}`,
          found: showValue(value),
          expected: choices.join(", "),
          hint: close === undefined ? "Put labels of your own into the column stratum" : `Did you mean ${close}?`
        })
      }
      if (known !== -1 && known !== code) {
        return refuse(field, {
          what: `the note ${showValue(note)} has another ${field} in an earlier row`,
          found: value,
          expected: choices[known]!
        })
      }
      rows.codes[field].set(number, code)
    }
    if (row.stratum !== undefined && row.stratum !== "") {
      const stratum = rows.strata.number(row.stratum)
      const known = rows.stratum.at(number)
      if (known !== -1 && known !== stratum) {
        return refuse("stratum", {
          what: `the note ${showValue(note)} has another stratum in an earlier row`,
          found: showValue(row.stratum),
          expected: showValue(rows.strata.text(known))
        })
      }
      rows.stratum.set(number, stratum)
    }
    const run = rows.run(row.judge || rows.files[file]!.judge, row.replicate || "1", file)
    const earlier = run.places.at(number)
    if (earlier !== 0) {
      return refuse("note", {
        what: `${showValue(run.judge)}, replicate ${run.replicate}, has a score of the note ${showValue(note)} of ${showValue(consultation)} already, at ${rows.placeText(earlier)}`,
        hint: "Take one of the rows out, or tell them apart by the columns judge and replicate"
      })
    }
    run.places.set(number, place)
    run.scores.set(number, row.score)
    return undefined
  }

  /** Tables that memory would not hold are refused at the row with which they grow too large. */
  #tooLarge(): Problem | undefined {
    const { consultations, notes, runs, strata } = this.#rows
    if (notes.size > mostNotes) {
      this.#full = {
        what: `the tables hold more than ${grouped(mostNotes)} notes, which is the most that are measured together`,
        hint: "Take a sample of the consultations, or measure their strata one by one"
      }
    } else if (consultations.bytes + notes.bytes + strata.bytes > mostIdBytes) {
      this.#full = { what: "the ids take more than 1 GiB", hint: "Name consultations and notes by shorter ids" }
    } else if (runs.size > mostRuns) {
      this.#full = {
        what: `the tables hold more than ${grouped(mostRuns)} judges and replicates`,
        hint: "Look at the columns judge and replicate: they name a judge and its repetition, not the row"
      }
    }
    return this.#full
  }

  /** The tables, or undefined where `problems` says why there are none. The builder is of no use afterwards. */
  finish(wanted: "needed" | "optional" = "needed"): ScoreTables | undefined {
    return finishTables(this.#rows, this.problems, wanted, (file, line, problem) => this.problem(file, line, problem))
  }
}
