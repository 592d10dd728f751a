import type { ErrorClass } from "../domain/Dataset.ts"
import { type Outcomes, scoreOf } from "../domain/Judgement.ts"
import type { ItemTable } from "../domain/RunEvent.ts"
import { intervalOfSums } from "../measure/clusterInterval.ts"
import { pairOutcome } from "../measure/discrimination.ts"
import { usualResampling } from "../measure/usualResampling.ts"
import { indexTable, type TableIndex } from "../optimise/itemTable.ts"
import { signTest } from "../statistics/signTest.ts"

/** Two candidates on the same pairs. */
export interface PairComparison {
  /** Pairs that both could rank. */
  readonly n: number
  readonly consultations: number
  /** Pairs that `a` ranks better than `b`, worse, and alike. */
  readonly better: number
  readonly worse: number
  readonly same: number
  /** Paired discrimination of `a` less that of `b`, in [-1, 1]. Null without a pair. */
  readonly difference: number | null
  /** 95 %, by a bootstrap of consultations; null of fewer than ten, and where every consultation says the same. */
  readonly interval: readonly [number, number] | null
  /** Exact two-sided sign test on the discordant pairs, which takes them as independent. */
  readonly p: number
}

export interface ComparisonOptions {
  /** Pairs of these classes only; all when left out. */
  readonly classes?: ReadonlyArray<ErrorClass>
}

/** Compares `a` with `b` by their scores, one an item of the table, NaN without a score. */
export const compareScores = (
  a: Float64Array,
  b: Float64Array,
  index: TableIndex,
  { classes }: ComparisonOptions = {}
): PairComparison => {
  const numerators = new Array<number>(index.clusters).fill(0)
  const denominators = new Array<number>(index.clusters).fill(0)
  let [better, worse, same, sum] = [0, 0, 0, 0]
  index.pairs.forEach(({ clean, cluster, flawed }, at) => {
    if (classes !== undefined && !classes.includes(index.table.pairs[at]!.class)) return
    const difference = pairOutcome(a[flawed]!, a[clean]!) - pairOutcome(b[flawed]!, b[clean]!)
    if (Number.isNaN(difference)) return
    if (difference > 0) better++
    else if (difference < 0) worse++
    else same++
    sum += difference
    numerators[cluster]! += difference
    denominators[cluster]! += 1
  })
  const n = better + worse + same
  const difference = n === 0 ? null : sum / n
  const sums = { numerators, denominators }
  return {
    n,
    consultations: denominators.filter((pairs) => pairs > 0).length,
    better,
    worse,
    same,
    difference,
    interval: intervalOfSums(sums, { estimate: difference, share: false }, usualResampling).interval,
    p: signTest(better, worse)
  }
}

/** `compareScores` on the outcomes of two `evaluated` events. */
export const compareOnPairs = (
  a: Outcomes,
  b: Outcomes,
  table: ItemTable,
  options: ComparisonOptions = {}
): PairComparison => {
  const scores = (outcomes: Outcomes) => Float64Array.from(table.items, ({ id }) => scoreOf(outcomes[id]))
  return compareScores(scores(a), scores(b), indexTable(table), options)
}
