import { pairOutcome } from "../../../measure/discrimination.ts"
import { indexTable, type TableIndex } from "../../../optimise/itemTable.ts"
import { unpackRows, unpackText } from "../packing.ts"
import type { ReportData } from "../ReportData.ts"

/** The data as the drawings use them. */
export interface Model {
  readonly data: ReportData
  readonly index: TableIndex
  readonly names: ReadonlyArray<string>
  /** Scores of a member by item; NaN without one. */
  readonly scores: (member: number) => Float64Array
  /** Whether the reply to an item could not be read. */
  readonly unreadable: (member: number, item: number) => boolean
  /** Rewards of a member by instance; NaN where a call failed. */
  readonly rewards: (member: number) => Float64Array
  readonly text: (at: number) => string
  /** 1 for right, ½ for a tie, 0 for wrong, NaN without both scores. */
  readonly outcome: (member: number, pair: number) => number
}

export const modelOf = (data: ReportData): Model => {
  const index = indexTable(data.table)
  const outcomes = unpackRows(data.scores, data.table.items.length)
  const known = new Map<number, Float64Array>()
  const scores = (member: number) => {
    const own = known.get(member) ?? outcomes(member).map((score) => (Number.isFinite(score) ? score : Number.NaN))
    known.set(member, own)
    return own
  }
  return {
    data,
    index,
    names: data.members.map(({ node }) => data.nodes[node]!.name),
    scores,
    unreadable: (member, item) => outcomes(member)[item] === Number.POSITIVE_INFINITY,
    rewards: unpackRows(data.rewards, index.instances.length),
    text: (at) => unpackText(data.texts, at),
    outcome: (member, pair) => {
      const { clean, flawed } = index.pairs[pair]!
      const own = scores(member)
      return pairOutcome(own[flawed]!, own[clean]!)
    }
  }
}

/** Members to choose from: the winner first, then the seeds, then the others. */
export const memberOptions = ({ data, names }: Model): ReadonlyArray<readonly [string, string]> => {
  const rank = (member: number) =>
    member === data.winner ? 0 : data.nodes[data.members[member]!.node]!.kind === "seed" ? 1 : 2
  return names
    .map((name, member) => ({ name, member }))
    .sort((a, b) => rank(a.member) - rank(b.member) || a.member - b.member)
    .map(({ member, name }) => [
      String(member),
      `${name}${member === data.winner ? " (winner)" : rank(member) === 1 ? " (seed)" : ""}`
    ])
}
