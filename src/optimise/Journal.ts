import { userMessage } from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import { canonicalJson } from "../domain/hash.ts"
import { isHuman, type RunEvent } from "../domain/RunEvent.ts"
import type { RunState } from "./RunState.ts"

export type EventOf<Tag extends RunEvent["_tag"]> = Extract<RunEvent, { readonly _tag: Tag }>

/** The log tells another story than the same seed, data and judgements: one of them was changed, or the log is damaged. */
export class RunDiverged extends Schema.TaggedError<RunDiverged>()("RunDiverged", {
  /** Number of the event in the log, from 0. */
  sequence: Schema.Int,
  logged: Schema.String,
  expected: Schema.String
}) {
  override readonly [errorExitCode] = 2
  override get message(): string {
    return `event ${this.sequence} of the run's log is ${this.logged}, where ${this.expected} follows from the events before it. The log, the data or the version changed since; start a new run with --new`
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** Where a run's events are kept. */
export interface EventSink<E = never> {
  /** The events so far, in order. */
  readonly logged: ReadonlyArray<RunEvent>
  /** Keeps the events together: all of them or none. `sequence` is the first one's number. */
  append(sequence: number, events: ReadonlyArray<RunEvent>): Effect.Effect<void, E>
}

/**
 * The engine's memory: each step of a run is an event. While the log has events, a step takes its event from there,
 * computing nothing and buying nothing; at the end of the log a step computes its event and appends it. A resumed run is
 * therefore the same code from the start, at the cost of a fold.
 */
export interface Journal<E = never> {
  /** The next event, with what it needs computed only when the log does not hold it. */
  step<Tag extends RunEvent["_tag"], E1, R>(
    tag: Tag,
    compute: Effect.Effect<EventOf<Tag>, E1, R>
  ): Effect.Effect<EventOf<Tag>, E | E1 | RunDiverged, R>
  /**
   * The next events, one for each of the computations and in their order, whichever is done first. Those that the log does
   * not hold are computed together. When one fails, the others are waited for, since they are paid for, and it fails with
   * the first failure in order; what comes before that is kept.
   */
  together<Tag extends RunEvent["_tag"], E1, R>(
    tags: ReadonlyArray<Tag>,
    computations: ReadonlyArray<Effect.Effect<EventOf<Tag>, E1, R>>
  ): Effect.Effect<ReadonlyArray<EventOf<Tag>>, E | E1 | RunDiverged, R>
  /** The next event, which follows from the state alone: where the log holds it, it must be the same. */
  derive<Tag extends RunEvent["_tag"]>(tag: Tag, event: EventOf<Tag>): Effect.Effect<EventOf<Tag>, E | RunDiverged>
  /** Ends the run, or this sitting of it. */
  stop(event: EventOf<"stopped">): Effect.Effect<void, E>
  /** Whether the log still has events to go through. */
  readonly replaying: () => boolean
  /** What kind of event the log has next; undefined at its end. */
  readonly next: () => RunEvent["_tag"] | undefined
}

/** A journal over the sink, folding each event into the state. `seen` is told of every new event as it happens. */
export const makeJournal = <E>(
  sink: EventSink<E>,
  state: RunState,
  seen: (event: RunEvent) => void = () => {}
): Journal<E> => {
  let sequence = 0
  let last: RunEvent | undefined
  const take = (event: RunEvent) => {
    state.apply(event)
    last = event
    sequence++
  }
  /**
   * Stops, and what people did between sittings, are no steps of the search: a run that goes on takes them where they
   * stand, before the step that came after them.
   */
  const passAsides = () => {
    for (let next = sink.logged[sequence]; next !== undefined && isAside(next); next = sink.logged[sequence]) take(next)
  }
  /**
   * Events that follow from those before them, and so are kept with the next one that was worked for: a process that is
   * killed before loses nothing that it cannot derive again, and a commit costs more than an event.
   */
  let pending: Array<RunEvent> = []
  const keep = (events: ReadonlyArray<RunEvent>): Effect.Effect<void, E> =>
    Effect.map(sink.append(sequence - pending.length, [...pending, ...events]), () => {
      pending = []
    })
  const append = <Tag extends RunEvent["_tag"]>(event: EventOf<Tag>): Effect.Effect<EventOf<Tag>, E> =>
    Effect.map(keep([event]), () => {
      take(event)
      seen(event)
      return event
    })
  const defer = <Tag extends RunEvent["_tag"]>(event: EventOf<Tag>): EventOf<Tag> => {
    pending.push(event)
    take(event)
    seen(event)
    return event
  }
  const divergedFrom = (logged: RunEvent, expected: string) =>
    new RunDiverged({ sequence, logged: describe(logged), expected })
  const diverged = (logged: RunEvent, expected: string) => Effect.fail(divergedFrom(logged, expected))

  /** The next event of the log, which must have one of the tags; undefined at the log's end. */
  const logged = <Tag extends RunEvent["_tag"]>(tags: ReadonlyArray<Tag>): EventOf<Tag> | RunDiverged | undefined => {
    passAsides()
    const event = sink.logged[sequence]
    if (event === undefined) return undefined
    if (!isTagged(event, tags)) return divergedFrom(event, tags.join(" or "))
    take(event)
    return event
  }

  const step: Journal<E>["step"] = <Tag extends RunEvent["_tag"], E1, R>(
    tag: Tag,
    compute: Effect.Effect<EventOf<Tag>, E1, R>
  ): Effect.Effect<EventOf<Tag>, E | E1 | RunDiverged, R> =>
    Effect.suspend((): Effect.Effect<EventOf<Tag>, E | E1 | RunDiverged, R> => {
      const event = logged([tag])
      if (event === undefined) return Effect.flatMap(compute, append)
      return event instanceof RunDiverged ? Effect.fail(event) : Effect.succeed(event)
    })

  const together: Journal<E>["together"] = Effect.fnUntraced(function* <Tag extends RunEvent["_tag"], E1, R>(
    tags: ReadonlyArray<Tag>,
    computations: ReadonlyArray<Effect.Effect<EventOf<Tag>, E1, R>>
  ) {
    const events: Array<EventOf<Tag>> = []
    while (events.length < computations.length) {
      const event = logged(tags)
      if (event === undefined) break
      if (event instanceof RunDiverged) return yield* event
      events.push(event)
    }
    const missing = computations.slice(events.length)
    const [only] = missing
    if (missing.length === 1 && only !== undefined) events.push(yield* Effect.flatMap(only, append))
    if (missing.length < 2) return events
    const working = yield* Effect.forEach(missing, (compute) => Effect.forkChild(Effect.result(compute)))
    let failure: { readonly error: E1 } | undefined
    for (const fiber of working) {
      const result = yield* Fiber.join(fiber)
      if (failure !== undefined) continue
      if (result._tag === "Failure") failure = { error: result.failure }
      else events.push(yield* append(result.success))
    }
    return failure === undefined ? events : yield* Effect.fail(failure.error)
  })

  const derive: Journal<E>["derive"] = <Tag extends RunEvent["_tag"]>(
    tag: Tag,
    event: EventOf<Tag>
  ): Effect.Effect<EventOf<Tag>, E | RunDiverged> =>
    Effect.suspend((): Effect.Effect<EventOf<Tag>, E | RunDiverged> => {
      passAsides()
      const known = sink.logged[sequence]
      if (known === undefined) return Effect.succeed(defer(event))
      if (!isTagged(known, [tag]) || canonicalJson(known) !== canonicalJson(event))
        return diverged(known, describe(event))
      take(known)
      return Effect.succeed(known)
    })

  const next = () => {
    passAsides()
    return sink.logged[sequence]?._tag
  }

  return {
    step,
    together,
    derive,
    stop: (event) =>
      Effect.suspend(() => {
        passAsides()
        // A run that is asked again, and cannot go on, has nothing new to say.
        return last !== undefined && canonicalJson(last) === canonicalJson(event)
          ? Effect.void
          : Effect.asVoid(append(event))
      }),
    replaying: () => next() !== undefined,
    next
  }
}

const isAside = (event: RunEvent): boolean => event._tag === "stopped" || isHuman(event)

const isTagged = <Tag extends RunEvent["_tag"]>(event: RunEvent, tags: ReadonlyArray<Tag>): event is EventOf<Tag> =>
  tags.some((tag) => tag === event._tag)

const describe = (event: RunEvent): string => {
  const text = canonicalJson(event)
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}
