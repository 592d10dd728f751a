import { rounded } from "./discrimination.ts"

/** Scores of two judges on the same notes, in columns of one length. */
export interface ScoredTwice {
  /** The consultation of each note: any number that is its own. */
  readonly cluster: ArrayLike<number>
  /** 1 for a flawed note, 0 for a clean one. */
  readonly flawed: ArrayLike<number>
  /** NaN where a judge has no score. */
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
}

/**
 * The scores of two judges as one list in rising order of the rank within each judge (ties share the mean rank), clean
 * before flawed where ranks are the same. Notes without a score have no entry but are counted.
 */
export interface RankedTwice {
  /** One an entry: 4 · consultation + 2 · judge (0 for `a`) + 1 for a flawed note. */
  readonly keys: Int32Array
  /** 1 where an entry's rank is higher than the one before. */
  readonly rises: Uint8Array
  readonly flawed: number
  readonly clean: number
}

/** Replicates of two judges by rank, with the consultations in which swapping the judges changes something. */
export interface SwapDesign {
  readonly replicates: ReadonlyArray<RankedTwice>
  readonly consultations: number
  /** Consultations 0 … live - 1 differ between the judges; in those from `live` on a swap changes nothing. */
  readonly live: number
}

/** Twice the mid-rank of each score, which is a whole number; 0 for none. */
const doubledRanks = (scores: ArrayLike<number>): Int32Array => {
  const ranks = new Int32Array(scores.length)
  const values = Float64Array.from(scores, rounded)
  let known = 0
  const order = new Int32Array(scores.length)
  for (let at = 0; at < values.length; at++) if (!Number.isNaN(values[at]!)) order[known++] = at
  const rising = order.subarray(0, known).sort((i, j) => values[i]! - values[j]!)
  for (let start = 0; start < known; ) {
    let end = start + 1
    while (end < known && values[rising[end]!] === values[rising[start]!]) end++
    for (let at = start; at < end; at++) ranks[rising[at]!] = start + 1 + end
    start = end
  }
  return ranks
}

const listed = (
  { cluster, flawed }: ScoredTwice,
  [a, b]: readonly [Int32Array, Int32Array],
  numbers: ReadonlyMap<number, number>
): RankedTwice => {
  const notes = flawed.length
  // A counting sort: ranks are at most twice the number of notes.
  const from = new Int32Array(4 * notes + 4)
  const place = (rank: number, note: number) => 2 * rank + flawed[note]!
  let entries = 0
  for (const ranks of [a, b]) {
    for (let note = 0; note < notes; note++) {
      if (ranks[note] === 0) continue
      from[place(ranks[note]!, note) + 1]!++
      entries++
    }
  }
  for (let at = 1; at < from.length; at++) from[at]! += from[at - 1]!
  const keys = new Int32Array(entries)
  const rank = new Int32Array(entries)
  for (const [judge, ranks] of [a, b].entries()) {
    for (let note = 0; note < notes; note++) {
      if (ranks[note] === 0) continue
      const at = from[place(ranks[note]!, note)]!++
      keys[at] = 4 * numbers.get(cluster[note]!)! + 2 * judge + flawed[note]!
      rank[at] = ranks[note]!
    }
  }
  let bad = 0
  for (let note = 0; note < notes; note++) bad += flawed[note]!
  return {
    keys,
    rises: Uint8Array.from(rank, (one, at) => (at === 0 || one > rank[at - 1]! ? 1 : 0)),
    flawed: bad,
    clean: notes - bad
  }
}

/** Ranks the scores of each replicate within each judge, and numbers the consultations: see `SwapDesign`. */
export const swapDesign = (replicates: ReadonlyArray<ScoredTwice>): SwapDesign => {
  const ranks = replicates.map(({ a, b }) => [doubledRanks(a), doubledRanks(b)] as const)
  const live = new Set<number>()
  const dead = new Set<number>()
  for (const [at, { cluster }] of replicates.entries()) {
    const [a, b] = ranks[at]!
    for (let note = 0; note < cluster.length; note++) (a[note] === b[note] ? dead : live).add(cluster[note]!)
  }
  const numbers = new Map([...live, ...dead.difference(live)].map((cluster, number) => [cluster, number]))
  return {
    replicates: replicates.map((one, at) => listed(one, ranks[at]!, numbers)),
    consultations: numbers.size,
    live: live.size
  }
}
