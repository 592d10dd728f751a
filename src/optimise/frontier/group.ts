import type { TableIndex } from "../itemTable.ts"
import { CellFrontier } from "./cells.ts"
import type { Frontier } from "./Frontier.ts"

export interface Group {
  /** `clean`, `lone`, or the class of error with its trace where it has one, such as `omission/fragment`. */
  readonly name: string
  /** Positions of its instances. */
  readonly instances: ReadonlyArray<number>
}

/** The groups of a table's instances, in the order in which the table first has them. */
export const groupsOf = ({ instances, table }: TableIndex): ReadonlyArray<Group> => {
  const groups = new Map<string, Array<number>>()
  instances.forEach((instance, position) => {
    const pair = instance.kind === "flawed" ? table.pairs[instance.pair] : undefined
    const name = pair === undefined ? instance.kind : [pair.class, pair.trace].filter(Boolean).join("/")
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [position])
    else group.push(position)
  })
  return [...groups].map(([name, positions]) => ({ name, instances: positions }))
}

/**
 * Mean rewards by group. An instance without a reward (NaN: its call failed, or was not made) counts as nothing earned:
 * a lower bound, so that no candidate leads a group by the notes that it was not judged on. Serves selection only.
 */
export const groupMeans = (groups: ReadonlyArray<Group>, rewards: Float64Array): Float64Array =>
  Float64Array.from(groups, ({ instances }) => {
    let sum = 0
    for (const instance of instances) sum += rewards[instance]! || 0
    return sum / instances.length
  })

/** A candidate leads a group where no other has a greater mean reward; its weight is how many groups it leads. */
export const groupFrontier = (index: TableIndex): Frontier => {
  const groups = groupsOf(index)
  const cells = new CellFrontier(groups.length)
  const nothing = new Float64Array(groups.length).fill(Number.NaN)
  return {
    get candidates() {
      return cells.candidates
    },
    add: (point) => cells.add(point === null ? nothing : groupMeans(groups, point.rewards)),
    survivors: () => cells.survivors()
  }
}
