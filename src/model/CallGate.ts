import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Somebody asked for the run to end: no further call is sent. Calls under way finish and are kept. */
export class Halted extends Schema.TaggedError<Halted>()("Halted", {
  /** What goes on without the run. */
  detail: Schema.optionalKey(Schema.String)
}) {}

/** Why no call is answered, and what is done about it. */
export interface Trouble {
  /** How messages name the model. */
  readonly model: string
  /** The last failure's sentence. */
  readonly message: string
}

/**
 * What each call passes before it is sent: held while the run is paused, refused once it is halted. It also knows of
 * models that answer nothing at all, for which the run is held as well, and how long it has been held altogether.
 */
export class CallGate {
  readonly #open = Latch.makeUnsafe(true)
  readonly #halt = Deferred.makeUnsafe<void>()
  readonly #now: () => number
  readonly #troubles = new Map<string, Trouble & { readonly retry: () => void }>()
  readonly #watchers = new Set<(trouble: Trouble | undefined) => void>()
  #halted = false
  #paused = false
  #heldSince: number | undefined
  #heldMs = 0
  #holds = 0

  /** `now` in milliseconds, of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get paused(): boolean {
    return this.#paused
  }

  get halted(): boolean {
    return this.#halted
  }

  /** The first model that answers nothing, if there is one. */
  get trouble(): Trouble | undefined {
    return this.#troubles.values().next().value
  }

  /** Milliseconds that no call could be sent, by a pause or for want of answers, until now. */
  get heldMs(): number {
    return this.#heldMs + (this.#heldSince === undefined ? 0 : this.#now() - this.#heldSince)
  }

  /** Milliseconds that it has been held for without a break; 0 when it is not. */
  get heldForMs(): number {
    return this.#heldSince === undefined ? 0 : this.#now() - this.#heldSince
  }

  /** How often models left the run without answers. */
  get holds(): number {
    return this.#holds
  }

  pause(): void {
    this.#paused = true
    Latch.closeUnsafe(this.#open)
    this.#reckon()
  }

  /** Lets calls pass; models that answered nothing are asked again at once. */
  resume(): void {
    this.#paused = false
    Latch.openUnsafe(this.#open)
    this.#reckon()
    for (const { retry } of this.#troubles.values()) retry()
  }

  halt(): void {
    this.#halted = true
    this.resume()
    Deferred.doneUnsafe(this.#halt, Effect.void)
  }

  /** A model answers nothing. `retry` asks it again at once. */
  hold(trouble: Trouble, retry: () => void): void {
    if (!this.#troubles.has(trouble.model)) this.#holds++
    this.#troubles.set(trouble.model, { ...trouble, retry })
    this.#reckon()
    this.#tell()
  }

  /** The model answers again, or is given up. */
  release(model: string): void {
    if (!this.#troubles.delete(model)) return
    this.#reckon()
    this.#tell()
  }

  /** Tells of each change of `trouble`; gives the function that ends it. */
  watch(watcher: (trouble: Trouble | undefined) => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  readonly pass: Effect.Effect<void, Halted> = Effect.suspend(() =>
    Effect.flatMap(Latch.await(this.#open), () => (this.#halted ? Effect.fail(new Halted({})) : Effect.void))
  )

  /** Waits, but no longer than until the run is halted, and fails then. */
  readonly sleep = (ms: number): Effect.Effect<void, Halted> =>
    ms <= 0 ? Effect.void : Effect.flatMap(this.#within(Effect.never, ms), () => this.#unlessHalted)

  /** Whether `awaited` came true within `ms`; fails when the run is halted first. */
  readonly waitFor = (awaited: Effect.Effect<unknown>, ms: number): Effect.Effect<boolean, Halted> =>
    Effect.flatMap(this.#within(awaited, ms), (came) => Effect.as(this.#unlessHalted, came))

  readonly #within = (awaited: Effect.Effect<unknown>, ms: number): Effect.Effect<boolean> => {
    const either = Effect.raceFirst(awaited, Deferred.await(this.#halt))
    return Number.isFinite(ms)
      ? Effect.map(Effect.timeoutOption(either, Math.max(0, ms)), Option.isSome)
      : Effect.as(either, true)
  }

  readonly #unlessHalted: Effect.Effect<void, Halted> = Effect.suspend(() =>
    this.#halted ? Effect.fail(new Halted({})) : Effect.void
  )

  #tell(): void {
    for (const watcher of this.#watchers) watcher(this.trouble)
  }

  #reckon(): void {
    const held = this.#paused || this.#troubles.size > 0
    if (held === (this.#heldSince !== undefined)) return
    if (held) {
      this.#heldSince = this.#now()
      return
    }
    this.#heldMs += this.#now() - this.#heldSince!
    this.#heldSince = undefined
  }
}

/** The run's gate; one that is always open where nobody holds the handle. */
export const CurrentGate = Context.Reference<CallGate>("assize/CallGate", { defaultValue: () => new CallGate() })
