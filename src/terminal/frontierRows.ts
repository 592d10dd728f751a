import type { Instructions } from "../domain/Candidate.ts"
import type { Detection, Discrimination } from "../domain/RunEvent.ts"
import type { Member, RunState } from "../optimise/RunState.ts"
import { oneLine } from "./width.ts"

/** A member of the pool as a table shows it. */
export interface FrontierRow {
  readonly id: string
  readonly name: string
  /** `seed`, or the name of the parent. */
  readonly from: string
  readonly winner: boolean
  /** Instances that it leads; 0 when it is off the frontier. */
  readonly leads: number
  /** The primary measure, which ranks. */
  readonly primary: number | null
  readonly discrimination: Discrimination
  readonly detection: Detection | null
  /** Characters of its instructions. */
  readonly length: number
}

const parentNames = (state: RunState, { parents }: Member["candidate"]): ReadonlyArray<string> =>
  parents.map((id) => oneLine(state.member(id)?.candidate.name ?? id))

/** The name of the parent, or what else a member comes from. */
export const fromOf = (state: RunState, { candidate }: Member): string =>
  candidate.origin === "seed"
    ? "seed"
    : candidate.origin === "human"
      ? ["a person", ...parentNames(state, candidate)].join("'s edit of ")
      : parentNames(state, candidate).join(" + ")

const counted = new WeakMap<Instructions, number>()

/** Characters as a reader counts them, over all modules. */
export const charactersOf = (instructions: Instructions): number => {
  const known = counted.get(instructions)
  if (known !== undefined) return known
  const count = Object.values(instructions).reduce((sum, text) => sum + [...text].length, 0)
  counted.set(instructions, count)
  return count
}

/** Characters of a member's instructions. */
export const lengthOf = ({ candidate }: Member): number => charactersOf(candidate.instructions)

type Fixed = Omit<FrontierRow, "winner" | "leads">
const fixed = new WeakMap<Member, Fixed>()

/** What of a row never changes: members do not, and a view asks many times a second. */
const fixedOf = (state: RunState, member: Member): Fixed => {
  const known = fixed.get(member)
  if (known !== undefined) return known
  const row: Fixed = {
    id: member.candidate.id,
    name: oneLine(member.candidate.name),
    from: fromOf(state, member),
    primary: member.figures.primary,
    discrimination: member.figures.discrimination,
    detection: member.figures.detection,
    length: lengthOf(member)
  }
  fixed.set(member, row)
  return row
}

const rowsOf = (state: RunState, wanted: (row: FrontierRow, member: Member) => boolean): ReadonlyArray<FrontierRow> => {
  const led = state.frontier.survivors()
  const { winner } = state
  return state.members
    .flatMap((member, at): ReadonlyArray<FrontierRow> => {
      const { id } = member.candidate
      const mark = state.isVetoed(id) ? " (vetoed)" : state.remarks.pinOf(id) === undefined ? "" : " (pinned)"
      const known = fixedOf(state, member)
      const row = { ...known, name: known.name + mark, winner: member === winner, leads: led.get(at) ?? 0 }
      return wanted(row, member) ? [row] : []
    })
    .sort((a, b) => Number(b.winner) - Number(a.winner) || (b.primary ?? -1) - (a.primary ?? -1) || b.leads - a.leads)
}

/** The whole pool, best first by what decides. */
export const poolRows = (state: RunState): ReadonlyArray<FrontierRow> => rowsOf(state, () => true)

/** The frontier, what people pinned, the winner, and the seeds for comparison, best first by what decides. */
export const frontierRows = (state: RunState): ReadonlyArray<FrontierRow> =>
  rowsOf(
    state,
    ({ leads, winner }, { candidate }) =>
      leads > 0 || winner || candidate.origin === "seed" || state.remarks.pinOf(candidate.id) !== undefined
  )
