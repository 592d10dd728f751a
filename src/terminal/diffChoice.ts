import type { Instructions } from "../domain/Candidate.ts"
import type { IterationState, Member, RunState } from "../optimise/RunState.ts"
import { charactersOf } from "./frontierRows.ts"
import { type PromptDiff, promptDiff } from "./promptDiff.ts"
import { oneLine } from "./width.ts"

/** A prompt held against one of its parents. */
export interface DiffChoice {
  /** Undefined for a proposal that is no member yet. */
  readonly id: string | undefined
  readonly name: string
  readonly iteration: number
  /** Names of its parents, and which of them it is held against; none for a seed. */
  readonly parents: ReadonlyArray<string>
  readonly against: number
  /** Characters, of the parent (null for a seed) and of the prompt. */
  readonly lengths: readonly [before: number | null, after: number]
  readonly diff: PromptDiff
}

const proposals = new WeakMap<IterationState, Instructions>()

/** The instructions that the proposal under way would make, one object for as long as it is judged. */
const proposed = (current: IterationState, parent: Member): Instructions => {
  const found = proposals.get(current) ?? {
    ...parent.candidate.instructions,
    [current.module]: current.instruction ?? ""
  }
  proposals.set(current, found)
  return found
}

const seedDiffs = new WeakMap<Instructions, PromptDiff>()

/** A seed is shown as it is, not as one long addition. */
const asItIs = (instructions: Instructions): PromptDiff => {
  const found = seedDiffs.get(instructions)
  if (found !== undefined) return found
  const { modules } = promptDiff(instructions, { ...instructions })
  const diff: PromptDiff = { modules, added: 0, removed: 0 }
  seedDiffs.set(instructions, diff)
  return diff
}

/**
 * The prompt that somebody chose by its id; else the proposal under way, else the newest member. `parent` is the number
 * of the parent to hold it against, taken round. Undefined before the first member.
 */
export const diffChoice = (state: RunState, chosen: string | undefined, parent = 0): DiffChoice | undefined => {
  const { current } = state
  const member = chosen === undefined ? undefined : state.members.find(({ candidate }) => candidate.id === chosen)
  if (member === undefined && typeof current?.instruction === "string") {
    const from = state.member(current.parent)
    if (from !== undefined) {
      const after = proposed(current, from)
      return {
        id: undefined,
        name: `proposal of iteration ${current.iteration}`,
        iteration: current.iteration,
        parents: [oneLine(from.candidate.name)],
        against: 0,
        lengths: [charactersOf(from.candidate.instructions), charactersOf(after)],
        diff: promptDiff(from.candidate.instructions, after)
      }
    }
  }
  const shown = member ?? state.members.at(-1)
  if (shown === undefined) return undefined
  const { candidate } = shown
  const parents = candidate.parents.flatMap((id) => state.member(id) ?? [])
  const against = parents.length === 0 ? 0 : parent % parents.length
  const before = parents[against]?.candidate.instructions
  return {
    id: candidate.id,
    name: oneLine(candidate.name),
    iteration: candidate.iteration,
    parents: parents.map(({ candidate }) => oneLine(candidate.name)),
    against,
    lengths: [before === undefined ? null : charactersOf(before), charactersOf(candidate.instructions)],
    diff: before === undefined ? asItIs(candidate.instructions) : promptDiff(before, candidate.instructions)
  }
}
