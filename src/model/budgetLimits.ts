import type { Charge, Spent } from "../store/CallLog.ts"
import type { BudgetLimit } from "./LanguageModel.ts"

/** Whether a call may be sent: yes, not before calls in flight are settled, or no. */
export type Verdict =
  | { readonly _tag: "free" }
  | { readonly _tag: "wait" }
  | { readonly _tag: "refused"; readonly limit: BudgetLimit; readonly message: string }

/** What a run has used, and of what. */
export interface BudgetUse extends Spent {
  /** Set aside for calls in flight, beside what is spent. */
  readonly reserved: Spent
  /** Milliseconds that the run has been running, over all its sessions. */
  readonly timeMs: number
  readonly limits: {
    readonly usd?: number
    readonly calls?: number
    readonly tokens?: number
    readonly timeMs?: number
  }
}

/** Sums of prices are compared with a limit that was written in decimals. */
const tolerance = 1e-9

const count = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 })
const money = (usd: number): string => `$${usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`
const minutes = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`

const refused = (limit: BudgetLimit, what: string, field: string, file: string): Verdict => ({
  _tag: "refused",
  limit,
  message: `${what}. To go on, raise budget.${field} in ${file} and run the same command again`
})

/** `calls` are sent together, and `call` is what they may take together. Calls and time are certain; money and tokens of calls in flight may turn out smaller than what was reserved. */
export const checkLimits = (
  { limits, reserved, ...spent }: BudgetUse,
  call: Charge,
  file: string,
  calls = 1
): Verdict => {
  const next = calls === 1 ? "the next call" : `the next batch of ${count.format(calls)} calls`
  if (limits.timeMs !== undefined && spent.timeMs >= limits.timeMs) {
    const what = `the run has been running for ${minutes(spent.timeMs)}, the budget is ${minutes(limits.timeMs)}`
    return refused("time", what, "wallClock", file)
  }
  if (limits.calls !== undefined && spent.calls + reserved.calls + calls > limits.calls) {
    const more = calls === 1 ? "" : `, and the next batch has ${count.format(calls)}`
    const what = `${count.format(spent.calls + reserved.calls)} of the budget of ${count.format(limits.calls)} calls are spent${more}`
    return refused("calls", what, "calls", file)
  }
  if (limits.tokens !== undefined && spent.tokens + call.tokens > limits.tokens) {
    const what = `${count.format(spent.tokens)} of the budget of ${count.format(limits.tokens)} tokens are spent, and ${next} may take ${count.format(call.tokens)}`
    return refused("tokens", what, "tokens", file)
  }
  if (limits.usd !== undefined && call.usd === null) {
    return refused(
      "usd",
      "the budget is in money, and the price of the next call is not known: give the model a price, or remove the limit",
      "usd",
      file
    )
  }
  const usd = call.usd ?? 0
  if (limits.usd !== undefined && spent.usd + usd > limits.usd + tolerance) {
    const what = `${money(spent.usd)} of the budget of ${money(limits.usd)} is spent, and ${next} may cost ${money(usd)}`
    return refused("usd", what, "usd", file)
  }
  const tokensFree = limits.tokens === undefined || spent.tokens + reserved.tokens + call.tokens <= limits.tokens
  const usdFree = limits.usd === undefined || spent.usd + reserved.usd + usd <= limits.usd + tolerance
  return tokensFree && usdFree ? { _tag: "free" } : { _tag: "wait" }
}
