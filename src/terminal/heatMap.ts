import type { TableIndex } from "../optimise/itemTable.ts"
import type { Member, RunState } from "../optimise/RunState.ts"
import { type FrontierRow, poolRows } from "./frontierRows.ts"
import { oneLine } from "./width.ts"

/** Instances of one consultation, side by side. */
interface Group {
  readonly consultation: string
  /** Its first column, and how many it takes. */
  readonly start: number
  readonly instances: ReadonlyArray<number>
}

interface Layout {
  readonly groups: ReadonlyArray<Group>
  /** Columns of the whole map, with one free between consultations. */
  readonly width: number
}

/** A candidate's row of the map. */
export interface HeatRow extends FrontierRow {
  /** A mark for each column. */
  readonly marks: string
}

/** Rewards of every instance for every candidate; grouped by consultation. */
export interface HeatMap {
  readonly groups: ReadonlyArray<{ readonly label: string; readonly start: number }>
  readonly width: number
  readonly instances: number
  /** The best reward of any candidate. */
  readonly best: string
  /** Best candidate first. */
  readonly rows: ReadonlyArray<HeatRow>
}

/** What the marks mean, most wanted first: from which reward on, and in words. */
export const heatMarks = [
  { mark: "#", from: 0.9, means: "≥ .9" },
  { mark: "+", from: 0.5, means: "≥ .5" },
  { mark: "-", from: 0.2, means: "≥ .2" },
  { mark: ".", from: Number.NEGATIVE_INFINITY, means: "less" }
] as const
export const unreadableMark = "?"
export const unansweredMark = "!"

const layouts = new WeakMap<TableIndex, Layout>()

const layoutOf = (index: TableIndex): Layout => {
  const known = layouts.get(index)
  if (known !== undefined) return known
  const by = new Map<string, Array<number>>()
  // Pairs first in each consultation: they are what is to be told apart.
  const order = [...index.instances.keys()].sort(
    (a, b) => Number(index.instances[a]!.kind === "clean") - Number(index.instances[b]!.kind === "clean") || a - b
  )
  for (const { consultation } of index.table.items) if (!by.has(consultation)) by.set(consultation, [])
  for (const at of order) by.get(index.table.items[index.instances[at]!.item]!.consultation)!.push(at)
  const groups: Array<Group> = []
  let column = 0
  for (const [consultation, instances] of by) {
    if (instances.length === 0) continue
    groups.push({ consultation: oneLine(consultation), start: column, instances })
    column += instances.length + 1
  }
  const layout = { groups, width: Math.max(0, column - 1) }
  layouts.set(index, layout)
  return layout
}

const markOf = (reward: number): string =>
  Number.isNaN(reward) ? unansweredMark : heatMarks.find(({ from }) => reward >= from - 1e-9)!.mark

const instanceMark = (index: TableIndex, { rewards, scores }: Member, at: number): string => {
  const instance = index.instances[at]!
  const reward = rewards[at]!
  if (Number.isNaN(reward)) return unansweredMark
  const unread =
    Number.isNaN(scores[instance.item]!) || (instance.kind === "flawed" && Number.isNaN(scores[instance.twin]!))
  return unread ? unreadableMark : markOf(reward)
}

const row = ({ groups }: Layout, mark: (instance: number) => string): string =>
  groups.map(({ instances }) => instances.map(mark).join("")).join(" ")

const drawn = new WeakMap<Member, string>()

const marksOf = (index: TableIndex, member: Member): string => {
  const known = drawn.get(member)
  if (known !== undefined) return known
  const marks = row(layoutOf(index), (at) => instanceMark(index, member, at))
  drawn.set(member, marks)
  return marks
}

/** Undefined before the run has its notes. */
export const heatMap = (state: RunState): HeatMap | undefined => {
  const { index, members } = state
  if (index === undefined) return undefined
  const layout = layoutOf(index)
  const best = (at: number) => {
    let most = Number.NaN
    for (const { rewards } of members) {
      const reward = rewards[at]!
      if (!(reward <= most) && !Number.isNaN(reward)) most = reward
    }
    return markOf(most)
  }
  const byId = new Map(members.map((member) => [member.candidate.id as string, member]))
  return {
    groups: layout.groups.map(({ consultation, start }) => ({ label: consultation, start })),
    width: layout.width,
    instances: index.instances.length,
    best: members.length === 0 ? "" : row(layout, best),
    rows: poolRows(state).map((one) => ({ ...one, marks: marksOf(index, byId.get(one.id)!) }))
  }
}

/** A consultation with a candidate's mean reward over the instances that could be judged, and how many those are. */
export interface Weakness {
  readonly consultation: string
  readonly reward: number
  readonly n: number
}

const weak = new WeakMap<Member, ReadonlyArray<Weakness>>()

/** Consultations by the candidate's mean reward, lowest first. */
export const weaknesses = (state: RunState, id: string): ReadonlyArray<Weakness> => {
  const member = state.members.find(({ candidate }) => candidate.id === id)
  if (member === undefined || state.index === undefined) return []
  const known = weak.get(member)
  if (known !== undefined) return known
  const found = layoutOf(state.index)
    .groups.flatMap(({ consultation, instances }): ReadonlyArray<Weakness> => {
      const judged = instances.map((at) => member.rewards[at]!).filter((reward) => !Number.isNaN(reward))
      if (judged.length === 0) return []
      return [{ consultation, reward: judged.reduce((sum, one) => sum + one, 0) / judged.length, n: judged.length }]
    })
    .sort((a, b) => a.reward - b.reward)
  weak.set(member, found)
  return found
}
