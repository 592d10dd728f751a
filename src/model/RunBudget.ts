import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Budget, durationMs } from "../domain/Campaign.ts"
import { CallLog, type Charge, type Spent } from "../store/CallLog.ts"
import type { StoreError } from "../store/errors.ts"
import { Sessions } from "../store/Sessions.ts"
import { type BudgetUse, checkLimits } from "./budgetLimits.ts"
import { CurrentGate } from "./CallGate.ts"
import { BudgetExceeded } from "./LanguageModel.ts"
import { Total } from "./money.ts"

/** What is set aside for a call that is about to be sent. To be settled once, whatever becomes of the call. */
export interface Reservation extends Charge {}

export interface RunBudgetOptions {
  readonly run: string
  readonly budget: Budget
  /** The campaign file, which the refusal tells people to edit. */
  readonly file: string
}

/** Calls, tokens and dollars that are added up as they come. */
class Ledger {
  #calls: number
  #tokens: number
  #usd: Total

  constructor({ calls, tokens, usd }: Spent) {
    this.#calls = calls
    this.#tokens = tokens
    this.#usd = new Total(usd)
  }

  /** `times` is 1, or -1 to take back what was added. The charge is of all the `calls` together. */
  add({ tokens, usd }: Charge, times: 1 | -1, calls = 1): void {
    this.#calls += times * calls
    this.#tokens += times * tokens
    this.#usd.add(times * (usd ?? 0))
    // What is left of rounding when everything has been taken back is no money.
    if (this.#calls === 0) this.#usd = new Total()
  }

  get spent(): Spent {
    return { calls: this.#calls, tokens: this.#tokens, usd: this.#usd.value }
  }
}

/**
 * What a run may spend. A call is reserved at its upper bound before it is sent and settled at what it took; so the
 * limits hold with any number of calls in flight, but for answers that are longer than their upper bound. Every request
 * that is sent counts as a call, repeats of failed ones included. Spending of earlier sessions counts; time in which the
 * run was paused does not.
 */
export class RunBudget extends Context.Service<
  RunBudget,
  {
    /**
     * Sets a call aside or refuses it. Where only what is set aside for calls in flight stands in the way, it waits for
     * them to be settled. A call that might cost anything is refused by a budget in money.
     */
    reserve(upperBound: Charge): Effect.Effect<Reservation, BudgetExceeded>
    /**
     * The same for many calls that are sent together: all of them or none. Each is settled by itself, with its part of
     * the charge.
     */
    reserveAll(calls: number, upperBound: Charge): Effect.Effect<void, BudgetExceeded>
    /** Sets aside what an earlier process has sent. `counted` where it is part of what was spent before. */
    takeOver(calls: number, charge: Charge, counted: boolean): Effect.Effect<void>
    /** Fails once the time is over. */
    readonly inTime: Effect.Effect<void, BudgetExceeded>
    /** `sent: false` when the call never left. */
    settle(reservation: Reservation, charge: Charge, sent?: boolean): Effect.Effect<void>
    readonly used: Effect.Effect<BudgetUse>
  }
>()("assize/RunBudget") {
  static readonly layer = (options: RunBudgetOptions): Layer.Layer<RunBudget, StoreError, CallLog | Sessions> =>
    Layer.effect(RunBudget, make(options))
}

const heartbeatMs = 1000
const nothing: Spent = { calls: 0, tokens: 0, usd: 0 }

const make = Effect.fnUntraced(function* ({ run, budget, file }: RunBudgetOptions) {
  const sessions = yield* Sessions
  const gate = yield* CurrentGate
  const before = gate.heldMs
  const heldMs = () => gate.heldMs - before
  const session = yield* Effect.acquireRelease(sessions.open(run), (session) =>
    Effect.orDie(Effect.suspend(() => sessions.seen(session, heldMs())))
  )
  const spent = new Ledger(yield* CallLog.use((calls) => calls.spent(run)))
  const reserved = new Ledger(nothing)
  let seen = session.started
  let waiting: Deferred.Deferred<void> | undefined

  const limits: BudgetUse["limits"] = {
    ...(budget.usd === undefined ? {} : { usd: budget.usd }),
    ...(budget.calls === undefined ? {} : { calls: budget.calls }),
    ...(budget.tokens === undefined ? {} : { tokens: budget.tokens }),
    ...(budget.wallClock === undefined ? {} : { timeMs: durationMs(budget.wallClock) })
  }
  const useAt = (now: number): BudgetUse => ({
    ...spent.spent,
    reserved: reserved.spent,
    timeMs: session.earlierMs + now - session.started - heldMs(),
    limits
  })

  const setAside = (calls: number, upperBound: Charge): Effect.Effect<Reservation, BudgetExceeded> =>
    Effect.uninterruptible(
      Clock.clockWith((clock) => {
        const verdict = checkLimits(useAt(clock.currentTimeMillisUnsafe()), upperBound, file, calls)
        if (verdict._tag === "refused")
          return Effect.fail(new BudgetExceeded({ limit: verdict.limit, message: verdict.message }))
        if (verdict._tag === "free") {
          reserved.add(upperBound, 1, calls)
          return Effect.succeed(upperBound)
        }
        waiting ??= Deferred.makeUnsafe<void>()
        return Effect.andThen(Effect.interruptible(Deferred.await(waiting)), setAside(calls, upperBound))
      })
    )

  const takeOver = (calls: number, charge: Charge, counted: boolean) =>
    Effect.sync(() => {
      if (counted) spent.add(charge, -1, calls)
      reserved.add(charge, 1, calls)
    })

  const inTime = Clock.clockWith((clock) => {
    const { limits: all, timeMs } = useAt(clock.currentTimeMillisUnsafe())
    if (all.timeMs === undefined) return Effect.void
    const use = { ...nothing, reserved: nothing, timeMs, limits: { timeMs: all.timeMs } }
    const verdict = checkLimits(use, { tokens: 0, usd: 0 }, file)
    return verdict._tag === "refused"
      ? Effect.fail(new BudgetExceeded({ limit: verdict.limit, message: verdict.message }))
      : Effect.void
  })

  const settle = (reservation: Reservation, charge: Charge, sent = true) =>
    Clock.clockWith((clock) => {
      reserved.add(reservation, -1)
      if (sent) spent.add(charge, 1)
      if (waiting !== undefined) {
        Deferred.doneUnsafe(waiting, Effect.void)
        waiting = undefined
      }
      const now = clock.currentTimeMillisUnsafe()
      if (now - seen < heartbeatMs) return Effect.void
      seen = now
      return Effect.orDie(sessions.seen(session, heldMs()))
    })

  return RunBudget.of({
    reserve: (upperBound) => setAside(1, upperBound),
    reserveAll: (calls, upperBound) => Effect.asVoid(setAside(calls, upperBound)),
    takeOver,
    inTime,
    settle,
    used: Clock.clockWith((clock) => Effect.sync(() => useAt(clock.currentTimeMillisUnsafe())))
  })
})
