import { inClusterOrder } from "../statistics/clusterOrder.ts"
import { alignedRanks } from "./alignedRanks.ts"

/** Scores of two judges on the same notes, in columns of one length. */
export interface ScoredTwice {
  /** The consultation of each note, by `clusterNumbers`: in this order arrangements and resamples are drawn. */
  readonly cluster: ArrayLike<number>
  /** 1 for a flawed note, 0 for a clean one. */
  readonly flawed: ArrayLike<number>
  /** NaN where a judge has no score. */
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
}

/**
 * The scores of two judges as one list in rising order of the rank within each judge (`alignedRanks`), clean before flawed
 * where ranks are the same. Notes without a score have no entry but are counted.
 */
export interface RankedTwice {
  /** One an entry: 4 · consultation + 2 · judge (0 for `a`) + 1 for a flawed note. */
  readonly keys: Int32Array
  /** 1 where an entry's rank is higher than the one before. */
  readonly rises: Uint8Array
  readonly flawed: number
  readonly clean: number
  /** The same by consultation. */
  readonly flawedOf: Float64Array
  readonly cleanOf: Float64Array
}

/** Replicates of two judges by rank, with the consultations in which swapping the judges changes something. */
export interface SwapDesign {
  readonly replicates: ReadonlyArray<RankedTwice>
  readonly consultations: number
  /** What the consultations are called in the columns, in the order of their numbers here. */
  readonly clusters: ReadonlyArray<number>
  /** Consultations 0 … live - 1 differ between the judges; in those from `live` on a swap changes nothing. */
  readonly live: number
}

/** `number[note]` is the consultation's; a counting sort, since ranks are at most four times the number of notes. */
const listed = (
  flawed: ArrayLike<number>,
  number: Int32Array,
  sides: readonly [Int32Array, Int32Array],
  consultations: number
): RankedTwice => {
  const notes = flawed.length
  const from = new Int32Array(8 * notes + 4)
  let entries = 0
  for (const ranks of sides) {
    for (let note = 0; note < notes; note++) {
      if (ranks[note] === 0) continue
      from[2 * ranks[note]! + flawed[note]! + 1]!++
      entries++
    }
  }
  for (let at = 1; at < from.length; at++) from[at]! += from[at - 1]!
  const keys = new Int32Array(entries)
  const rank = new Int32Array(entries)
  for (let judge = 0; judge < 2; judge++) {
    const ranks = sides[judge]!
    for (let note = 0; note < notes; note++) {
      if (ranks[note] === 0) continue
      const at = from[2 * ranks[note]! + flawed[note]!]!++
      keys[at] = 4 * number[note]! + 2 * judge + flawed[note]!
      rank[at] = ranks[note]!
    }
  }
  const rises = new Uint8Array(entries).fill(1)
  for (let at = 1; at < entries; at++) rises[at] = Number(rank[at] !== rank[at - 1])
  const [flawedOf, cleanOf] = [new Float64Array(consultations), new Float64Array(consultations)]
  let bad = 0
  for (let note = 0; note < notes; note++) {
    bad += flawed[note]!
    const of = flawed[note] === 1 ? flawedOf : cleanOf
    of[number[note]!]!++
  }
  return { keys, rises, flawed: bad, clean: notes - bad, flawedOf, cleanOf }
}

/** Ranks the scores of each replicate within each judge (`alignedRanks`), and numbers the consultations: see `SwapDesign`. */
export const swapDesign = (replicates: ReadonlyArray<ScoredTwice>): SwapDesign => {
  const ranks = replicates.map(({ a, b }) => alignedRanks(a, b))
  const live = new Set<number>()
  const dead = new Set<number>()
  for (const [at, { cluster }] of replicates.entries()) {
    const [a, b] = ranks[at]!
    for (let note = 0; note < cluster.length; note++) (a[note] === b[note] ? dead : live).add(cluster[note]!)
  }
  const numbers = new Map(
    [...inClusterOrder(live), ...inClusterOrder(dead.difference(live))].map((cluster, number) => [cluster, number])
  )
  return {
    replicates: replicates.map(({ cluster, flawed }, at) =>
      listed(
        flawed,
        Int32Array.from(cluster, (one) => numbers.get(one)!),
        ranks[at]!,
        numbers.size
      )
    ),
    consultations: numbers.size,
    clusters: [...numbers.keys()],
    live: live.size
  }
}
