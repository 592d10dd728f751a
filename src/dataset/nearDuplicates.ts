import type { Consultation } from "../domain/Dataset.ts"
import { allAtOnce, Pace, type Pieces } from "../domain/pieces.ts"
import { type Documents, readDocuments, runsOf, viewOf } from "./documents.ts"
import { RunCounts, RunIndex, rarest } from "./runIndex.ts"
import { Signatures } from "./signatures.ts"
import { distinct } from "./textRuns.ts"

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

/** By hand, in steps: a look at an entry of the index, and at an earlier document's signature. */
const visitSteps = 4
const glanceSteps = 8

const kinds = ["transcript", "note"] as const

/** A run that several texts of one consultation have, and no other, leads nowhere: it is counted once. */
function* countRuns({ owner, runs, total }: Documents, pace: Pace): Pieces<RunCounts> {
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
    if (pace.isFull(piece.length)) yield
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

/** How many runs two texts share; undefined as soon as it is known to be less than `least`. */
const sharedCount = (a: Float64Array, b: Float64Array, least: number): number | undefined => {
  let [spareOfA, spareOfB] = [a.length - least, b.length - least]
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!, b[j]!]
    if (x === y) {
      shared += 1
      i += 1
      j += 1
    } else if (x < y) {
      i += 1
      if (--spareOfA < 0) return undefined
    } else {
      j += 1
      if (--spareOfB < 0) return undefined
    }
  }
  return shared
}

const nothing = 1e-9

/** Looks at the index that cost more than so many looks at signatures, of all earlier documents, are given up. */
const glances = 2

/** The number of pairs of documents that are compared in full is what a search costs. */
function* search(
  documents: Documents,
  counts: RunCounts,
  threshold: number,
  onlyAcross: number | undefined,
  pace: Pace
): Pieces<ReadonlyArray<NearDuplicate>> {
  const { owners, runs: spool, total } = documents
  const { kind, length, owner, talks } = documents.columns()
  const index = new RunIndex((1 - threshold) * total)
  const signatures = new Signatures(spool.size)
  const best = new Map<number, NearDuplicate>()
  /** Of an earlier document, how many rare runs it shares with the present one, and how many runs at most. */
  const shared = new Int32Array(spool.size)
  const atMost = new Int32Array(spool.size)
  const met = new Int32Array(spool.size)
  const leastOf = (sizes: number) => Math.ceil((threshold / (1 + threshold) - nothing) * sizes)
  let document = -1
  for (const piece of spool) {
    document += 1
    const runs = runsOf(piece)
    const size = runs.length
    const [ownOwner, ownKind] = [owner[document]!, kind[document]!]
    const ownTalks = ownKind === 1 && talks[ownOwner] === 1
    const isBefore = onlyAcross === undefined || ownOwner < onlyAcross
    const comparable = (other: number): boolean => {
      const one = owner[other]!
      return (
        one !== ownOwner &&
        kind[other] === ownKind &&
        !(ownTalks && talks[one] === 1) &&
        (onlyAcross === undefined || one < onlyAcross !== isBefore)
      )
    }
    // Of no other length can a text reach the threshold.
    const [shortest, longest] = [(threshold - nothing) * size, size / (threshold - nothing)]
    // Of texts that reach the threshold, one of so many rarest runs is shared (prefix filtering).
    const prefix = rarest(runs, counts, size - Math.ceil(threshold * size - nothing) + 1)
    signatures.set(document, runs)
    let [metSize, visited] = [0, 0]
    for (let at = 0; at < prefix.runs.length && visited <= glances * document; at++) {
      const left = size - prefix.first - at
      const passed = index.each(prefix.runs[at]!, (other, place) => {
        const otherSize = length[other]!
        if (otherSize < shortest || otherSize > longest) return
        if (shared[other] === 0) {
          if (!comparable(other)) return
          met[metSize++] = other
        }
        const both = ++shared[other]!
        // What comes after the last one shared may all be shared (positional filtering).
        atMost[other] = both + Math.min(left, otherSize - place) - 1
      })
      visited += passed
      if (pace.isFull(visitSteps * passed)) yield
    }
    const givenUp = visited > glances * document
    if (givenUp) {
      for (let at = 0; at < metSize; at++) shared[met[at]!] = 0
      metSize = 0
      for (let other = 0; other < document; other++) {
        if (pace.isFull(glanceSteps)) yield
        const sizes = size + length[other]!
        if (length[other]! < shortest || length[other]! > longest || !comparable(other)) continue
        if (signatures.mayBeNear(document, other, sizes - 2 * leastOf(sizes))) met[metSize++] = other
      }
    }
    for (let at = 0; at < metSize; at++) {
      const other = met[at]!
      const sizes = size + length[other]!
      const least = leastOf(sizes)
      if (!givenUp) {
        shared[other] = 0
        if (atMost[other]! < least || !signatures.mayBeNear(document, other, sizes - 2 * least)) continue
      }
      if (pace.isFull(sizes)) yield
      const both = sharedCount(runs, viewOf(spool.at(other)), least)
      if (both === undefined) continue
      const similarity = both / (sizes - both)
      if (similarity < threshold) continue
      const [a, b] = [Math.min(ownOwner, owner[other]!), Math.max(ownOwner, owner[other]!)]
      const key = a * owners + b
      const present = best.get(key)
      if (present === undefined || present.similarity < similarity)
        best.set(key, { a, b, similarity, by: kinds[ownKind]! })
      if (best.size > mostPairs) throw new TooManyNearDuplicates()
    }
    for (let at = 0; at < prefix.runs.length; at++) index.add(document, prefix.runs[at]!, prefix.first + at)
    if (pace.isFull(size)) yield
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
export function* nearDuplicatesInPieces(
  consultations: Iterable<Consultation>,
  threshold: number = nearThreshold,
  onlyAcross?: number
): Pieces<ReadonlyArray<NearDuplicate>> {
  const pace = new Pace()
  const documents =
    (yield* readDocuments(consultations, false, pace)) ?? (yield* readDocuments(consultations, true, pace))!
  const counts = yield* countRuns(documents, pace)
  try {
    return yield* search(documents, counts, threshold, onlyAcross, pace)
  } finally {
    counts.clear()
  }
}

/** `nearDuplicatesInPieces`, all at once. */
export const nearDuplicates = (...of: Parameters<typeof nearDuplicatesInPieces>): ReadonlyArray<NearDuplicate> =>
  allAtOnce(nearDuplicatesInPieces(...of))
