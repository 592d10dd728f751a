import { outcomesOf } from "./pairedFigure.ts"
import type { JudgedNotes, NoteSet } from "./scoredNotes.ts"

/** Two judges' paired discrimination in one replicate of each, over the pairs that both could rank there. */
export interface ReplicateDifference {
  readonly a: string
  readonly b: string
  readonly pairs: number
  readonly valueA: number | null
  readonly valueB: number | null
  readonly difference: number | null
}

/** Outcomes of the pairs whose two notes the run judged; NaN for the others. */
const judgedOutcomes = (set: NoteSet, run: JudgedNotes, pairs: Int32Array): Float64Array => {
  const { clean, flawed } = set.pairs
  const outcomes = outcomesOf(set, run, pairs)
  for (let at = 0; at < pairs.length; at++) {
    if (run.judged[flawed[pairs[at]!]!] !== 1 || run.judged[clean[pairs[at]!]!] !== 1) outcomes[at] = Number.NaN
  }
  return outcomes
}

/** Each pair's mean outcome over the replicates in which it could be ranked; NaN where there is none. */
export const meanOutcomes = (set: NoteSet, runs: ReadonlyArray<JudgedNotes>, pairs: Int32Array): Float64Array => {
  const sums = new Float64Array(pairs.length)
  const counts = new Float64Array(pairs.length)
  for (const run of runs) {
    judgedOutcomes(set, run, pairs).forEach((outcome, at) => {
      if (Number.isNaN(outcome)) return
      sums[at]! += outcome
      counts[at]! += 1
    })
  }
  for (let at = 0; at < pairs.length; at++) sums[at]! /= counts[at]!
  return sums
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
/** Above this the numbers grow too large to be tabled, and the test draws instead. */
const greatest = 5040

/** A number that makes whole numbers of means over up to so many replicates of each side; 1 where it would be too large. */
export const sharedReplicateDenominator = (a: number, b: number): number => {
  let all = 1
  for (let count = 2; count <= Math.max(a, b); count++) {
    all = (all / gcd(all, count)) * count
    if (all > greatest) return 1
  }
  return all
}

/** The replicates to compare, `a` with `b`: those of the same name, or in their order where no name is shared. */
export const matched = (
  a: ReadonlyArray<JudgedNotes>,
  b: ReadonlyArray<JudgedNotes>
): ReadonlyArray<readonly [JudgedNotes, JudgedNotes]> => {
  const named = a.flatMap((one) => {
    const twin = b.find(({ replicate }) => replicate === one.replicate)
    return twin === undefined ? [] : [[one, twin] as const]
  })
  return named.length > 0 ? named : a.slice(0, b.length).map((one, at) => [one, b[at]!] as const)
}

/** Each replicate of one judge against its own of the other: of the same name, or by their order where no name is shared. */
export const replicateDifferences = (
  set: NoteSet,
  a: ReadonlyArray<JudgedNotes>,
  b: ReadonlyArray<JudgedNotes>,
  pairs: Int32Array
): ReadonlyArray<ReplicateDifference> =>
  matched(a, b).map(([one, other]) => {
    const outcomes = [judgedOutcomes(set, one, pairs), judgedOutcomes(set, other, pairs)] as const
    let count = 0
    let sumA = 0
    let sumB = 0
    outcomes[0].forEach((first, at) => {
      const second = outcomes[1][at]!
      if (Number.isNaN(first) || Number.isNaN(second)) return
      count++
      sumA += first
      sumB += second
    })
    const share = (sum: number) => (count === 0 ? null : sum / count)
    return {
      a: one.replicate,
      b: other.replicate,
      pairs: count,
      valueA: share(sumA),
      valueB: share(sumB),
      difference: share(sumA - sumB)
    }
  })
