import { uniform, weightedIndex } from "../domain/Random.ts"
import type { Member, RunState } from "./RunState.ts"

/**
 * The parents of an iteration's proposals, drawn from the frontier by the run's seed: each another one, as long as it has
 * enough. The state has at least one member.
 */
export const drawParents = (state: RunState, seed: number, iteration: number, count: number): ReadonlyArray<Member> => {
  const drawn: Array<number> = count === 0 ? [] : [state.frontier.drawParent(seed, iteration)]
  for (let number = 2; number <= count; number++) {
    const survivors = [...state.frontier.survivors()]
    const fresh = survivors.filter(([candidate]) => !drawn.includes(candidate))
    const from = fresh.length > 0 ? fresh : survivors
    if (from.length === 0) drawn.push(drawn[0]!)
    else {
      const weights = from.map(([, weight]) => weight)
      drawn.push(from[weightedIndex(weights, uniform(seed, "parent", iteration, number))]![0])
    }
  }
  return drawn.map((candidate) => state.members[candidate]!)
}
