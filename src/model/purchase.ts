import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Option from "effect/Option"
import { type BatchHold, makeBatchHolds } from "../store/batchHolds.ts"
import { CallLog, type CallRole, type Charge } from "../store/CallLog.ts"
import { makeClaims } from "../store/claims.ts"
import { CorruptStore, StoreError } from "../store/errors.ts"
import { makeGroupCommit } from "../store/groupCommit.ts"
import { JudgementStore, type StoredReply } from "../store/JudgementStore.ts"
import { Statements } from "../store/sqlite.ts"
import { CurrentGate, Halted } from "./CallGate.ts"
import { callTimeoutMs } from "./callTimeout.ts"
import { withUsage } from "./estimateUsage.ts"
import type { Gate, Leave } from "./gate.ts"
import { modelName, type RequestKey } from "./key.ts"
import { type BudgetExceeded, ModelError, type ModelRequest, type Usage } from "./LanguageModel.ts"
import { type CallOutcome, failureOutcome, isSent, replyOutcome } from "./outcome.ts"
import type { Provider } from "./Provider.ts"
import { persist } from "./persist.ts"
import { costOfReply, priceOf } from "./prices.ts"
import { RunBudget } from "./RunBudget.ts"
import { chargeAtMost } from "./tokens.ts"

export interface Purchase {
  readonly run: string
  readonly role: CallRole
  readonly request: ModelRequest
  readonly key: RequestKey
  readonly provider: Provider
  readonly gate: Gate
  readonly retries: number
  /** For a call that is not to wait until the model answers again. */
  readonly impatient?: boolean
  /** Whether the answer goes into the judgement store. */
  readonly keep: boolean
}

/** An answer, and whether another process has bought it. */
export interface Bought extends StoredReply {
  readonly reused: boolean
}

/** Another process is buying the request, or has bought it just now. */
class BoughtElsewhere extends Data.TaggedError("BoughtElsewhere") {}

/** A batch under way is to bring the answer. */
class InBatch extends Data.TaggedError("InBatch")<{ readonly hold: BatchHold }> {}

const heldError = ({ model }: ModelRequest, { created, serverId }: BatchHold) =>
  new ModelError({
    kind: "bad-request",
    message: `${modelName(model)} has been asked this in a batch that goes on at the server (${serverId ?? "not yet named"}, sent ${new Date(created).toISOString()}), and a single call would buy it a second time. Set batch: true for the model and run the same command again: it waits for the batch`,
    lasting: true
  })

/** How often one looks whether another process has its answer. */
const pollMs = 100

/** A claim outlives its call by as much as a busy machine may take to settle it. */
const settlingMs = 60_000

export const free: Charge = { tokens: 0, usd: 0 }

/** Failures after which the server may have worked, and billed: counted at what was reserved. */
export const mayHaveCost: ReadonlySet<CallOutcome> = new Set([
  "timeout",
  "malformed-response",
  "wrong-content-type",
  "connection-lost"
])

export const charged = (usage: Usage | null, cost: number | null, upperBound: Charge): Charge => ({
  tokens: usage === null ? upperBound.tokens : usage.input + usage.output,
  usd: cost ?? upperBound.usd
})

/** Buys an answer, with retries: reserved, noted as sent before it leaves, kept and settled in one transaction after. */
export const makePurchase = Effect.gen(function* () {
  const commit = makeGroupCommit(yield* Statements)
  const calls = yield* CallLog
  const judgements = yield* JudgementStore
  const budget = yield* RunBudget
  const gate = yield* CurrentGate
  const claims = yield* makeClaims
  const holdOf = yield* makeBatchHolds

  const attempt = ({ run, role, request, key, provider, keep }: Purchase, leave: Leave<StoredReply>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const price = priceOf(request.model)
        const reservation = yield* budget.reserve(chargeAtMost(request, price))
        // It may have waited for calls under way.
        if (gate.halted) {
          yield* budget.settle(reservation, free, false)
          return yield* new Halted({})
        }
        const now = yield* Clock.currentTimeMillis
        const claim = keep
          ? claims.take(key.key, now, now + callTimeoutMs(request.model) + settlingMs)
          : Effect.succeed(true)
        const sent = calls.sent({ run, role, key: key.key, charge: reservation })
        const held = keep ? holdOf(key.key) : Effect.undefined
        const id = yield* commit(
          Effect.flatMap(
            held,
            (hold): Effect.Effect<number | undefined, InBatch | StoreError> =>
              hold === undefined
                ? Effect.flatMap(claim, (ours) => (ours ? sent : Effect.undefined))
                : Effect.fail(new InBatch({ hold }))
          ),
          { first: true }
        ).pipe(Effect.tapCause(() => budget.settle(reservation, free, false)))
        if (id === undefined) {
          yield* budget.settle(reservation, free, false)
          return yield* new BoughtElsewhere()
        }
        const release = keep ? claims.release(key.key) : Effect.void
        const started = yield* Clock.currentTimeMillis
        const exit = yield* Effect.exit(restore(provider(request)))
        const latencyMs = (yield* Clock.currentTimeMillis) - started
        if (Exit.isSuccess(exit)) {
          const answer = yield* withUsage(request, exit.value)
          const cost = costOfReply(answer, request.model, price)
          const charge = charged(answer.usage, cost, reservation)
          yield* budget.settle(reservation, charge)
          const { chargedUsd: _, ...kept } = answer
          // Half a character pair would not come back from the store as it went in.
          const reply: StoredReply = { ...kept, text: kept.text.toWellFormed(), cost, latencyMs }
          const outcome = replyOutcome(reply)
          const settle = calls.settle(id, { outcome, usage: reply.usage, cost, charge, latencyMs })
          return keep
            ? // The answer goes first: it is what was paid for.
              yield* commit(
                Effect.tap(judgements.put(key.key, key.text, reply), Effect.andThen(settle, release)),
                // The next call has its place now, and is sent after this is kept: its own first write comes behind.
                { queued: leave(Exit.succeed(reply)) }
              )
            : yield* Effect.as(commit(settle), reply)
        }
        const failure: Option.Option<ModelError> = Cause.findErrorOption(exit.cause)
        if (failure._tag === "None") {
          // Cut off: nobody knows whether the server answered, so the call stays noted as sent and reserved.
          yield* budget.settle(reservation, reservation)
          yield* commit(release)
          return yield* Effect.failCause(exit.cause)
        }
        const outcome = failureOutcome(failure.value)
        const charge = mayHaveCost.has(outcome) ? reservation : free
        yield* budget.settle(reservation, charge, isSent(outcome))
        const settle = calls.settle(id, { outcome, usage: null, cost: null, charge, latencyMs })
        yield* commit(Effect.andThen(settle, release))
        return yield* Effect.failCause(exit.cause)
      })
    )

  /** What another process buys meanwhile; undefined when it has given up, or is gone. */
  const fromElsewhere = Effect.fnUntraced(function* (key: string) {
    while (true) {
      const stored = yield* orDieOfStore(judgements.get(key))
      if (stored !== undefined) return stored
      if (yield* orDieOfStore(claims.isFree(key, yield* Clock.currentTimeMillis))) return undefined
      yield* gate.sleep(pollMs)
    }
  })

  const buy = (purchase: Purchase): Effect.Effect<Bought, ModelError | BudgetExceeded | Halted> =>
    persist((leave) => orDieOfStore(attempt(purchase, leave)), {
      gate: purchase.gate,
      calls: gate,
      retries: purchase.retries,
      weight: { estimate: chargeAtMost(purchase.request, null).tokens, used: tokensUsed },
      impatient: purchase.impatient
    }).pipe(
      Effect.map((reply): Bought => ({ ...reply, reused: false })),
      Effect.catchTags({
        // Not a failure of the model: nobody was asked.
        InBatch: ({ hold }) => Effect.fail(heldError(purchase.request, hold)),
        BoughtElsewhere: () =>
          Effect.flatMap(fromElsewhere(purchase.key.key), (reply) =>
            reply === undefined ? buy(purchase) : Effect.succeed<Bought>({ ...reply, reused: true })
          )
      })
    )
  return buy
})

const tokensUsed = ({ usage }: StoredReply): number | null => (usage === null ? null : usage.input + usage.output)

/** A store that fails or is damaged ends the run: there is no going on without it, and nothing that a caller could do. */
export const orDieOfStore = <A, E, R>(
  self: Effect.Effect<A, E | StoreError | CorruptStore, R>
): Effect.Effect<A, Exclude<E, StoreError | CorruptStore>, R> =>
  Effect.catch(self, (error) =>
    error instanceof StoreError || error instanceof CorruptStore
      ? Effect.die(error)
      : Effect.fail(error as Exclude<E, StoreError | CorruptStore>)
  )
