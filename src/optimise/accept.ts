import type { Acceptance } from "../domain/Campaign.ts"
import { flipTail } from "../statistics/signFlip.ts"
import type { TableIndex } from "./itemTable.ts"
import type { EventOf } from "./Journal.ts"
import { compareRewards } from "./rewards.ts"

/** Means closer than this are equal. */
export const tolerance = 1e-9

/** How many times each candidate is judged on a minibatch. */
export const repeatsOf = (accept: Acceptance | undefined): number =>
  typeof accept === "object" && "paired" in accept ? accept.paired.repeats : 1

export type Verdict = Pick<EventOf<"decided">, "accepted" | "reason" | "detail"> & Partial<EventOf<"decided">>

/** The rewards of parent and child on the minibatch: one array a repeat, by instance; NaN where a call failed. */
export interface Judged {
  readonly parent: ReadonlyArray<Float64Array>
  readonly child: ReadonlyArray<Float64Array>
}

/**
 * Whether the child becomes a member of the pool: its mean reward is strictly above the parent's on the instances that
 * both could be judged on [method §5.6], and what else the rule asks for. `seed` is for the draws of a test that is too
 * large to be exact.
 */
export const decideAcceptance = (
  index: TableIndex,
  { child, parent }: Judged,
  accept: Acceptance | undefined,
  against: string,
  seed: number
): Verdict => {
  const repeats = parent.length
  const [before, after] = [joined(parent), joined(child)]
  const { a, b, n } = compareRewards(before, after)
  const figures = { parentReward: a, childReward: b, compared: n }
  const asked = index.instances.length * repeats
  if (a === null || b === null || n * 2 < asked) {
    return {
      ...figures,
      accepted: false,
      reason: "not-judged",
      detail: `only ${n} of ${asked} notes could be judged for both parent and child`
    }
  }
  const notes = repeats === 1 ? `${n} notes` : `${n} judgements, ${repeats} of each note`
  const rule = ruleOf(index, parent, child, b - a, accept, seed)
  const { also, ok, p } = b <= a + tolerance ? { ok: false, also: rule.also, p: rule.p } : rule
  return {
    ...figures,
    ...(p === undefined ? {} : { p }),
    accepted: ok,
    reason: ok ? null : "not-better",
    detail: `mean reward ${b.toFixed(3)} against ${against} ${a.toFixed(3)} on the same ${notes}${also}`
  }
}

const ruleOf = (
  index: TableIndex,
  parent: ReadonlyArray<Float64Array>,
  child: ReadonlyArray<Float64Array>,
  gain: number,
  accept: Acceptance | undefined,
  seed: number
): { readonly ok: boolean; readonly also: string; readonly p?: number } => {
  if (accept === undefined || accept === "strict") return { ok: true, also: "" }
  if ("margin" in accept) {
    return { ok: gain > accept.margin + tolerance, also: `; a gain of more than ${accept.margin} is asked for` }
  }
  const { p, units } = pairedTest(index, parent, child, seed)
  return {
    ok: p <= accept.paired.alpha,
    p,
    also: `; one-sided p ${p < 0.0001 ? "< 0.0001" : p.toFixed(4)} by sign flips of ${units} consultations and repeats, at most ${accept.paired.alpha} is asked for`
  }
}

const joined = (all: ReadonlyArray<Float64Array>): Float64Array => Float64Array.from(all.flatMap((one) => [...one]))

/**
 * One-sided permutation test that the child is better than the parent on the consultations of the minibatch. Under the
 * null the two answer each consultation alike, up to the judge's noise, so that they may be swapped in each repeat of
 * each consultation: the sums of the differences there flip their signs. It says nothing of other consultations. `p` is 1
 * where the child is no better.
 */
export const pairedTest = (
  index: TableIndex,
  parent: ReadonlyArray<Float64Array>,
  child: ReadonlyArray<Float64Array>,
  seed: number
): { readonly p: number; readonly units: number } => {
  const sums = new Map<string, number>()
  for (const [repeat, before] of parent.entries()) {
    const after = child[repeat]!
    for (const [at, { item }] of index.instances.entries()) {
      const difference = after[at]! - before[at]!
      if (Number.isNaN(difference)) continue
      const unit = `${repeat} ${index.table.items[item]!.consultation}`
      sums.set(unit, (sums.get(unit) ?? 0) + difference)
    }
  }
  const values = [...sums.values()]
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= tolerance) return { p: 1, units: values.length }
  // The distribution is symmetric: half of the two-sided tail is on this side.
  return { p: flipTail(values, { seed }, tolerance).p / 2, units: values.length }
}
