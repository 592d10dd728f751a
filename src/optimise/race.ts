import * as Effect from "effect/Effect"
import type { Measure } from "../domain/Campaign.ts"
import type { Candidate } from "../domain/Candidate.ts"
import type { Outcome, Outcomes } from "../domain/Judgement.ts"
import { shuffled } from "../domain/Random.ts"
import type { RunSettings } from "../domain/RunEvent.ts"
import { Judge } from "../judge/Judge.ts"
import { pairOutcome } from "../measure/discrimination.ts"
import { acceptanceFigures } from "./evaluation.ts"
import { measured } from "./figures.ts"
import type { TableIndex } from "./itemTable.ts"
import type { RunState } from "./RunState.ts"
import { standing } from "./rewards.ts"
import type { Task } from "./task.ts"

type Objective = RunSettings["objective"]

/** What a child has to come up to: the winner's measures, and the pairs that no member orders rightly. */
export interface Race {
  /** Of the winner so far; null without pairs to measure. */
  readonly primary: number | null
  readonly secondary: number | null
  /** Positions of the pairs that no member of the pool orders rightly. */
  readonly unsolved: ReadonlySet<number>
}

/** The race against the pool as it stands. */
export const raceOf = (state: RunState, index: TableIndex): Race => {
  const unsolved = new Set<number>()
  for (const [at, { clean, flawed }] of index.pairs.entries()) {
    const solved = state.allowed.some(({ scores }) => pairOutcome(scores[flawed]!, scores[clean]!) === 1)
    if (!solved) unsolved.add(at)
  }
  const { primary = null, secondary = null } = state.winner?.figures ?? {}
  return { primary, secondary, unsolved }
}

const tie = 1e-9

/** Below and above any score: what is given to a note that is taken to be judged as badly, or as well, as can be. */
const ends = { least: -1e9, most: 1e9 }

/** Outcomes for the notes as good for the candidate as they can be, or as bad. */
const supposed = (
  index: TableIndex,
  positions: Iterable<number>,
  how: "best" | "worst"
): ReadonlyArray<readonly [string, Outcome]> => {
  const flawed = new Set(index.pairs.map((pair) => pair.flawed))
  return Array.from(positions, (position) => [
    index.table.items[position]!.id,
    { _tag: "scored", score: flawed.has(position) === (how === "best") ? ends.least : ends.most }
  ])
}

const unjudged = (index: TableIndex, outcomes: Outcomes): ReadonlyArray<number> =>
  index.table.items.flatMap(({ id }, position) =>
    outcomes[id] === undefined || outcomes[id]._tag === "failed" ? [position] : []
  )

/** The most that the measure can come to, whatever the notes that are not judged yet will get. */
const bound = (index: TableIndex, outcomes: Outcomes, measure: Measure): number | null =>
  measured(index, { ...outcomes, ...Object.fromEntries(supposed(index, unjudged(index, outcomes), "best")) }, measure)

/**
 * Whether the outcomes so far leave the candidate a chance to lead where it matters: to win against the members that the
 * pool has, were all that is not judged yet to go its way, or to be the first to order a pair rightly. A note whose call
 * failed counts as not judged.
 */
export const mayLead = (
  index: TableIndex,
  outcomes: Outcomes,
  race: Race,
  { primary, secondary }: Objective
): boolean => {
  const stands = standing(index, outcomes)
  for (const pair of race.unsolved) {
    const { clean, flawed } = index.pairs[pair]!
    const open = stands.failed[flawed] === 1 || stands.failed[clean] === 1
    if (open || pairOutcome(stands.scores[flawed]!, stands.scores[clean]!) === 1) return true
  }
  const most = bound(index, outcomes, primary)
  if (race.primary === null || most === null) return true
  if (Math.abs(most - race.primary) > tie) return most > race.primary
  // Equal in the first, it needs the second; equal in both, the earlier candidate wins.
  return secondary !== undefined && (bound(index, outcomes, secondary) ?? 0) > (race.secondary ?? 0) + tie
}

/** Positions of the notes of each consultation, in the order in which a race judges them: those of unsolved pairs first. */
const order = (
  task: Task,
  index: TableIndex,
  race: Race,
  candidate: Candidate
): ReadonlyArray<ReadonlyArray<number>> => {
  const groups = new Map<string, { readonly key: string; readonly positions: Array<number> }>()
  task.acceptance.items.forEach(({ consultation, key }, position) => {
    const known = groups.get(consultation)
    if (known === undefined) groups.set(consultation, { key, positions: [position] })
    else known.positions.push(position)
  })
  const open = new Set([...race.unsolved].map((pair) => index.table.items[index.pairs[pair]!.flawed]!.consultation))
  const drawn = shuffled([...groups], ([, { key }]) => key, task.settings.search.seed, "race", candidate.id)
  return [...drawn.filter(([id]) => open.has(id)), ...drawn.filter(([id]) => !open.has(id))].map(
    ([, { positions }]) => positions
  )
}

/** How many of the consultations must be judged before the race can possibly be over, which it is at their end at last. */
const untilDecided = (
  index: TableIndex,
  outcomes: Outcomes,
  left: ReadonlyArray<ReadonlyArray<number>>,
  race: Race,
  objective: Objective
): number => {
  const mayStill = (count: number) => {
    const lost = Object.fromEntries(supposed(index, left.slice(0, count).flat(), "worst"))
    return mayLead(index, { ...outcomes, ...lost }, race, objective)
  }
  // The more of them are lost, the less may the candidate still lead.
  let [low, high] = [1, left.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (mayStill(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Judges an accepted child on the acceptance part, consultation by consultation in a seeded order, those first that hold
 * a pair which no member of the pool orders rightly; and no further once it `mayLead` no more. Guaranteed: a child whose
 * evaluation is cut short would neither have won against the members that the pool has now, nor have been the first to
 * order any pair rightly, whatever the judge had said of the other notes. Not guaranteed: it might have led instances by a
 * wider gap on pairs that others order rightly too, or by a higher score of a clean note, and so have been a parent.
 */
export const raceCandidate = Effect.fnUntraced(function* (
  task: Task,
  index: TableIndex,
  race: Race,
  candidate: Candidate
) {
  const judge = yield* Judge
  const { objective } = task.settings
  const { items } = task.acceptance
  let outcomes: Outcomes = {}
  let left = order(task, index, race, candidate)
  while (left.length > 0) {
    const count = untilDecided(index, outcomes, left, race, objective)
    const chosen = left.slice(0, count).flatMap((positions) => positions.map((position) => items[position]!))
    left = left.slice(count)
    const judged = yield* judge.evaluate(candidate.instructions, chosen, {
      label: `acceptance ${candidate.name}`,
      candidate: candidate.id,
      unhurried: true,
      // A consultation or two may fail as a whole without the judge being broken.
      again: Object.keys(outcomes).length > 0
    })
    outcomes = { ...outcomes, ...judged }
    if (left.length > 0 && !mayLead(index, outcomes, race, objective)) {
      const most = bound(index, outcomes, objective.primary)!
      const detail = `with every other note in its favour it would come to ${most.toFixed(3)} in ${objective.primary.measure}, the winner has ${race.primary!.toFixed(3)}; no pair that no member orders rightly is left for it`
      return {
        _tag: "raced",
        ...acceptanceFigures(task, index, candidate, outcomes),
        judged: Object.keys(outcomes).length,
        notes: items.length,
        detail
      } as const
    }
  }
  const inOrder = Object.fromEntries(items.map(({ id }) => [id, outcomes[id]!]))
  return { _tag: "evaluated", ...acceptanceFigures(task, index, candidate, inOrder) } as const
})
