import { type Candidate, type CandidateId, candidateId, type Instructions } from "../domain/Candidate.ts"
import { uniform, weightedIndex } from "../domain/Random.ts"
import { tolerance } from "./frontier/cells.ts"
import type { Member, RunState } from "./RunState.ts"
import { meanReward } from "./rewards.ts"

/** How often an iteration that may merge does [method §5.7]. */
export const mergeRate = 0.4

/** Two members that are to become one, and how. */
export type Merge = {
  readonly parents: readonly [Candidate, Candidate]
} & (
  | { readonly how: "crossover" }
  | {
      readonly how: "swap"
      readonly ancestor: CandidateId
      /** Whose instruction each module has. */
      readonly choices: Readonly<Record<string, CandidateId>>
      readonly instructions: Instructions
    }
)

/** The name by which a merge is known, so that none is tried twice: the two of a crossover, the outcome of a swap. */
export const mergeKey = (merge: {
  readonly how: "crossover" | "swap"
  readonly parents: ReadonlyArray<CandidateId>
  readonly instructions?: Instructions
}): string =>
  merge.how === "swap" && merge.instructions !== undefined
    ? `swap ${candidateId(merge.instructions)}`
    : `crossover ${merge.parents.toSorted().join(" ")}`

/** Whether the iteration is one that merges, as far as limits and the draw go. */
export const mergesNow = (state: RunState, seed: number, iteration: number): boolean => {
  const rule = state.settings?.search.merge
  return (
    rule !== undefined &&
    state.members.length >= rule.after &&
    state.merges < rule.atMost &&
    uniform(seed, "merge", iteration) < mergeRate
  )
}

/**
 * The merge of an iteration, drawn by the run's seed among those that were not tried yet; undefined where there is none.
 * One module: a crossover of two of the frontier that lead on disjoint instances. Several: a module swap.
 */
export const drawMerge = (
  state: RunState,
  modules: ReadonlyArray<string>,
  seed: number,
  iteration: number
): Merge | undefined => (modules.length > 1 ? drawSwap(state, seed, iteration) : drawCrossover(state, seed, iteration))

/** Pairs of survivors of the frontier, the earlier one first. */
function* pairsOf(survivors: ReadonlyArray<number>): Generator<readonly [number, number]> {
  for (const [at, i] of survivors.entries()) for (const j of survivors.slice(at + 1)) yield [i, j]
}

const drawn = <A>(all: ReadonlyArray<A>, weights: ReadonlyArray<number>, draw: number): A | undefined =>
  weights.some((weight) => weight > 0) ? all[weightedIndex(weights, draw)] : undefined

/**
 * A pair of survivors, neither of which comes from the other, in proportion to what they have to give each other: the smaller of the numbers of instances that
 * the one leads and the other does not. Instances that both lead, all ties, count for neither.
 */
const drawCrossover = (state: RunState, seed: number, iteration: number): Merge | undefined => {
  const survivors = [...state.frontier.survivors().keys()]
  const leads = new Map(survivors.map((candidate) => [candidate, new Set<number>()]))
  const { allowed } = state
  const instances = state.index?.instances.length ?? 0
  for (let instance = 0; instance < instances; instance++) {
    let best = Number.NEGATIVE_INFINITY
    for (const { rewards } of allowed) if (rewards[instance]! > best) best = rewards[instance]!
    for (const [candidate, led] of leads) {
      if (state.members[candidate]!.rewards[instance]! >= best - tolerance) led.add(instance)
    }
  }
  const alone = (i: number, j: number) => {
    const other = leads.get(j)!
    let count = 0
    for (const instance of leads.get(i)!) if (!other.has(instance)) count++
    return count
  }
  const ancestors = lineages(state, survivors)
  const pairs = [...pairsOf(survivors)].filter(([i, j]) => {
    const parents = [idOf(state, i), idOf(state, j)] as const
    // What was made from the other has what the other has, or has lost it for a reason.
    const related = ancestors.get(i)!.has(parents[1]) || ancestors.get(j)!.has(parents[0])
    return !related && !state.triedMerges.has(mergeKey({ how: "crossover", parents }))
  })
  const weights = pairs.map(([i, j]) => Math.min(alone(i, j), alone(j, i)))
  const pair = drawn(pairs, weights, uniform(seed, "merge pair", iteration))
  return pair === undefined
    ? undefined
    : { how: "crossover", parents: [state.members[pair[0]]!.candidate, state.members[pair[1]]!.candidate] }
}

const idOf = (state: RunState, member: number): CandidateId => state.members[member]!.candidate.id

/** All ancestors of a candidate, without itself. */
export const ancestorsOf = (state: RunState, { parents }: Candidate): ReadonlySet<CandidateId> => {
  const found = new Set<CandidateId>()
  const queue = [...parents]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue
    found.add(id)
    queue.push(...(state.member(id)?.candidate.parents ?? []))
  }
  return found
}

const lineages = (state: RunState, survivors: ReadonlyArray<number>) =>
  new Map(survivors.map((member) => [member, ancestorsOf(state, state.members[member]!.candidate)] as const))

const meanOf = (member: Member): number => meanReward(member.rewards).mean ?? 0

/**
 * What a swap of two descendants of an ancestor gives [GEPA]: each module from the one that changed it; where both did,
 * from the one with the greater mean reward (a tie by `coin`); undefined unless one of the two has a module of the
 * ancestor where the other has another.
 */
export const swapped = (
  [first, second]: readonly [Candidate, Candidate],
  ancestor: Candidate,
  better: "first" | "second"
): { readonly choices: Record<string, CandidateId>; readonly instructions: Instructions } | undefined => {
  const choices: Record<string, CandidateId> = {}
  const instructions: Record<string, string> = {}
  let gives = false
  for (const module of Object.keys(first.instructions).sort()) {
    const [one, other, before] = [first, second, ancestor].map(({ instructions }) => instructions[module])
    if (one === undefined || other === undefined) return undefined
    const keeps = one !== other && (one === before || other === before)
    gives ||= keeps
    const from = one === other ? first : keeps ? (one === before ? second : first) : better === "first" ? first : second
    choices[module] = from.id
    instructions[module] = from.instructions[module]!
  }
  return gives ? { choices, instructions } : undefined
}

/**
 * A swap between two survivors, neither of which comes from the other, over a common ancestor that is no better than
 * either; drawn in proportion to the ancestor's mean reward [GEPA]. What the pool has, or has tried, is no swap.
 */
const drawSwap = (state: RunState, seed: number, iteration: number): Merge | undefined => {
  const survivors = [...state.frontier.survivors().keys()]
  const ancestors = lineages(state, survivors)
  const found: Array<Merge> = []
  const weights: Array<number> = []
  const seen = new Set<string>()
  for (const [i, j] of pairsOf(survivors)) {
    const [one, other] = [state.members[i]!, state.members[j]!]
    const [ofOne, ofOther] = [ancestors.get(i)!, ancestors.get(j)!]
    if (ofOne.has(other.candidate.id) || ofOther.has(one.candidate.id)) continue
    const [meanOne, meanOther] = [meanOf(one), meanOf(other)]
    const coin = uniform(seed, "merge coin", iteration, one.candidate.id, other.candidate.id) < 0.5
    const better = meanOne === meanOther ? (coin ? "first" : "second") : meanOne > meanOther ? "first" : "second"
    for (const id of ofOne) {
      const ancestor = ofOther.has(id) ? state.member(id) : undefined
      if (ancestor === undefined || meanOf(ancestor) > Math.min(meanOne, meanOther)) continue
      const parents = [one.candidate, other.candidate] as const
      const made = swapped(parents, ancestor.candidate, better)
      if (made === undefined) continue
      const key = mergeKey({ how: "swap", parents: [], instructions: made.instructions })
      if (seen.has(key) || state.triedMerges.has(key) || state.born(candidateId(made.instructions))) continue
      seen.add(key)
      found.push({ how: "swap", parents, ancestor: id, ...made })
      // An ancestor without any reward is as good a start as others of its kind.
      weights.push(Math.max(meanOf(ancestor), 1e-9))
    }
  }
  return drawn(found, weights, uniform(seed, "merge pair", iteration))
}
