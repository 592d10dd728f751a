import { ErrorClass, Severity, Trace } from "../domain/Dataset.ts"
import { floats, ints, release } from "../statistics/largeArrays.ts"

/** The labels of pairs as small numbers: the place in the schema's list, -1 where a pair has none. */
export const labels = { class: ErrorClass.literals, trace: Trace.literals, severity: Severity.literals } as const

/**
 * Notes and pairs without a word of their texts, in columns, so that a million of them fit. Notes and consultations are
 * known by their numbers here.
 */
export interface NoteSet {
  /** The consultation of each note, numbered in the order of their names (`clusterNumbers`), which resampling goes by. */
  readonly consultation: Int32Array
  readonly consultations: number
  /** The distinct clean notes. */
  readonly clean: Int32Array
  /** One entry a pair; `flawed` and `clean` are notes. Several pairs may share either. */
  readonly pairs: {
    readonly flawed: Int32Array
    readonly clean: Int32Array
    readonly class: Int8Array
    readonly trace: Int8Array
    readonly severity: Int8Array
    /** The place in `strata`, -1 for none. */
    readonly stratum: Int32Array
  }
  readonly strata: ReadonlyArray<string>
}

/** What one replicate of a judge made of the notes. */
export interface JudgedNotes {
  readonly judge: string
  readonly replicate: string
  /** One a note; NaN where there is none. */
  readonly scores: Float64Array
  /** 1 where the judge gave a judgement of the note: without a score, it could not be read. 0: never judged, or the call failed. */
  readonly judged: Uint8Array
}

/**
 * The numbers that are wanted; the very array where all are. Two passes and one array: the lists that `filter` builds
 * weigh more than the notes themselves.
 */
export const select = (numbers: Int32Array, wanted: (number: number) => boolean): Int32Array => {
  let count = 0
  for (let at = 0; at < numbers.length; at++) if (wanted(numbers[at]!)) count++
  if (count === numbers.length) return numbers
  const selected = ints(count)
  let next = 0
  for (let at = 0; at < numbers.length; at++) if (wanted(numbers[at]!)) selected[next++] = numbers[at]!
  return selected
}

/** A value of each number. A list of numbers would weigh more than the notes, and be garbage a moment later. */
export const valuesOf = (numbers: Int32Array, value: (number: number) => number): Float64Array => {
  const values = floats(numbers.length)
  for (let at = 0; at < numbers.length; at++) values[at] = value(numbers[at]!)
  return values
}

/** Numbers of the pairs of the classes asked for; of all when none is named. */
export const pairsOf = (set: NoteSet, classes?: ReadonlyArray<ErrorClass>): Int32Array => {
  const wanted = classes?.map((one) => labels.class.indexOf(one))
  const all = ints(set.pairs.flawed.length)
  for (let pair = 0; pair < all.length; pair++) all[pair] = pair
  return wanted === undefined ? all : select(all, (pair) => wanted.includes(set.pairs.class[pair]!))
}

/** The notes of one side of the pairs, each once, in the order of the pairs. */
export const distinctNotes = (side: Int32Array, pairs: Int32Array, notes: number): Int32Array => {
  const seen = new Uint8Array(notes)
  const distinct = ints(pairs.length)
  let count = 0
  for (let at = 0; at < pairs.length; at++) {
    const note = side[pairs[at]!]!
    if (seen[note] === 1) continue
    seen[note] = 1
    distinct[count++] = note
  }
  return distinct.subarray(0, count)
}

/**
 * One pair of each flawed note of the pairs, for what is counted by the note and its severity: where a note is in several,
 * one of the lowest severity, since graders' disagreement resolves to the lower grade [OB §A.4]. The very array where each
 * note is in one.
 */
export const pairOfEachFlawed = (
  { consultation, pairs: { flawed, severity } }: NoteSet,
  pairs: Int32Array
): Int32Array => {
  const chosen = ints(consultation.length).fill(-1)
  for (const pair of pairs) {
    const known = chosen[flawed[pair]!]!
    // Severities are numbered from the gravest on, and -1 is none.
    if (known === -1 || severity[pair]! > severity[known]!) chosen[flawed[pair]!] = pair
  }
  const selected = select(pairs, (pair) => chosen[flawed[pair]!] === pair)
  release(chosen)
  return selected
}

/** Scores of the notes that were judged; NaN for one that could not be read. */
export const scoresOf = ({ judged, scores }: JudgedNotes, notes: Int32Array): Float64Array => {
  const known = select(notes, (note) => judged[note] === 1)
  const values = valuesOf(known, (note) => scores[note]!)
  releaseUnless(known, notes)
  return values
}

/** Releases what `select` made of an array, if that is not the array itself. */
export const releaseUnless = (selected: Int32Array, given: Int32Array): void => {
  if (selected !== given) release(selected)
}

/** Sums of values by consultation, one entry each, for a ratio of sums: what is added above the line, and one each below it. */
export const consultationSums = (
  set: NoteSet,
  notes: ArrayLike<number>,
  values: ArrayLike<number>
): { readonly numerators: Float64Array; readonly denominators: Float64Array } => {
  const numerators = floats(set.consultations)
  const denominators = floats(set.consultations)
  for (let at = 0; at < notes.length; at++) {
    const value = values[at]!
    if (Number.isNaN(value)) continue
    const cluster = set.consultation[notes[at]!]!
    numerators[cluster]! += value
    denominators[cluster]! += 1
  }
  return { numerators, denominators }
}

/** `consultationSums` of the consultations that have a value. */
export const clusterSums: typeof consultationSums = (set, notes, values) => {
  const { denominators, numerators } = consultationSums(set, notes, values)
  let used = 0
  for (let cluster = 0; cluster < set.consultations; cluster++) {
    if (denominators[cluster] === 0) continue
    numerators[used] = numerators[cluster]!
    denominators[used++] = denominators[cluster]!
  }
  return { numerators: numerators.subarray(0, used), denominators: denominators.subarray(0, used) }
}
