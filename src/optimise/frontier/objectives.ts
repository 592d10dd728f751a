import type { ErrorClass } from "../../domain/Dataset.ts"
import type { Detection } from "../../domain/RunEvent.ts"
import { pairOutcome } from "../../measure/discrimination.ts"
import type { TableIndex } from "../itemTable.ts"
import { meanReward, type Standing } from "../rewards.ts"
import { covers } from "./dominance.ts"
import type { Frontier } from "./Frontier.ts"
import { hypervolume } from "./hypervolume.ts"

/**
 * Paired discrimination on omissions and on commissions (additions and alterations), and 1 − false alarms at the
 * operating point that `figures` has: each from 0 to 1, more is better. 1 where the table has nothing to measure it by,
 * which is the same for every candidate.
 */
export type Objectives = readonly [omissions: number, commissions: number, quiet: number]

/** Compared after rounding, like scores, so that equal values are equal whatever their floats were summed in. */
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9

const ordered = (index: TableIndex, { failed, scores }: Standing, ours: (one: ErrorClass) => boolean): number => {
  let won = 0
  let n = 0
  index.pairs.forEach(({ clean, flawed }, pair) => {
    if (!ours(index.table.pairs[pair]!.class)) return
    if (failed[flawed] === 1 || failed[clean] === 1) {
      n++
      return
    }
    const outcome = pairOutcome(scores[flawed]!, scores[clean]!)
    if (Number.isNaN(outcome)) return
    won += outcome
    n++
  })
  if (n > 0) return won / n
  return index.table.pairs.some((pair) => ours(pair.class)) ? 0 : 1
}

const isOmission = (one: ErrorClass) => one === "omission"
const isCommission = (one: ErrorClass) => !isOmission(one)

/**
 * A candidate's objectives. A note whose call failed, or was not made, counts against it: a lower bound, so that no
 * candidate is ahead by the notes that it was not judged on. Serves selection and the hypervolume only.
 */
export const objectivesOf = (index: TableIndex, stands: Standing, detection: Detection | null): Objectives => {
  const { failed } = stands
  const missing = index.instances.filter(({ item, kind }) => kind === "clean" && failed[item] === 1).length
  const clean = (detection?.clean ?? 0) + missing
  return [
    rounded(ordered(index, stands, isOmission)),
    rounded(ordered(index, stands, isCommission)),
    clean === 0 ? 1 : rounded(1 - ((detection?.falseAlarms ?? 0) + missing) / clean)
  ]
}

/**
 * Candidates whose objectives none covers, all with one weight. Of several with the same objectives the one with the
 * greatest mean reward stays, else the latest.
 */
export const objectivesFrontier = (): Frontier => {
  const points: Array<{ readonly candidate: number; readonly objectives: Objectives; readonly mean: number }> = []
  let candidates = 0
  let known: ReadonlyMap<number, number> | undefined
  return {
    get candidates() {
      return candidates
    },
    add: (point) => {
      const candidate = candidates++
      known = undefined
      if (point === null) return
      points.push({ candidate, objectives: point.objectives, mean: meanReward(point.rewards).mean ?? 0 })
    },
    survivors: () => {
      if (known !== undefined) return known
      const strongestFirst = [...points].sort((a, b) => b.mean - a.mean || b.candidate - a.candidate)
      const kept = strongestFirst.filter(
        (one, at) =>
          !strongestFirst.some(
            (other, before) =>
              before !== at &&
              covers(other.objectives, one.objectives) &&
              (before < at || !covers(one.objectives, other.objectives))
          )
      )
      known = new Map(kept.map(({ candidate }) => [candidate, 1] as const).sort(([a], [b]) => a - b))
      return known
    }
  }
}

/** The share of the unit cube that the candidates' objectives cover together, from 0 to 1. */
export const covered = (all: Iterable<Objectives>): number => hypervolume(all)
