import type { Consultation } from "../domain/Dataset.ts"
import { shingles } from "./shingles.ts"

/** Words of a run: what two texts share is counted in runs of three. */
const shingleSize = 3

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

interface Document {
  readonly owner: number
  readonly kind: "transcript" | "note"
  /** Numbers of shingles, rising; a rarer shingle has the lower number. */
  readonly shingles: Int32Array
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === ""

/** The texts of all consultations as numbers of shingles. Notes are compared only where a transcript is missing. */
const documentsOf = (consultations: ReadonlyArray<Consultation>): ReadonlyArray<Document> => {
  const needsNotes = consultations.some((one) => isBlank(one.transcript))
  const raw = consultations.flatMap((one, owner) => [
    ...(isBlank(one.transcript)
      ? []
      : [{ owner, kind: "transcript" as const, set: shingles(one.transcript!, shingleSize) }]),
    ...(needsNotes
      ? [...new Set(one.notes.map((note) => note.text))].map((text) => ({
          owner,
          kind: "note" as const,
          set: shingles(text, shingleSize)
        }))
      : [])
  ])
  const frequency = new Map<string, number>()
  for (const { set } of raw) for (const shingle of set) frequency.set(shingle, (frequency.get(shingle) ?? 0) + 1)
  const first = [...frequency.keys()]
  const numbers = new Map(
    first
      .map((shingle, at) => ({ shingle, at, times: frequency.get(shingle)! }))
      .sort((a, b) => a.times - b.times || a.at - b.at)
      .map(({ shingle }, number) => [shingle, number])
  )
  return raw
    .filter(({ set }) => set.size > 0)
    .map(({ kind, owner, set }) => ({
      owner,
      kind,
      shingles: Int32Array.from(set, (shingle) => numbers.get(shingle)!).sort()
    }))
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
 * compared in full.
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
  const order = [...documents.keys()].sort(
    (x, y) => documents[x]!.shingles.length - documents[y]!.shingles.length || x - y
  )
  const index = new Map<number, Array<number>>()
  const best = new Map<string, NearDuplicate>()
  for (const at of order) {
    const document = documents[at]!
    const size = document.shingles.length
    const prefix = document.shingles.subarray(0, size - Math.ceil(threshold * size - 1e-9) + 1)
    const candidates = new Set<number>()
    for (const shingle of prefix) for (const other of index.get(shingle) ?? []) candidates.add(other)
    for (const other of candidates) {
      const candidate = documents[other]!
      if (candidate.shingles.length < threshold * size - 1e-9 || !comparable(document, candidate)) continue
      const shared = sharedCount(document.shingles, candidate.shingles)
      const similarity = shared / (size + candidate.shingles.length - shared)
      if (similarity < threshold) continue
      const [a, b] = [Math.min(document.owner, candidate.owner), Math.max(document.owner, candidate.owner)]
      const key = `${a} ${b}`
      const present = best.get(key)
      if (present === undefined || present.similarity < similarity)
        best.set(key, { a, b, similarity, by: document.kind })
    }
    for (const shingle of prefix) {
      const some = index.get(shingle)
      if (some === undefined) index.set(shingle, [at])
      else some.push(at)
    }
  }
  return [...best.values()].sort((x, y) => x.a - y.a || x.b - y.b)
}
