import type { Instance } from "../domain/Item.ts"
import { type Outcomes, scoreOf } from "../domain/Judgement.ts"
import { pairOutcome } from "../measure/discrimination.ts"
import type { TableIndex } from "./itemTable.ts"

/** What the scores of a judge design mean for rewards: the greatest score, and the gap that earns the full margin. */
export interface Scale {
  readonly min?: number
  readonly max: number
  readonly margin: number
}

/** 0–10 scores of whole notes [OB]. */
export const wholeNoteScale: Scale = { max: 10, margin: 3 }

const clamp01 = (value: number) => Math.min(1, Math.max(0, value))

/** How an item stands: its score, or why it has none. */
export interface Standing {
  readonly scores: Float64Array
  /** 1 where the call failed: there is nothing to reward or to blame. */
  readonly failed: Uint8Array
}

/** Outcomes by position in the table. An item without an outcome was not judged. */
export const standing = (index: TableIndex, outcomes: Outcomes): Standing => {
  const scores = new Float64Array(index.table.items.length)
  const failed = new Uint8Array(index.table.items.length)
  index.table.items.forEach(({ id }, position) => {
    const outcome = outcomes[id]
    scores[position] = scoreOf(outcome)
    failed[position] = outcome === undefined || outcome._tag === "failed" ? 1 : 0
  })
  return { scores, failed }
}

/**
 * The reward of one instance in [0, 1], threshold-free [OB]. Flawed: ½ for the order (½ of it for a tie) and ½ for the
 * gap up to the margin. Clean: score / max. Without a twin: 1 − score / max. A reply that cannot be read earns 0, for a
 * pair also when it is the twin's: such a pair cannot be ranked. NaN where a call failed: infrastructure is no verdict.
 */
export const reward = (instance: Instance, { failed, scores }: Standing, scale: Scale): number => {
  const score = scores[instance.item]!
  if (failed[instance.item] === 1) return Number.NaN
  if (instance.kind === "clean") return Number.isNaN(score) ? 0 : clamp01(score / scale.max)
  if (instance.kind === "lone") return Number.isNaN(score) ? 0 : clamp01(1 - score / scale.max)
  if (failed[instance.twin] === 1) return Number.NaN
  const twin = scores[instance.twin]!
  const order = pairOutcome(score, twin)
  return Number.isNaN(order) ? 0 : order / 2 + clamp01((twin - score) / scale.margin) / 2
}

export const rewards = (index: TableIndex, outcomes: Outcomes, scale: Scale): Float64Array => {
  const stands = standing(index, outcomes)
  return Float64Array.from(index.instances, (instance) => reward(instance, stands, scale))
}

/** Mean of the rewards that exist (NaN left out), and how many those are. Null without any. */
export const meanReward = (values: Float64Array): { readonly mean: number | null; readonly n: number } => {
  let sum = 0
  let n = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    sum += value
    n++
  }
  return { mean: n === 0 ? null : sum / n, n }
}

/** Means of two candidates over the instances on which both have a reward. */
export const compareRewards = (a: Float64Array, b: Float64Array) => {
  let sumA = 0
  let sumB = 0
  let n = 0
  for (let i = 0; i < a.length; i++) {
    const [left, right] = [a[i]!, b[i]!]
    if (Number.isNaN(left) || Number.isNaN(right)) continue
    sumA += left
    sumB += right
    n++
  }
  return { a: n === 0 ? null : sumA / n, b: n === 0 ? null : sumB / n, n }
}
