import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Schema from "effect/Schema"

/** Somebody asked for the run to end: no further call is sent. Calls under way finish and are kept. */
export class Halted extends Schema.TaggedError<Halted>()("Halted", {}) {}

/** What each call passes before it is sent: held while the run is paused, refused once it is halted. */
export class CallGate {
  readonly #open = Latch.makeUnsafe(true)
  #halted = false
  #paused = false

  get paused(): boolean {
    return this.#paused
  }

  get halted(): boolean {
    return this.#halted
  }

  pause(): void {
    this.#paused = true
    Latch.closeUnsafe(this.#open)
  }

  resume(): void {
    this.#paused = false
    Latch.openUnsafe(this.#open)
  }

  halt(): void {
    this.#halted = true
    this.resume()
  }

  readonly pass: Effect.Effect<void, Halted> = Effect.suspend(() =>
    Effect.flatMap(Latch.await(this.#open), () => (this.#halted ? Effect.fail(new Halted()) : Effect.void))
  )
}

/** The run's gate; one that is always open where nobody holds the handle. */
export const CurrentGate = Context.Reference<CallGate>("assize/CallGate", { defaultValue: () => new CallGate() })
