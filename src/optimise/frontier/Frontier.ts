import type { Objectives } from "./objectives.ts"

/** What a frontier is told of a candidate's acceptance evaluation. */
export interface Point {
  /** By instance; NaN where there is none. */
  readonly rewards: Float64Array
  readonly objectives: Objectives
}

/**
 * The part of the pool that the next parents come from. Candidates are known by their number in the pool, in the order
 * in which they were added.
 */
export interface Frontier {
  /** How many were added. */
  readonly candidates: number
  /** Adds the next candidate; null for one that may not be a parent, and counts for nothing. */
  add(point: Point | null): void
  /** Those that are left after pruning, in order of birth, each with its weight in the draw of parents: above 0. */
  survivors(): ReadonlyMap<number, number>
}
