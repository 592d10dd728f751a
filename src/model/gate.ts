import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ModelConfig } from "../domain/Campaign.ts"
import { CallGate, type Halted } from "./CallGate.ts"
import { type Circuit, makeCircuit } from "./circuit.ts"
import { modelName } from "./key.ts"
import { ModelError } from "./LanguageModel.ts"
import { monotonicMs } from "./monotonic.ts"
import { RateController, type RateOutcome } from "./rate.ts"
import type { Ticket } from "./rateRound.ts"
import { longestRetryAfterMs } from "./retry.ts"

/** What an attempt may use, and what one that brought an answer did. */
export interface Weight<A> {
  readonly estimate: number
  /** Null where the server does not say. */
  readonly used: (answer: A) => number | null
}

/** Gives an attempt's place to the next, with how the attempt ended. */
export type Leave<A> = (exit: Exit.Exit<A, unknown>) => Effect.Effect<void>

/** Lets attempts at one model pass: so many at once, so many requests and tokens a minute, as fast as the server takes them. */
export interface Gate {
  /**
   * Waits for a place in the order of arrival, for as long as the run is paused, and while the model answers nothing.
   * Fails when the run is halted first, and when the model is given up. An attempt under way is never cut off. It holds
   * its place to its end, unless it gives it up before, as soon as the server is done with it.
   */
  readonly pass: <A, E, R>(
    attempt: Effect.Effect<A, E, R> | ((leave: Leave<A>) => Effect.Effect<A, E, R>),
    weight?: Weight<A>
  ) => Effect.Effect<A, E | Halted | ModelError, R>
  readonly circuit: Circuit
}

export const defaultConcurrency = (model: ModelConfig): number =>
  model.concurrency ?? (model.provider === "embedded" ? 1 : 8)

const outcomeOf = <A, E>(exit: Exit.Exit<A, E>, weight: Weight<A> | undefined): RateOutcome => {
  if (Exit.isSuccess(exit)) return { _tag: "served", tokens: weight?.used(exit.value) ?? undefined }
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None" || !(error.value instanceof ModelError)) return { _tag: "other" }
  const { kind, retryAfterMs, retryable, status } = error.value
  if (kind === "rate-limited" || (retryable && retryAfterMs !== undefined)) {
    const advised = retryAfterMs === undefined ? undefined : Math.min(Math.max(0, retryAfterMs), longestRetryAfterMs)
    return { _tag: "refused", retryAfterMs: advised }
  }
  return { _tag: kind === "timeout" || status === 503 || status === 529 ? "overloaded" : "other" }
}

interface Waiter {
  readonly tokens: number
  readonly woken: Deferred.Deferred<void>
  ticket: Ticket | undefined
}

const makeGate = (
  name: string,
  limits: ConstructorParameters<typeof RateController>[0],
  calls: CallGate,
  { advised, patienceMs }: { advised: () => number | undefined; patienceMs: number | undefined }
): Gate => {
  const rate = new RateController(limits)
  const queue: Array<Waiter> = []

  /** Gives places to those in front, as far as there are any. */
  const admit = (now: number) => {
    while (queue.length > 0 && rate.readyAt(now) <= now) {
      const waiter = queue.shift()!
      waiter.ticket = rate.send(now, waiter.tokens)
      Deferred.doneUnsafe(waiter.woken, Effect.void)
    }
    // Who is in front now has to know when its time comes.
    if (queue.length > 0) Deferred.doneUnsafe(queue[0]!.woken, Effect.void)
  }

  const wait = (waiter: Waiter): Effect.Effect<Ticket, Halted> =>
    Effect.flatMap(monotonicMs, (now): Effect.Effect<Ticket, Halted> => {
      if (waiter.ticket !== undefined) return Effect.succeed(waiter.ticket)
      if (queue[0] === waiter) admit(now)
      if (waiter.ticket !== undefined) return Effect.succeed(waiter.ticket)
      const next: Waiter = { tokens: waiter.tokens, woken: Deferred.makeUnsafe<void>(), ticket: undefined }
      queue[queue.indexOf(waiter)] = next
      // Timers know whole milliseconds only.
      const ms = queue[0] === next ? Math.ceil(rate.readyAt(now) - now) : Number.POSITIVE_INFINITY
      return calls.waitFor(Deferred.await(next.woken), ms).pipe(
        Effect.onExit((exit) =>
          Effect.map(monotonicMs, (later) => {
            if (Exit.isSuccess(exit)) return
            if (next.ticket !== undefined) rate.cancel(next.ticket)
            const at = queue.indexOf(next)
            if (at !== -1) queue.splice(at, 1)
            admit(later)
          })
        ),
        Effect.andThen(wait(next))
      )
    })

  const enter = (tokens: number): Effect.Effect<Ticket, Halted> =>
    Effect.suspend(() => {
      const waiter: Waiter = { tokens, woken: Deferred.makeUnsafe<void>(), ticket: undefined }
      queue.push(waiter)
      return wait(waiter)
    })

  const circuit = makeCircuit({
    model: name,
    concurrency: limits.concurrency,
    gate: calls,
    patienceMs,
    restarted: () => rate.restart()
  })

  const place = (tokens: number): Effect.Effect<Ticket, Halted | ModelError> =>
    Effect.gen(function* () {
      while (true) {
        yield* calls.pass
        const probes = yield* circuit.admit
        const ticket = yield* enter(tokens).pipe(probes ? Effect.tapCause(() => Effect.sync(circuit.abandoned)) : same)
        if (!calls.paused && !calls.halted && (probes || !circuit.state.open)) return ticket
        // Things have changed while it was waiting.
        rate.cancel(ticket)
        if (probes) circuit.abandoned()
        admit(yield* monotonicMs)
      }
    })

  /** Nearly always there is nothing to wait for, and this is asked for every call. */
  const placeNow = (tokens: number): Effect.Effect<Ticket, Halted | ModelError> =>
    Effect.flatMap(monotonicMs, (now) =>
      queue.length === 0 && !calls.paused && !calls.halted && !circuit.state.open && rate.readyAt(now) <= now
        ? Effect.succeed(rate.send(now, tokens))
        : place(tokens)
    )

  return {
    circuit,
    pass: <A, E, R>(
      attempt: Effect.Effect<A, E, R> | ((leave: Leave<A>) => Effect.Effect<A, E, R>),
      weight?: Weight<A>
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(placeNow(weight?.estimate ?? 0)), (ticket) => {
          let left = false
          const leave: Leave<A> = (exit) =>
            Effect.map(monotonicMs, (now) => {
              if (left) return
              left = true
              rate.settle(now, ticket, outcomeOf(exit, weight))
              const perSecond = advised()
              if (perSecond !== undefined) rate.advise(now, perSecond)
              admit(now)
            })
          const attempted = typeof attempt === "function" ? attempt(leave) : attempt
          return Effect.onExit(restore(attempted), leave)
        })
      )
  }
}

const same = <A>(value: A): A => value

/** What gates of a run share. */
export interface GateOptions {
  readonly calls?: CallGate
  /** How long a model that answers nothing is waited for; for ever if left out. */
  readonly patienceMs?: number | undefined
  /** Requests a second that a model's server advised when its allowance was used up. */
  readonly advised?: ((model: ModelConfig) => number | undefined) | undefined
}

const smallest = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/**
 * One gate a model and address, whatever role asks. Where roles that share a model are configured differently, the
 * greater concurrency and the smaller rates hold.
 */
export const makeGates = (
  models: ReadonlyArray<ModelConfig>,
  { advised, calls = new CallGate(), patienceMs }: GateOptions = {}
): ((model: ModelConfig) => Gate) => {
  const gates = new Map<string, Gate>()
  const gateFor = (model: ModelConfig): Gate => {
    const name = modelName(model)
    const known = gates.get(name)
    if (known !== undefined) return known
    const sharing = [model, ...models.filter((other) => modelName(other) === name)]
    const limits = {
      concurrency: Math.max(...sharing.map(defaultConcurrency)),
      requestsPerMinute: smallest(sharing.map(({ requestsPerMinute }) => requestsPerMinute)),
      tokensPerMinute: smallest(sharing.map(({ tokensPerMinute }) => tokensPerMinute))
    }
    const gate = makeGate(name, limits, calls, { patienceMs, advised: () => advised?.(model) })
    gates.set(name, gate)
    return gate
  }
  return gateFor
}
