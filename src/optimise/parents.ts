import { searchDefaults } from "../domain/Campaign.ts"
import { frontierOf } from "./frontier/frontierOf.ts"
import { type DrawPool, selectParent } from "./frontier/select.ts"
import type { Member, RunState } from "./RunState.ts"
import { bestFirst } from "./ranking.ts"

/** Whom the run's next parents can be drawn from, as it stands. */
const drawPool = (state: RunState): DrawPool => {
  const { allowed, index, members, remarks, settings } = state
  if (index === undefined || settings === undefined) throw new Error("the run has not started")
  const numbers = new Map(members.map((member, number) => [member, number]))
  return {
    ranked: bestFirst(allowed).map((member) => numbers.get(member)!),
    pinned: allowed
      .filter(({ candidate }) => remarks.pinOf(candidate.id) !== undefined)
      .map((member) => numbers.get(member)!),
    survivors: state.frontier.survivors(),
    among: (candidates) => {
      const alone = frontierOf(settings.search.frontier ?? searchDefaults.frontier, index)
      const chosen = new Set(candidates)
      for (const [number, member] of members.entries()) alone.add(chosen.has(number) ? member : null)
      return alone.survivors()
    }
  }
}

/**
 * The parents of an iteration's proposals, drawn by the run's selector and seed: of the frontier each another one, as long
 * as it has enough. The state has at least one member that nobody ruled out.
 */
export const drawParents = (state: RunState, seed: number, iteration: number, count: number): ReadonlyArray<Member> => {
  const selector = state.settings?.search.selector ?? searchDefaults.selector
  const pool = drawPool(state)
  const drawn: Array<number> = []
  for (let number = 1; number <= count; number++) {
    drawn.push(selectParent(selector, pool, { seed, iteration, number, drawn }))
  }
  return drawn.map((candidate) => state.members[candidate]!)
}
