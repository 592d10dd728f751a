import { requireFinite } from "./arguments.ts"

export interface Ranks {
  /** Rank of each value from 1, ties sharing the mean of theirs, in the order of the input. */
  readonly ranks: ReadonlyArray<number>
  /** Sizes of the groups of equal values that have more than one member. */
  readonly ties: ReadonlyArray<number>
}

/** Mid-ranks of finite values; throws a RangeError for others. Equality is exact. */
export const midRanks = (values: ReadonlyArray<number>): Ranks => {
  requireFinite("ranks", values)
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  const ties: Array<number> = []
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + 1 + end) / 2
    if (end - start > 1) ties.push(end - start)
    start = end
  }
  return { ranks, ties }
}
