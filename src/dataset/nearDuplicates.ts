import type { Consultation } from "../domain/Dataset.ts"
import { ByteSpool } from "./byteSpool.ts"
import { RunCounts, RunIndex, rarest } from "./runIndex.ts"
import { int8, int32 } from "./scoresInterner.ts"
import { distinct, TextRuns } from "./textRuns.ts"

/** Characters of a text that are compared: a consultation of hours has fewer, and what is longer costs seconds. */
export const comparedCharacters = 500_000

/** From which similarity on two consultations are near-duplicates, unless another is asked for. */
export const nearThreshold = 0.8

/** Two consultations with almost the same text. `a` comes first in the order given. */
export interface NearDuplicate {
  /** Indexes of the two. */
  readonly a: number
  readonly b: number
  /** Runs of three words that both texts have over all that either has (Jaccard), in [threshold, 1]. */
  readonly similarity: number
  /** What was compared: transcripts where both have one, else the two notes most alike. */
  readonly by: "transcript" | "note"
}

/** A dataset that is one text over and over has a million by its 1,500th consultation. */
const mostPairs = 1_000_000

/** There are more near-duplicates than can be told of. */
export class TooManyNearDuplicates extends Error {}

const kinds = ["transcript", "note"] as const

const isBlank = (text: string | null): text is null => text === null || text.trim() === ""

const bytesOf = (runs: Float64Array<ArrayBuffer>): Uint8Array =>
  new Uint8Array(runs.buffer, runs.byteOffset, runs.byteLength)

const runsOf = (piece: Uint8Array): Float64Array<ArrayBuffer> => {
  const copy = new Uint8Array(piece)
  return new Float64Array(copy.buffer)
}

/** The runs of all texts, of which only their number is in memory. */
class Documents {
  readonly runs = new ByteSpool()
  /** Which consultation a document is of, its place among `kinds`, and how many distinct runs it has. */
  readonly owner = int32(0)
  readonly kind = int8(0)
  readonly length = int32(0)
  /** By consultation: whether it has a transcript. */
  readonly talks = int8(0)
  owners = 0
  /** The runs of all documents together. */
  total = 0

  add({ notes, transcript }: Consultation, withNotes: boolean, texts: TextRuns): void {
    const talks = !isBlank(transcript)
    const owner = this.owners++
    this.talks.set(owner, talks ? 1 : 0)
    if (talks) this.#add(owner, 0, texts.of(transcript.slice(0, comparedCharacters)))
    if (!withNotes) return
    for (const text of new Set(notes.map((note) => note.text)))
      this.#add(owner, 1, texts.of(text.slice(0, comparedCharacters)))
  }

  #add(owner: number, kind: number, runs: Float64Array<ArrayBuffer>): void {
    if (runs.length === 0) return
    const document = this.runs.add(bytesOf(runs))
    this.owner.set(document, owner)
    this.kind.set(document, kind)
    this.length.set(document, runs.length)
    this.total += runs.length
  }
}

/** Undefined where some consultation has no transcript, so that the notes of all are needed, which were not asked for. */
const readDocuments = (consultations: Iterable<Consultation>, notes: boolean): Documents | undefined => {
  const documents = new Documents()
  const texts = new TextRuns()
  for (const one of consultations) {
    if (!notes && isBlank(one.transcript)) return undefined
    documents.add(one, notes, texts)
  }
  return documents
}

/** A run that several texts of one consultation have, and no other, leads nowhere: it is counted once. */
const countRuns = ({ owner, runs, total }: Documents): RunCounts => {
  const counts = new RunCounts(total)
  let open: Array<Float64Array<ArrayBuffer>> = []
  const close = () => {
    for (const run of open.length === 1 ? open[0]! : union(open)) counts.add(run)
    open = []
  }
  let document = 0
  for (const piece of runs) {
    if (document > 0 && owner.at(document) !== owner.at(document - 1)) close()
    open.push(runsOf(piece))
    document += 1
  }
  close()
  return counts
}

const union = (sets: ReadonlyArray<Float64Array>): Float64Array => {
  const all = new Float64Array(sets.reduce((sum, set) => sum + set.length, 0))
  let end = 0
  for (const set of sets) {
    all.set(set, end)
    end += set.length
  }
  return distinct(all)
}

const sharedCount = (a: Float64Array, b: Float64Array): number => {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!, b[j]!]
    if (x === y) {
      shared += 1
      i += 1
      j += 1
    } else if (x < y) i += 1
    else j += 1
  }
  return shared
}

const nothing = 1e-9

/** The number of pairs of documents that are compared in full is what a search costs. */
const search = (documents: Documents, counts: RunCounts, threshold: number, onlyAcross: number | undefined) => {
  const { kind, length, owner, owners, runs: spool, talks, total } = documents
  const comparable = (x: number, y: number): boolean => {
    const [one, other] = [owner.at(x), owner.at(y)]
    return (
      one !== other &&
      kind.at(x) === kind.at(y) &&
      (kind.at(x) === 0 || talks.at(one) === 0 || talks.at(other) === 0) &&
      (onlyAcross === undefined || one < onlyAcross !== other < onlyAcross)
    )
  }
  const index = new RunIndex((1 - threshold) * total)
  const best = new Map<number, NearDuplicate>()
  /** Of an earlier document, how many rare runs it shares with the present one, and how many runs at most. */
  const shared = new Int32Array(spool.size)
  const atMost = new Int32Array(spool.size)
  let document = -1
  for (const piece of spool) {
    document += 1
    const size = length.at(document)
    const runs = runsOf(piece)
    // Of texts that reach the threshold, one of so many rarest runs is shared (prefix filtering).
    const prefix = rarest(runs, counts, size - Math.ceil(threshold * size - nothing) + 1)
    const met: Array<number> = []
    for (let at = 0; at < prefix.runs.length; at++) {
      const left = size - prefix.first - at
      index.each(prefix.runs[at]!, (other, place) => {
        if (!comparable(document, other)) return
        if (shared[other] === 0) met.push(other)
        shared[other]! += 1
        // What comes after the last one shared may all be shared (positional filtering).
        atMost[other] = shared[other]! + Math.min(left, length.at(other) - place) - 1
      })
    }
    for (const other of met) {
      const sizes = size + length.at(other)
      const most = atMost[other]!
      shared[other] = 0
      if (most < (threshold - nothing) * (sizes - most)) continue
      const both = sharedCount(runs, runsOf(spool.at(other)))
      const similarity = both / (sizes - both)
      if (similarity < threshold) continue
      const [one, two] = [owner.at(document), owner.at(other)]
      const [a, b] = [Math.min(one, two), Math.max(one, two)]
      const key = a * owners + b
      const present = best.get(key)
      if (present === undefined || present.similarity < similarity)
        best.set(key, { a, b, similarity, by: kinds[kind.at(document)]! })
      if (best.size > mostPairs) throw new TooManyNearDuplicates()
    }
    for (let at = 0; at < prefix.runs.length; at++) index.add(document, prefix.runs[at]!, prefix.first + at)
  }
  index.clear()
  return [...best.values()].sort((x, y) => x.a - y.a || x.b - y.b)
}

/**
 * Every two consultations whose texts have a similarity of at least `threshold` (in (0, 1]): exactly, with no sampling,
 * sorted by `a`, then `b`. With `onlyAcross`, only those of which one is before that index and one is not. Texts that
 * reach the threshold share one of their rarest runs, and few runs before that (Chaudhuri 2006, Bayardo 2007, Xiao
 * 2008), so few are compared in full; in memory are only the rarest runs, the others in a temporary file where they are
 * many. Of a text, its first 500,000 characters are taken. Consultations are asked for once or twice. Throws
 * `TooManyNearDuplicates` for more than a million.
 */
export const nearDuplicates = (
  consultations: Iterable<Consultation>,
  threshold: number = nearThreshold,
  onlyAcross?: number
): ReadonlyArray<NearDuplicate> => {
  const documents = readDocuments(consultations, false) ?? readDocuments(consultations, true)!
  const counts = countRuns(documents)
  try {
    return search(documents, counts, threshold, onlyAcross)
  } finally {
    counts.clear()
  }
}
