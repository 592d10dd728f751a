import type { Selector } from "../../domain/Campaign.ts"
import { uniform, weightedIndex } from "../../domain/Random.ts"

/** Whom a parent can be drawn from. Candidates are numbers in the pool. */
export interface DrawPool {
  /** Every candidate that may be a parent, the best first. */
  readonly ranked: ReadonlyArray<number>
  /** Those that a person asked to be kept among the parents; all of them in `ranked`. */
  readonly pinned: ReadonlyArray<number>
  /** The frontier's survivors and their weights. */
  readonly survivors: ReadonlyMap<number, number>
  /** The survivors and weights of the frontier that these candidates alone would have. */
  among(candidates: ReadonlyArray<number>): ReadonlyMap<number, number>
}

/** Which draw it is: of which iteration, and which parent of it, from 1, after those that it has drawn already. */
export interface Draw {
  readonly seed: number
  readonly iteration: number
  readonly number?: number
  readonly drawn?: ReadonlyArray<number>
}

/** A pinned candidate weighs at least as much as the candidates that are drawn from do on average. */
const withPins = (
  weights: ReadonlyMap<number, number>,
  pinned: ReadonlyArray<number>
): ReadonlyArray<readonly [number, number]> => {
  if (pinned.length === 0) return [...weights]
  const average = weights.size === 0 ? 1 : [...weights.values()].reduce((sum, weight) => sum + weight, 0) / weights.size
  const all = new Map(weights)
  for (const candidate of pinned) all.set(candidate, Math.max(all.get(candidate) ?? 0, average))
  return [...all].sort(([a], [b]) => a - b)
}

/**
 * The number of the next parent, the same for the same seed, iteration and number:
 * - `pareto`: one of the frontier's survivors, in proportion to what each leads [GEPA];
 * - `best`: the best candidate by the rule that names the winner; with pins, one of the best and the pinned, evenly;
 * - `epsilonGreedy: ε`: with probability ε any candidate, evenly; else as `best`;
 * - `topK: k`: one of the k best, and the pinned, in proportion to what each leads among these alone.
 * Of a frontier (`pareto`, `topK`) an iteration draws each parent once, as long as there are others.
 * Throws without a candidate that may be a parent.
 */
export const selectParent = (
  selector: Selector,
  pool: DrawPool,
  { drawn = [], iteration, number = 1, seed }: Draw
): number => {
  const { pinned, ranked } = pool
  if (ranked.length === 0) throw new Error("no candidate of the run may be a parent: all are vetoed")
  const draw = (use: string) => uniform(seed, use, iteration, ...(number === 1 ? [] : [number]))
  const evenly = (candidates: ReadonlyArray<number>): number =>
    candidates[Math.floor(draw("parent") * candidates.length)]!
  const weighted = (weights: ReadonlyMap<number, number>): number => {
    const all = withPins(weights, pinned)
    // With nothing judged nobody leads; the latest candidate is as good as any.
    if (all.length === 0) return Math.max(...ranked)
    const fresh = all.filter(([candidate]) => !drawn.includes(candidate))
    const from = fresh.length > 0 ? fresh : all
    const chances = from.map(([, weight]) => weight)
    return from[weightedIndex(chances, draw("parent"))]![0]
  }
  const best = () => evenly([...new Set([ranked[0]!, ...pinned])])
  if (selector === "pareto") return weighted(pool.survivors)
  if (selector === "best") return best()
  if ("epsilonGreedy" in selector) return draw("explore") < selector.epsilonGreedy ? evenly(ranked) : best()
  return weighted(pool.among([...new Set([...ranked.slice(0, selector.topK), ...pinned])]))
}
