import { type Problem, showValue } from "../domain/InputError.ts"
import type { JudgedNotes, NoteSet } from "../measure/scoredNotes.ts"
import { floats, ints, release } from "../statistics/largeArrays.ts"
import type { Column } from "./scoresInterner.ts"
import { byName, orderOf, placesIn } from "./scoresOrder.ts"
import type { ScoreTables } from "./scoresTable.ts"
import type { RunRows, ScoreRows } from "./scoresTableRows.ts"

const shown = 3
/** How often the rows already taken are forgotten. */
const clearEach = 1 << 17

type Report = (file: number, line: number | undefined, problem: Problem) => void

const check = (
  rows: ScoreRows,
  problems: ReadonlyArray<Problem>,
  wanted: "needed" | "optional",
  report: Report
): void => {
  // A row that was refused is no missing row: its mistake is told, not what follows from it.
  const complete = problems.length === 0
  const at = (place: number, problem: Problem): void => {
    const { file, line } = rows.fileOf(place)
    report(file, line, problem)
  }
  let pairs = 0
  for (let note = 0; note < rows.notes.size; note++) {
    if (!rows.hasRow(note)) continue
    const twin = rows.twin.at(note)
    if (twin < 0) {
      const label = (["class", "trace", "severity"] as const).find((field) => rows.codes[field].at(note) !== -1)
      if (label === undefined) continue
      at(rows.firstPlace(note), {
        field: "clean",
        what: `the note ${showValue(rows.noteName(note))} has a ${label} and no clean twin`,
        expected: "the id of its clean twin in the same consultation, or no class, trace and severity for a clean note"
      })
      continue
    }
    pairs++
    if (!complete || (rows.hasRow(twin) && rows.twin.at(twin) < 0)) continue
    const names = `the clean twin ${showValue(rows.noteName(twin))} of the note ${showValue(rows.noteName(note))}`
    at(
      rows.placeOfTwin(note),
      rows.hasRow(twin)
        ? {
            field: "clean",
            what: `${names} is a flawed note itself: its own row names a twin`,
            expected: "a clean note"
          }
        : {
            field: "clean",
            what: `${names} has no row in the consultation ${showValue(rows.consultationName(twin))}`,
            hint: "Add the twin's row; without its score there is no pair"
          }
    )
  }
  if (problems.length > 0) return
  if (rows.rows === 0) report(rows.files.length - 1, undefined, { what: "the table has no rows" })
  else if (pairs === 0 && wanted === "needed") {
    report(0, undefined, {
      field: "clean",
      what: "no row names a clean twin, so there are no pairs to measure",
      expected: "in each row of a flawed note, the id of its clean twin in the same consultation"
    })
  }
}

/** What a judge has no row of, though another has: its pairs are left out of that judge's figures. */
const gaps = (rows: ScoreRows, { judge, places, replicate }: RunRows): ReadonlyArray<Problem> => {
  const missing: Array<number> = []
  let count = 0
  for (let note = 0; note < rows.notes.size; note++) {
    if (places.at(note) !== 0) continue
    count++
    if (missing.length < shown) missing.push(note)
  }
  if (count === 0) return []
  const named = missing.map(
    (note) =>
      `${showValue(rows.noteName(note))} of ${showValue(rows.consultationName(note))} (${rows.placeText(rows.firstPlace(note))})`
  )
  return [
    {
      what: `${showValue(judge)}, replicate ${replicate}, has no score of ${count} of the notes, and their pairs are left out: ${named.join(", ")}${count > shown ? ", …" : ""}`
    }
  ]
}

/**
 * The notes by consultation, its clean ones first, each by its id; and the strata by name. Sums and resamples then do
 * not depend on the order of the rows.
 */
const ordered = (rows: ScoreRows) => {
  const { consultations, notes, strata, twin } = rows
  const clusters = orderOf(consultations.size, (one, other) => consultations.compare(one, other))
  const cluster = clusters === undefined ? undefined : placesIn(clusters)
  const clusterOf = (note: number) => (cluster === undefined ? notes.group(note) : cluster[notes.group(note)]!)
  const order = orderOf(
    notes.size,
    (one, other) =>
      clusterOf(one) - clusterOf(other) ||
      Number(twin.at(one) >= 0) - Number(twin.at(other) >= 0) ||
      notes.compare(one, other)
  )
  const consultation = ints(notes.size)
  for (let at = 0; at < consultation.length; at++) consultation[at] = clusterOf(order?.[at] ?? at)
  release(...[clusters, cluster].filter((one) => one !== undefined))
  const names = Array.from({ length: strata.size }, (_, stratum) => strata.text(stratum))
  const sorted = names.toSorted(byName)
  return { consultation, order, strata: sorted, stratumOf: names.map((name) => sorted.indexOf(name)) }
}

const noteSet = (rows: ScoreRows, { consultation, order, strata, stratumOf }: ReturnType<typeof ordered>): NoteSet => {
  const count = consultation.length
  const old = (at: number) => order?.[at] ?? at
  let flawedNotes = 0
  for (let note = 0; note < count; note++) if (rows.twin.at(note) >= 0) flawedNotes++
  const flawed = ints(flawedNotes)
  const clean = ints(count - flawedNotes)
  let nextFlawed = 0
  let nextClean = 0
  for (let at = 0; at < count; at++) {
    if (rows.twin.at(old(at)) >= 0) flawed[nextFlawed++] = at
    else clean[nextClean++] = at
  }
  const places = order === undefined ? undefined : placesIn(order)
  const twins = ints(flawedNotes)
  for (let pair = 0; pair < flawedNotes; pair++) {
    const twin = rows.twin.at(old(flawed[pair]!))
    twins[pair] = places?.[twin] ?? twin
  }
  const code = (column: Column<Int8Array>) => {
    const codes = new Int8Array(flawedNotes)
    for (let pair = 0; pair < flawedNotes; pair++) codes[pair] = column.at(old(flawed[pair]!))
    column.clear()
    return codes
  }
  const stratum = ints(flawedNotes)
  for (let pair = 0; pair < flawedNotes; pair++) {
    const own = rows.stratum.at(old(flawed[pair]!))
    stratum[pair] = stratumOf[own === -1 ? rows.stratum.at(old(twins[pair]!)) : own] ?? -1
  }
  if (places !== undefined) release(places)
  rows.stratum.clear()
  rows.twin.clear()
  rows.twinPlace.clear()
  return {
    consultation,
    consultations: (consultation.at(-1) ?? -1) + 1,
    clean,
    pairs: {
      flawed,
      clean: twins,
      class: code(rows.codes.class),
      trace: code(rows.codes.trace),
      severity: code(rows.codes.severity),
      stratum
    },
    strata
  }
}

const judgedNotes = (run: RunRows, count: number, order: Int32Array | undefined): JudgedNotes => {
  const judged = new Uint8Array(count)
  for (let at = 0; at < count; at++) judged[at] = run.places.at(order?.[at] ?? at) === 0 ? 0 : 1
  run.places.clear()
  const scores = floats(count)
  for (let at = 0; at < count; at++) {
    scores[at] = run.scores.at(order?.[at] ?? at)
    if (order === undefined && at % clearEach === 0) run.scores.clear(at)
  }
  run.scores.clear()
  return { judge: run.judge, replicate: run.replicate, scores, judged }
}

/**
 * The tables that the rows make, or undefined where `problems`, to which `report` adds, says why there are none. Takes
 * the rows apart as it goes, so that a note is not held twice.
 */
export const finishTables = (
  rows: ScoreRows,
  problems: ReadonlyArray<Problem>,
  wanted: "needed" | "optional",
  report: Report
): ScoreTables | undefined => {
  check(rows, problems, wanted, report)
  if (problems.length > 0) return undefined
  const fileOf = new Map<string, number>()
  for (const { file, judge } of rows.runs.values()) if (!fileOf.has(judge)) fileOf.set(judge, file)
  const runs = [...rows.runs.values()].sort(
    (one, other) =>
      fileOf.get(one.judge)! - fileOf.get(other.judge)! ||
      byName(one.judge, other.judge) ||
      byName(one.replicate, other.replicate)
  )
  const warnings = runs.flatMap((run) => gaps(rows, run))
  const arranged = ordered(rows)
  rows.consultations.clear()
  rows.notes.clear()
  const set = noteSet(rows, arranged)
  const judged = runs.map((run) => judgedNotes(run, arranged.consultation.length, arranged.order))
  if (arranged.order !== undefined) release(arranged.order)
  return { set, rows: rows.rows, runs: judged, warnings }
}
