import type { Consultation } from "../domain/Dataset.ts"
import { words } from "./words.ts"

/** Words that are told apart: of so many, the number of a run of three is exact. */
const vocabulary = 200_000

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

interface Document {
  readonly owner: number
  readonly kind: "transcript" | "note"
  /** How many distinct runs the text has. */
  readonly size: number
  /** Those of them that another text has too, numbered by rising frequency; in order. */
  readonly shared: Int32Array
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === ""

/** Numbers words by first occurrence, from 1. Past the limit numbers are used again: words far apart in a vast source. */
const wordNumbers = () => {
  const numbers = new Map<string, number>()
  return (word: string): number => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    const number = (numbers.size % (vocabulary - 1)) + 1
    numbers.set(word, number)
    return number
  }
}

/** The distinct runs of three neighbouring words as numbers, rising; of a shorter text, the one run that it is. */
const runsOf = (text: string, numberOf: (word: string) => number): Float64Array => {
  const numbers = words(text).map(numberOf)
  if (numbers.length === 0) return new Float64Array()
  const runs = Float64Array.from({ length: Math.max(1, numbers.length - 2) }, (_, at) => {
    const [first, second = 0, third = 0] = numbers.slice(at, at + 3)
    return (first! * vocabulary + second) * vocabulary + third
  }).sort()
  return runs.filter((run, at) => at === 0 || run !== runs[at - 1])
}

/** A number for each run that several texts have, the rarest first. */
const sharedRuns = (texts: ReadonlyArray<Float64Array>): ReadonlyMap<number, number> => {
  const all = new Float64Array(texts.reduce((sum, runs) => sum + runs.length, 0))
  let end = 0
  for (const runs of texts) {
    all.set(runs, end)
    end += runs.length
  }
  all.sort()
  const several: Array<{ readonly run: number; readonly times: number }> = []
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to] === all[from]) to += 1
    if (to - from > 1) several.push({ run: all[from]!, times: to - from })
  }
  several.sort((a, b) => a.times - b.times || a.run - b.run)
  return new Map(several.map(({ run }, number) => [run, number]))
}

/** The texts of all consultations. Notes are compared only where a transcript is missing. */
const documentsOf = (consultations: ReadonlyArray<Consultation>): ReadonlyArray<Document> => {
  const needsNotes = consultations.some((one) => isBlank(one.transcript))
  const numberOf = wordNumbers()
  const texts = consultations
    .flatMap((one, owner) => [
      ...(isBlank(one.transcript) ? [] : [{ owner, kind: "transcript" as const, text: one.transcript! }]),
      ...(needsNotes
        ? [...new Set(one.notes.map((note) => note.text))].map((text) => ({ owner, kind: "note" as const, text }))
        : [])
    ])
    .map(({ kind, owner, text }) => ({ kind, owner, runs: runsOf(text.slice(0, comparedCharacters), numberOf) }))
    .filter(({ runs }) => runs.length > 0)
  const numbers = sharedRuns(texts.map(({ runs }) => runs))
  return texts.map(({ kind, owner, runs }) => {
    const shared: Array<number> = []
    for (const run of runs) {
      const number = numbers.get(run)
      if (number !== undefined) shared.push(number)
    }
    return { kind, owner, size: runs.length, shared: Int32Array.from(shared).sort() }
  })
}

const sharedCount = (a: Int32Array, b: Int32Array): number => {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      shared += 1
      i += 1
      j += 1
    } else if (a[i]! < b[j]!) i += 1
    else j += 1
  }
  return shared
}

/**
 * Every two consultations whose texts have a similarity of at least `threshold` (in (0, 1]): exactly, with no sampling,
 * sorted by `a`, then `b`. With `onlyAcross`, only those of which one is before that index and one is not. Texts that
 * reach the threshold share one of their rarest runs (prefix filtering: Chaudhuri 2006, Bayardo 2007), so few are
 * compared in full. Of a text, its first 500,000 characters are taken. Throws `TooManyNearDuplicates` for more than a
 * million.
 */
export const nearDuplicates = (
  consultations: ReadonlyArray<Consultation>,
  threshold: number = nearThreshold,
  onlyAcross?: number
): ReadonlyArray<NearDuplicate> => {
  const documents = documentsOf(consultations)
  const hasTranscript = consultations.map((one) => !isBlank(one.transcript))
  const comparable = (x: Document, y: Document): boolean =>
    x.owner !== y.owner &&
    x.kind === y.kind &&
    (x.kind === "transcript" || !(hasTranscript[x.owner]! && hasTranscript[y.owner]!)) &&
    (onlyAcross === undefined || x.owner < onlyAcross !== y.owner < onlyAcross)
  const order = [...documents.keys()].sort((x, y) => documents[x]!.size - documents[y]!.size || x - y)
  const index = new Map<number, Array<number>>()
  const best = new Map<string, NearDuplicate>()
  for (const at of order) {
    const document = documents[at]!
    const { shared: own, size } = document
    // The prefix is the rarest runs of all; those that no other text has come first in it and lead nowhere.
    const length = size - Math.ceil(threshold * size - 1e-9) + 1 - (size - own.length)
    const prefix = own.subarray(0, Math.max(0, length))
    const candidates = new Set<number>()
    for (const run of prefix) for (const other of index.get(run) ?? []) candidates.add(other)
    for (const other of candidates) {
      const candidate = documents[other]!
      if (candidate.size < threshold * size - 1e-9 || !comparable(document, candidate)) continue
      const shared = sharedCount(own, candidate.shared)
      const similarity = shared / (size + candidate.size - shared)
      if (similarity < threshold) continue
      const [a, b] = [Math.min(document.owner, candidate.owner), Math.max(document.owner, candidate.owner)]
      const key = `${a} ${b}`
      const present = best.get(key)
      if (present === undefined || present.similarity < similarity)
        best.set(key, { a, b, similarity, by: document.kind })
      if (best.size > mostPairs) throw new TooManyNearDuplicates()
    }
    for (const run of prefix) {
      const some = index.get(run)
      if (some === undefined) index.set(run, [at])
      else some.push(at)
    }
  }
  return [...best.values()].sort((x, y) => x.a - y.a || x.b - y.b)
}
