import { Total, totalOf } from "../model/money.ts"
import type { CallOutcome } from "../model/outcome.ts"
import { isAnswered, isSent } from "../model/outcome.ts"
import type { CallRole } from "./CallLog.ts"

/** Calls of one role that came to the same. */
export interface CallGroup {
  readonly role: CallRole
  readonly outcome: CallOutcome | "sent"
  /** 1 where tokens were counted because the server reported none. */
  readonly estimated: number | null
  readonly calls: number
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
  /** US dollars, over the calls whose cost is known. */
  readonly cost: number
  readonly costUnknown: number
}

/** Tokens, and US dollars: null where no call's cost is known, 0 without a call. */
export interface Tokens {
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly usd: number | null
}

/** What one role has used in a run. */
export interface RoleUsage {
  readonly role: CallRole
  /** Requests that went out, failed ones and repeats included. Answered, failed and unsettled ones make it up. */
  readonly sent: number
  readonly answered: number
  /** Sent, and not answered. */
  readonly failed: number
  /** Sent and never settled: the process died, or they are in flight now. */
  readonly unsettled: number
  /** Attempts that found no server: nothing was sent. */
  readonly unreached: number
  /** Of answered calls whose usage the server reported. Cached and cache-written input are parts of the input, reasoning of the output. */
  readonly reported: Tokens & { readonly cachedInput: number; readonly cacheWrite: number; readonly reasoning: number }
  /** Of answered calls whose tokens were counted instead. */
  readonly estimated: Tokens
  /** US dollars of all answered calls whose cost is known, estimates included; null where none is, though calls were answered. */
  readonly usd: number | null
  /** Answered calls whose cost is unknown. */
  readonly unpriced: number
  /** Settled calls by what became of them, each outcome that occurred. */
  readonly outcomes: Readonly<Partial<Record<CallOutcome, number>>>
}

const known = (groups: ReadonlyArray<CallGroup>): number | null => {
  const total = new Total()
  let answered = 0
  let unknown = 0
  for (const { calls, cost, costUnknown } of groups) {
    total.add(cost)
    answered += calls
    unknown += costUnknown
  }
  return answered > 0 && unknown === answered ? null : total.value
}

/** What each role has used, in alphabetical order; roles without a call are left out. */
export const roleUsage = (groups: ReadonlyArray<CallGroup>): ReadonlyArray<RoleUsage> =>
  [...Map.groupBy(groups, ({ role }) => role)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, own]): RoleUsage => {
      const sum = (of: (group: CallGroup) => number, among: ReadonlyArray<CallGroup>) =>
        among.reduce((total, group) => total + of(group), 0)
      const calls = (group: CallGroup) => group.calls
      const answered = own.filter(({ outcome }) => isAnswered(outcome))
      const reported = answered.filter(({ estimated }) => estimated !== 1)
      const estimated = answered.filter(({ estimated }) => estimated === 1)
      const tokens = (among: ReadonlyArray<CallGroup>): Tokens => ({
        calls: sum(calls, among),
        input: sum(({ input }) => input, among),
        output: sum(({ output }) => output, among),
        usd: known(among)
      })
      const outcomes: Partial<Record<CallOutcome, number>> = {}
      for (const { calls, outcome } of own) if (outcome !== "sent") outcomes[outcome] = (outcomes[outcome] ?? 0) + calls
      return {
        role,
        sent: sum(
          calls,
          own.filter(({ outcome }) => isSent(outcome))
        ),
        answered: sum(calls, answered),
        failed: sum(
          calls,
          own.filter(({ outcome }) => outcome !== "sent" && isSent(outcome) && !isAnswered(outcome))
        ),
        unsettled: sum(
          calls,
          own.filter(({ outcome }) => outcome === "sent")
        ),
        unreached: sum(
          calls,
          own.filter(({ outcome }) => outcome === "unreachable")
        ),
        reported: {
          ...tokens(reported),
          cachedInput: sum(({ cachedInput }) => cachedInput, reported),
          cacheWrite: sum(({ cacheWrite }) => cacheWrite, reported),
          reasoning: sum(({ reasoning }) => reasoning, reported)
        },
        estimated: tokens(estimated),
        usd: known(answered),
        unpriced: sum(({ costUnknown }) => costUnknown, answered),
        outcomes
      }
    })

/** All roles together. */
export interface UsageTotals {
  /** Requests that went out: what a budget in calls counts. */
  readonly calls: number
  readonly answered: number
  readonly failed: number
  readonly unreached: number
  /** Input and output of answered calls, as reported or estimated. */
  readonly tokens: number
  /** US dollars of the answered calls whose cost is known; null where none is, though calls were answered. */
  readonly usd: number | null
  /** Answered calls whose cost is unknown. */
  readonly unpriced: number
  /** What of the above is estimated. */
  readonly estimated: { readonly calls: number; readonly tokens: number; readonly usd: number | null }
}

const addUsd = (values: ReadonlyArray<number | null>): number | null =>
  values.length > 0 && values.every((value) => value === null) ? null : totalOf(values.map((value) => value ?? 0))

export const usageTotals = (roles: ReadonlyArray<RoleUsage>): UsageTotals => {
  const sum = (of: (role: RoleUsage) => number) => roles.reduce((total, role) => total + of(role), 0)
  const estimated = roles.map((role) => role.estimated).filter(({ calls }) => calls > 0)
  return {
    calls: sum(({ sent }) => sent),
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    unreached: sum(({ unreached }) => unreached),
    tokens: sum(({ estimated, reported }) => reported.input + reported.output + estimated.input + estimated.output),
    usd: addUsd(roles.filter(({ answered }) => answered > 0).map(({ usd }) => usd)),
    unpriced: sum(({ unpriced }) => unpriced),
    estimated: {
      calls: estimated.reduce((total, { calls }) => total + calls, 0),
      tokens: estimated.reduce((total, { input, output }) => total + input + output, 0),
      usd: addUsd(estimated.map(({ usd }) => usd))
    }
  }
}
