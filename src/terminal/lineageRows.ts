import type { Discrimination } from "../domain/RunEvent.ts"
import type { Member, RunState } from "../optimise/RunState.ts"
import { lengthOf } from "./frontierRows.ts"
import { oneLine } from "./width.ts"

/** A member of the pool in the tree of who comes from whom. */
export interface LineageRow {
  readonly id: string
  readonly name: string
  /** Generations from a seed, by first parents. */
  readonly depth: number
  /** For each generation above it whether that branch goes on below, its own last. */
  readonly branches: ReadonlyArray<boolean>
  /** Names of the parents of a merge beside the first, under which it stands. */
  readonly alsoFrom: ReadonlyArray<string>
  /** The modules that differ from the first parent; none for a seed, or where the judge has only one. */
  readonly modules: ReadonlyArray<string>
  readonly winner: boolean
  readonly leads: number
  readonly iteration: number
  readonly primary: number | null
  readonly discrimination: Discrimination
  readonly length: number
  /** Proposals that were made from it, and how many of them were accepted. */
  readonly tried: number
  readonly accepted: number
}

const changedModules = (member: Member, parent: Member | undefined): ReadonlyArray<string> => {
  const names = Object.keys(member.candidate.instructions)
  if (parent === undefined || names.length < 2) return []
  return names
    .filter((name) => member.candidate.instructions[name] !== parent.candidate.instructions[name])
    .map(oneLine)
}

/** The pool as a tree, top to bottom: seeds in their order, below each its children in the order of their birth. */
export const lineageRows = (state: RunState): ReadonlyArray<LineageRow> => {
  const led = state.frontier.survivors()
  const { winner } = state
  const leads = new Map(state.members.map((member, at) => [member, led.get(at) ?? 0]))
  const made = new Map<string, { tried: number; accepted: number }>()
  for (const { accepted, parent } of state.decisions) {
    const count = made.get(parent) ?? { tried: 0, accepted: 0 }
    count.tried++
    if (accepted) count.accepted++
    made.set(parent, count)
  }
  const children = new Map<Member | undefined, Array<Member>>()
  for (const member of state.members) {
    const [first] = member.candidate.parents
    const parent = first === undefined ? undefined : state.member(first)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [member])
    else siblings.push(member)
  }
  const rows: Array<LineageRow> = []
  // A stack, not recursion: a lineage may be as long as the run.
  const open: Array<{ member: Member; branches: ReadonlyArray<boolean> }> = []
  const below = (parent: Member | undefined, branches: ReadonlyArray<boolean>) => {
    const found = children.get(parent) ?? []
    for (let at = found.length - 1; at >= 0; at--)
      open.push({
        member: found[at]!,
        branches: parent === undefined ? [] : [...branches, at < found.length - 1]
      })
  }
  below(undefined, [])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { branches, member } = next
    const { candidate, figures } = member
    const [first, ...others] = candidate.parents
    rows.push({
      id: candidate.id,
      name: oneLine(candidate.name),
      depth: branches.length,
      branches,
      alsoFrom: others.map((id) => oneLine(state.member(id)?.candidate.name ?? id)),
      modules: changedModules(member, first === undefined ? undefined : state.member(first)),
      winner: member === winner,
      leads: leads.get(member) ?? 0,
      iteration: candidate.iteration,
      primary: figures.primary,
      discrimination: figures.discrimination,
      length: lengthOf(member),
      ...(made.get(candidate.id) ?? { tried: 0, accepted: 0 })
    })
    below(member, branches)
  }
  return rows
}
