import type { ErrorClass } from "../../domain/Dataset.ts"
import type { Figures, ItemTable } from "../../domain/RunEvent.ts"
import type { PackedNumbers, PackedTexts } from "./packing.ts"

/** A seed, a member of the pool or a rejected proposal, as the tree shows it. */
export interface ReportNode {
  /** `raced`: accepted, and its evaluation cut short, so that it is no parent and no winner. */
  readonly kind: "seed" | "accepted" | "raced" | "rejected"
  readonly name: string
  readonly id: string | null
  readonly origin: string
  /** Places among the nodes; the first is the one that the tree hangs it from. */
  readonly parents: ReadonlyArray<number>
  readonly iteration: number
  /** Which of its iteration's proposals it is, from 1. */
  readonly proposal: number
  /** The module that a proposal is of; null for seeds. */
  readonly module: string | null
  /** Each module's text, by its place among the texts. Of a rejected proposal the module that it is of, or nothing. */
  readonly texts: ReadonlyArray<readonly [module: string, text: number]>
  readonly reason: string | null
  readonly detail: string
  /** Mean rewards on the minibatch, over the `compared` notes that both could be judged on. */
  readonly parentReward: number | null
  readonly childReward: number | null
  readonly compared: number
  /** The place among the members; null for what is none. */
  readonly member: number | null
  /** The beginning of an answer that no instruction could be read from, by its place among the texts. */
  readonly reply: number | null
}

export interface ReportMember {
  readonly node: number
  readonly figures: Figures
  /** Instances that it leads; 0 when it is off the frontier. */
  readonly leads: number
  readonly characters: number
}

/** What was bought up to an event. */
export interface CostPoint {
  readonly iteration: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly calls: number
  readonly tokens: number
  /** US dollars of the answered calls whose cost is known. */
  readonly usd: number
  /** Answered calls whose cost is unknown. */
  readonly unpriced: number
}

export interface BudgetLimits {
  readonly usd?: number
  readonly calls?: number
  readonly tokens?: number
}

/** What the page's script draws from. Everything in it that comes from data or a model is text, never markup. */
export interface ReportData {
  readonly format: "assize-report/1"
  readonly run: string
  readonly nodes: ReadonlyArray<ReportNode>
  readonly members: ReadonlyArray<ReportMember>
  readonly winner: number | null
  /** The seed that the winner is held against, as a member; null where the winner is the only seed. */
  readonly baseline: number | null
  readonly table: ItemTable
  /** Members × items: the score, NaN where a call failed, infinity where the reply could not be read. */
  readonly scores: PackedNumbers
  /** Members × instances: the reward, NaN where a call failed. */
  readonly rewards: PackedNumbers
  readonly primary: { readonly name: string; readonly classes: ReadonlyArray<ErrorClass> | null }
  readonly secondary: { readonly name: string } | null
  /** Classes and cap of the operating points. */
  readonly detection: { readonly classes: ReadonlyArray<ErrorClass> | null; readonly cap: number }
  readonly minScore: number
  readonly maxScore: number
  readonly iterations: number
  readonly cost: ReadonlyArray<CostPoint>
  readonly budget: BudgetLimits
  readonly texts: PackedTexts
  /** Note texts by item, as places among the texts; -1 where there is none. Empty where the report holds no notes. */
  readonly notes: ReadonlyArray<number>
  /** What each pair is about: the fact, and its mentions that the flawed note still has. */
  readonly pairs: ReadonlyArray<{ readonly fact?: string; readonly residual?: ReadonlyArray<string> }>
  /** The judge's reasons, as places among the texts: by member, then by item. */
  readonly reasons: Readonly<Record<number, Readonly<Record<number, number>>>>
  /** Why the report holds no note, or not every one; null where it holds all. */
  readonly withoutTexts: string | null
}
