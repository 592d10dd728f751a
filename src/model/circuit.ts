import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { CallGate, Halted } from "./CallGate.ts"
import { ModelError, type ModelFailure } from "./LanguageModel.ts"
import { monotonicMs } from "./monotonic.ts"

/** What becomes of a call whose attempt failed: it fails, it is repeated after a wait, or it waits for the model to answer again. */
export type Verdict = "fail" | "repeat" | "hold"

/** `successes` when the attempt began and when the call was first tried, and whether it has no repeats left. */
export interface Tried {
  readonly attempt: number
  readonly call: number
  readonly last: boolean
}

/** Attempts in a row that failed before a call that has used up its repeats is held rather than given up. */
const fewestFailures = 5
/** Attempts in a row, and for how long, before everything stops although repeats are left. */
const manyFailures = 10
const longEnoughMs = 15_000
/** Requests that a server refuses as such may differ from each other: so many in a row do not. */
const manyRefusedRequests = 20

/**
 * Whether a model answers at all. A state machine without a clock, told of every attempt: closed as long as something is
 * answered now and then; open when a failure is of the kind that all calls share (wrong key, no credit), or when nothing
 * at all has been answered for a while.
 */
export class CircuitState {
  readonly #concurrency: number
  #successes = 0
  #failures = 0
  #refusedRequests = 0
  #failingSince = 0
  #openedBy: ModelFailure | undefined

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  get open(): boolean {
    return this.#openedBy !== undefined
  }

  /** Grows with every answer: a call compares it to find out whether others were answered meanwhile. */
  get successes(): number {
    return this.#successes
  }

  succeeded(): void {
    this.#successes++
    this.#failures = 0
    this.#refusedRequests = 0
    this.#openedBy = undefined
  }

  failed(now: number, error: ModelError, { attempt, call, last }: Tried): Verdict {
    if (error.kind === "no-key") return "fail"
    // Whoever says what is wrong with one request is there.
    const alive = error.kind === "context-too-long" || (error.kind === "bad-request" && this.open)
    if (alive && this.#openedBy !== "bad-request") {
      this.succeeded()
      return "fail"
    }
    if (this.#failures++ === 0) this.#failingSince = now
    this.#refusedRequests = error.kind === "bad-request" ? this.#refusedRequests + 1 : 0
    if (this.#opens(now, error, { attempt, call, last })) this.#openedBy ??= error.kind
    if (this.open) return "hold"
    return last || (!error.retryable && !error.fatal) ? "fail" : "repeat"
  }

  #opens(now: number, error: ModelError, { attempt, call, last }: Tried): boolean {
    // What others are answered to meanwhile is a matter of this one request, whatever the server calls it.
    if (error.fatal) return this.#successes === attempt
    if (!error.retryable) return this.#refusedRequests >= manyRefusedRequests
    if (last && this.#successes === call && this.#failures >= fewestFailures) return true
    return (
      // Whoever asks for a pause is there.
      error.kind !== "rate-limited" &&
      this.#failures >= Math.max(manyFailures, this.#concurrency) &&
      now - this.#failingSince >= longEnoughMs
    )
  }
}

const firstProbeMs = 2000
const longestProbeMs = 60_000

export interface CircuitOptions {
  readonly model: string
  readonly concurrency: number
  readonly gate: CallGate
  /** How long it waits for the model to answer again before every call fails; for ever if left out. */
  readonly patienceMs?: number | undefined
  /** Told when the model answers again. */
  readonly restarted: () => void
}

/** What a call goes through before each attempt, and after. */
export interface Circuit {
  readonly state: CircuitState
  /**
   * Passes at once while the model answers. Otherwise waits: now and then, and when the user asks, one call is let
   * through to find out, for which it gives true. Fails when the run is halted, and with what is wrong when patience is
   * at an end.
   */
  readonly admit: Effect.Effect<boolean, Halted | ModelError>
  readonly succeeded: () => void
  readonly failed: (now: number, error: ModelError, tried: Tried) => Verdict
  /** An attempt that was let through ended without an answer or a failure. */
  readonly abandoned: () => void
}

export const makeCircuit = ({ concurrency, gate, model, patienceMs, restarted }: CircuitOptions): Circuit => {
  const state = new CircuitState(concurrency)
  const waiting: Array<Deferred.Deferred<void>> = []
  let probing = false
  let watching = false
  let probes = 0
  let asked = false
  let openedAt = 0
  let probeAt = 0
  let error: ModelError | undefined

  const wake = (count: number) => {
    for (const one of waiting.splice(0, count)) Deferred.doneUnsafe(one, Effect.void)
  }
  const retry = () => {
    asked = true
    wake(1)
  }

  const close = () => {
    probing = false
    gate.release(model)
    restarted()
    wake(Number.POSITIVE_INFINITY)
  }

  const admit: Circuit["admit"] = Effect.suspend(() => {
    if (!state.open) return Effect.succeed(false)
    return Effect.flatMap(monotonicMs, (now): Effect.Effect<boolean, Halted | ModelError> => {
      if (gate.halted) return Effect.as(gate.pass, false)
      if (patienceMs !== undefined && now - openedAt >= patienceMs && !probing) {
        gate.release(model)
        wake(Number.POSITIVE_INFINITY)
        return Effect.fail(givenUp(error!, patienceMs))
      }
      if (!probing && (asked || now >= probeAt)) {
        probing = true
        asked = false
        return Effect.succeed(true)
      }
      const own = Deferred.makeUnsafe<void>()
      waiting.push(own)
      // One of them watches the clock; the others are woken.
      const watches = !watching && !probing
      watching ||= watches
      return gate.waitFor(Deferred.await(own), watches ? Math.ceil(probeAt - now) : Number.POSITIVE_INFINITY).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            if (watches) watching = false
            const at = waiting.indexOf(own)
            if (at !== -1) waiting.splice(at, 1)
            if (exit._tag === "Failure" && watches) wake(1)
          })
        ),
        Effect.andThen(admit)
      )
    })
  })

  return {
    state,
    admit,
    succeeded: () => {
      const wasOpen = state.open
      state.succeeded()
      if (wasOpen) close()
    },
    failed: (now, failure, tried) => {
      const wasOpen = state.open
      const verdict = state.failed(now, failure, tried)
      if (!state.open) {
        if (wasOpen) close()
        return verdict
      }
      if (!wasOpen) {
        openedAt = now
        probes = 0
      }
      if (!wasOpen || probing) {
        error = failure
        probing = false
        const wait = Math.min(longestProbeMs, firstProbeMs * 2 ** probes++)
        probeAt = now + Math.min(longestProbeMs, Math.max(wait, failure.retryAfterMs ?? 0))
        if (patienceMs !== undefined) probeAt = Math.min(probeAt, Math.max(now, openedAt + patienceMs))
        gate.hold({ model, message: failure.message }, retry)
        wake(1)
      }
      return verdict
    },
    abandoned: () => {
      if (!probing) return
      probing = false
      wake(1)
    }
  }
}

const givenUp = (error: ModelError, afterMs: number): ModelError =>
  new ModelError({
    kind: error.kind,
    message: `${error.message} (nothing was answered for ${Math.round(afterMs / 6000) / 10} minutes)`,
    ...(error.status === undefined ? {} : { status: error.status }),
    lasting: true
  })
