import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Total } from "../model/money.ts"
import { CallLog, type CallRole, type SettledCall } from "../store/CallLog.ts"
import { type CallGroup, type RoleUsage, roleUsage } from "../store/roleUsage.ts"
import { Sessions } from "../store/Sessions.ts"

type Counts = { -readonly [Field in keyof CallGroup]: CallGroup[Field] }

/**
 * The book-keeping of one scoring, kept in memory: a scoring is no run, has no events to go on from, and its budget is
 * of this one command. What it buys is in the judgement store all the same. `usage` gives what was bought by now.
 */
export const scoreLedger = () => {
  const groups = new Map<string, { readonly counts: Counts; readonly cost: Total }>()
  const roles = new Map<number, CallRole>()
  let numbers = 0

  const count = (role: CallRole, { cost: usd, outcome, usage }: SettledCall) => {
    const estimated = usage?.estimated === true ? 1 : null
    const name = JSON.stringify([role, outcome, estimated])
    let group = groups.get(name)
    if (group === undefined) {
      const zero = {
        calls: 0,
        input: 0,
        cachedInput: 0,
        cacheWrite: 0,
        output: 0,
        reasoning: 0,
        cost: 0,
        costUnknown: 0
      }
      group = { counts: { role, outcome, estimated, ...zero }, cost: new Total() }
      groups.set(name, group)
    }
    const { cost, counts } = group
    counts.calls++
    counts.input += usage?.input ?? 0
    counts.cachedInput += usage?.cachedInput ?? 0
    counts.cacheWrite += usage?.cacheWrite ?? 0
    counts.output += usage?.output ?? 0
    counts.reasoning += usage?.reasoning ?? 0
    cost.add(usd ?? 0)
    if (usd === null) counts.costUnknown++
  }

  /** Calls that were never settled are counted as sent. */
  const usage = (): ReadonlyArray<RoleUsage> => {
    const open = Map.groupBy(roles.values(), (role) => role)
    const nothing = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, cost: 0 }
    return roleUsage([
      ...[...groups.values()].map(({ cost, counts }) => ({ ...counts, cost: cost.value })),
      ...[...open].map(
        ([role, { length }]): CallGroup => ({
          role,
          outcome: "sent",
          estimated: null,
          calls: length,
          costUnknown: length,
          ...nothing
        })
      )
    ])
  }

  const add = (role: CallRole) => {
    roles.set(++numbers, role)
    return numbers
  }

  const calls = CallLog.of({
    sent: ({ role }) => Effect.sync(() => add(role)),
    sentAll: (sent) => Effect.sync(() => sent.map(({ role }) => add(role))),
    // What an interrupted scoring has sent counts for the one that has the answers, since nobody has counted it.
    takeOver: (taken) => Effect.sync(() => ({ ids: taken.map(({ role }) => add(role)), counted: false })),
    withdraw: (ids) =>
      Effect.sync(() => {
        for (const id of ids) roles.delete(id)
      }),
    settle: (id, settled) =>
      Effect.sync(() => {
        const role = roles.get(id)
        if (role === undefined) return
        roles.delete(id)
        count(role, settled)
      }),
    // Asked for once, before anything is sent.
    spent: () => Effect.succeed({ calls: 0, tokens: 0, usd: 0 }),
    usage: () => Effect.sync(usage)
  })
  const sessions = Sessions.of({
    open: () => Effect.map(Clock.currentTimeMillis, (started) => ({ id: 1, started, earlierMs: 0 })),
    seen: () => Effect.void,
    elapsed: () => Effect.succeed(0)
  })
  return { usage, layer: Layer.mergeAll(Layer.succeed(CallLog, calls), Layer.succeed(Sessions, sessions)) }
}
