import { counts, floats, ints, release } from "../statistics/largeArrays.ts"
import { rounded } from "./discrimination.ts"
import { isFlagged } from "./operatingPoint.ts"
import {
  distinctNotes,
  type JudgedNotes,
  labels,
  type NoteSet,
  pairOfEachFlawed,
  releaseUnless,
  select
} from "./scoredNotes.ts"

/** What is counted of the pairs of a consultation, in the order of its columns; severities as in the schema. */
const verdicts = ["bothCorrect", "pred1", "pred0", "bothWrong"] as const
export const pairColumns = {
  bothCorrect: 0,
  pred1: 1,
  pred0: 2,
  bothWrong: 3,
  /** One column a severity from here on: distinct flawed notes that are flagged, then those that are not. */
  flagged: verdicts.length,
  passed: verdicts.length + labels.severity.length
} as const
/** Columns with those of the severities. */
export const mostPairColumns = verdicts.length + 2 * labels.severity.length

/**
 * Consultations of one judge's replicate that are alike but for their names: they have notes of the same scores and pairs
 * of the same verdicts. A resample counts how often it draws each pattern, and not each consultation.
 */
export interface ConsultationPatterns {
  readonly count: number
  /** The pattern of each consultation that is drawn, in the order of those. */
  readonly patternOf: Uint8Array | Uint16Array | Int32Array
  /** Levels of scores: the distinct rounded scores, rising. The level after the last is that of a note without one. */
  readonly levels: number
  /** A score of each level. */
  readonly values: Float64Array
  /** Levels below this one are flagged. */
  readonly flaggedLevels: number
  /** Where the notes of pattern i begin in `level`; one more entry for the end. */
  readonly starts: Int32Array
  /** Of each judged note: its level, complemented for a clean note. */
  readonly level: Int32Array
  /** Pattern by pattern, `pairWidth` columns; those of severities are left out where no pair has one. */
  readonly pairs: Uint8Array | Uint16Array | Int32Array
  readonly pairWidth: number
}

/** The first place in rising values from which on they are not below the one given. */
const firstNotBelow = (sorted: Float64Array, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

type Sides = readonly [flawed: Int32Array, clean: Int32Array]

const distinctScores = (scores: Float64Array, sides: Sides): Float64Array => {
  const sorted = floats(sides[0].length + sides[1].length)
  let known = 0
  for (const side of sides)
    for (const note of side) if (!Number.isNaN(scores[note]!)) sorted[known++] = rounded(scores[note]!)
  sorted.subarray(0, known).sort()
  let distinct = 0
  for (let at = 0; at < known; at++)
    if (at === 0 || sorted[at] !== sorted[distinct - 1]) sorted[distinct++] = sorted[at]!
  const scoresOnce = sorted.slice(0, distinct)
  release(sorted)
  return scoresOnce
}

/** Means are of scores as they are, and not as they are compared. */
const scoresOfLevels = (scores: Float64Array, sides: Sides, levels: Float64Array): Float64Array => {
  let values = levels
  for (const side of sides) {
    for (const note of side) {
      const score = scores[note]!
      if (Number.isNaN(score) || rounded(score) === score) continue
      if (values === levels) values = levels.slice()
      values[firstNotBelow(levels, rounded(score))] = score
    }
  }
  return values
}

/** Counts of each row: pairs by the flags of their two notes, and flawed notes by flag and severity. */
const pairCounts = (
  set: NoteSet,
  { judged, scores }: JudgedNotes,
  pairs: Int32Array,
  threshold: number,
  rowOf: Int32Array,
  rows: number,
  width: number
) => {
  const row = (pair: number) => rowOf[set.consultation[set.pairs.flawed[pair]!]!]!
  const inRow = ints(rows)
  let most = 0
  for (const pair of pairs) {
    if (judged[set.pairs.flawed[pair]!] === 1) most = Math.max(most, ++inRow[row(pair)]!)
  }
  const table = counts(rows * width, most)
  const graded = pairOfEachFlawed(set, pairs)
  for (const pair of graded) {
    const note = set.pairs.flawed[pair]!
    const severity = set.pairs.severity[pair]!
    if (judged[note] !== 1 || severity < 0) continue
    const column = isFlagged(scores[note]!, threshold) ? pairColumns.flagged : pairColumns.passed
    table[row(pair) * width + severity + column]!++
  }
  releaseUnless(graded, pairs)
  for (const pair of pairs) {
    const [note, twin] = [set.pairs.flawed[pair]!, set.pairs.clean[pair]!]
    if (judged[note] !== 1 || judged[twin] !== 1) continue
    if (Number.isNaN(scores[note]!) || Number.isNaN(scores[twin]!)) continue
    const twinFlagged = isFlagged(scores[twin]!, threshold)
    const verdict = isFlagged(scores[note]!, threshold)
      ? twinFlagged
        ? "pred1"
        : "bothCorrect"
      : twinFlagged
        ? "bothWrong"
        : "pred0"
    table[row(pair) * width + pairColumns[verdict]]!++
  }
  return table
}

/** Up to so many are sorted by insertion: a view and a call for each of a million consultations take longer. */
const fewNotes = 32

const sortFew = (values: Int32Array, from: number, to: number): void => {
  for (let at = from + 1; at < to; at++) {
    const value = values[at]!
    let hole = at
    for (; hole > from && values[hole - 1]! > value; hole--) values[hole] = values[hole - 1]!
    values[hole] = value
  }
}

/** Judged notes row by row, each row's levels rising. */
const notesByRow = (
  set: NoteSet,
  scores: Float64Array,
  sides: Sides,
  sorted: Float64Array,
  rowOf: Int32Array,
  rows: number
) => {
  const row = (note: number) => rowOf[set.consultation[note]!]!
  const starts = ints(rows + 1)
  for (const side of sides) for (const note of side) starts[row(note) + 1]!++
  for (let at = 0; at < rows; at++) starts[at + 1]! += starts[at]!
  const level = ints(sides[0].length + sides[1].length)
  const filled = ints(rows)
  filled.set(starts.subarray(0, rows))
  sides.forEach((side, isClean) => {
    for (const note of side) {
      const score = scores[note]!
      const found = Number.isNaN(score) ? sorted.length : firstNotBelow(sorted, rounded(score))
      level[filled[row(note)]!++] = isClean === 1 ? ~found : found
    }
  })
  release(filled)
  for (let at = 0; at < rows; at++) {
    const [from, to] = [starts[at]!, starts[at + 1]!]
    if (to - from > fewNotes) level.subarray(from, to).sort()
    else sortFew(level, from, to)
  }
  return { level, starts }
}

/** Gathers rows that are alike: their patterns' numbers, and the first row of each. */
const gather = (level: Int32Array, starts: Int32Array, table: ArrayLike<number>, width: number) => {
  const rows = starts.length - 1
  const numberOf = ints(rows)
  const firsts = ints(rows)
  let size = 1 << 6
  while (size < 1.3 * rows) size *= 2
  // Numbers of patterns and 1; 0 for an empty slot.
  const slots = ints(size)
  const alike = (row: number, other: number): boolean => {
    const notes = starts[row + 1]! - starts[row]!
    if (starts[other + 1]! - starts[other]! !== notes) return false
    for (let at = 0; at < notes; at++) if (level[starts[row]! + at] !== level[starts[other]! + at]) return false
    for (let at = 0; at < width; at++) if (table[row * width + at] !== table[other * width + at]) return false
    return true
  }
  let count = 0
  for (let row = 0; row < rows; row++) {
    let hash = 0x811c9dc5
    for (let at = starts[row]!; at < starts[row + 1]!; at++) hash = Math.imul(hash ^ level[at]!, 0x01000193)
    for (let at = row * width; at < (row + 1) * width; at++) hash = Math.imul(hash ^ table[at]!, 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
    let slot = (hash ^ (hash >>> 13)) & (size - 1)
    while (slots[slot] !== 0 && !alike(row, firsts[slots[slot]! - 1]!)) slot = (slot + 1) & (size - 1)
    if (slots[slot] === 0) {
      firsts[count++] = row
      slots[slot] = count
    }
    numberOf[row] = slots[slot]! - 1
  }
  const patternOf = counts(rows, count)
  patternOf.set(numberOf)
  release(slots, numberOf)
  return { count, patternOf, firsts }
}

/**
 * The patterns of the consultations `clusters`, by number, of the pairs given and all clean notes. A note is flagged
 * below the threshold.
 */
export const consultationPatterns = (
  set: NoteSet,
  run: JudgedNotes,
  {
    clusters,
    pairs,
    threshold
  }: { readonly clusters: Int32Array; readonly pairs: Int32Array; readonly threshold: number }
): ConsultationPatterns => {
  const rows = clusters.length
  const rowOf = ints(set.consultations).fill(-1)
  for (let row = 0; row < rows; row++) rowOf[clusters[row]!] = row
  const wasJudged = (note: number) => run.judged[note] === 1
  const distinct = distinctNotes(set.pairs.flawed, pairs, run.scores.length)
  const sides = [select(distinct, wasJudged), select(set.clean, wasJudged)] as const
  const levels = distinctScores(run.scores, sides)
  const rowNotes = notesByRow(set, run.scores, sides, levels, rowOf, rows)
  const width = pairs.some((pair) => set.pairs.severity[pair]! >= 0) ? mostPairColumns : verdicts.length
  const table = pairCounts(set, run, pairs, threshold, rowOf, rows, width)
  const { count, firsts, patternOf } = gather(rowNotes.level, rowNotes.starts, table, width)
  const starts = ints(count + 1)
  for (let at = 0; at < count; at++)
    starts[at + 1] = starts[at]! + rowNotes.starts[firsts[at]! + 1]! - rowNotes.starts[firsts[at]!]!
  const level = ints(starts[count]!)
  const kept = table.slice(0, count * width)
  for (let at = 0; at < count; at++) {
    const row = firsts[at]!
    level.set(rowNotes.level.subarray(rowNotes.starts[row]!, rowNotes.starts[row + 1]!), starts[at]!)
    kept.set(table.subarray(row * width, (row + 1) * width), at * width)
  }
  const values = scoresOfLevels(run.scores, sides, levels)
  releaseUnless(sides[0], distinct)
  releaseUnless(sides[1], set.clean)
  release(distinct, rowOf, rowNotes.level, rowNotes.starts, table, firsts)
  return {
    count,
    patternOf,
    levels: levels.length,
    values,
    flaggedLevels: firstNotBelow(levels, threshold),
    starts,
    level,
    pairs: kept,
    pairWidth: width
  }
}
