import * as Effect from "effect/Effect"
import type { RunEvent, StopReason } from "../domain/RunEvent.ts"
import type { BlindnessViolation } from "../judge/blindness.ts"
import { Judge, type JudgeBroken } from "../judge/Judge.ts"
import { CurrentGate, type Halted } from "../model/CallGate.ts"
import type { BudgetExceeded, BudgetLimit } from "../model/LanguageModel.ts"
import { evaluateCandidate, mending, neverReadable } from "./evaluation.ts"
import { indexTable, itemTable } from "./itemTable.ts"
import { iteration } from "./iteration.ts"
import { type EventOf, type EventSink, type Journal, makeJournal, type RunDiverged } from "./Journal.ts"
import type { Reflector, ReflectorBroken } from "./Reflector.ts"
import { RunState } from "./RunState.ts"
import { StopAsked } from "./StopAsked.ts"
import { scaleOf, type Task } from "./task.ts"

export type { Task } from "./task.ts"

type Ending = BudgetExceeded | JudgeBroken | ReflectorBroken | Halted

const endings: ReadonlySet<unknown> = new Set([
  "BudgetExceeded",
  "JudgeBroken",
  "ReflectorBroken",
  "Halted"
] satisfies ReadonlyArray<Ending["_tag"]>)
const isEnding = (error: unknown): error is Ending =>
  typeof error === "object" && error !== null && "_tag" in error && endings.has(error._tag)

const budgetReasons: Readonly<Record<BudgetLimit, StopReason>> = {
  usd: "budget-usd",
  calls: "budget-calls",
  tokens: "budget-tokens",
  time: "budget-time"
}

/** How a failure that ends the sitting is written down. */
const endingOf = (error: Ending): { readonly reason: StopReason; readonly detail: string } => {
  switch (error._tag) {
    case "BudgetExceeded":
      return { reason: budgetReasons[error.limit], detail: error.message }
    case "JudgeBroken":
      return { reason: "broken-judge", detail: error.message }
    case "ReflectorBroken":
      return { reason: "broken-reflection", detail: error.message }
    case "Halted":
      return { reason: "interrupted", detail: `stopped by the user; ${error.detail ?? "the same command goes on"}` }
  }
}

/** Where the events go, and who is told of them. */
export interface RunOptions<E> {
  readonly sink: EventSink<E>
  /** The state that the events are folded into; views may look at it. */
  readonly state?: RunState
  /** Told of each new event as it happens. */
  readonly seen?: (event: RunEvent) => void
}

/**
 * Runs a search, or goes on with the one that the sink holds, until something stops it [GEPA; method §5]. Deterministic:
 * the same task and the same judgements give the same events. Fails only when the log cannot be read or written, or
 * contradicts the task; everything else ends in a `stopped` event.
 */
export const runSearch = <E>(
  task: Task,
  options: RunOptions<E>
): Effect.Effect<RunState, BlindnessViolation | E | RunDiverged, Judge | Reflector> =>
  Effect.gen(function* () {
    const state = options.state ?? new RunState(scaleOf(task))
    const journal = makeJournal(options.sink, state, options.seen)
    const stop = (reason: StopReason, detail: string) =>
      Effect.suspend(() =>
        journal.stop({
          _tag: "stopped",
          reason,
          detail,
          iteration: state.iteration,
          winner: state.winner?.candidate.id ?? null
        })
      )
    yield* search(task, state, journal, stop).pipe(
      Effect.catchIf(isEnding, (error) => {
        const { detail, reason } = endingOf(error)
        return stop(reason, detail)
      })
    )
    return state
  })

type Stop<E> = (reason: StopReason, detail: string) => Effect.Effect<void, E>

const search = Effect.fnUntraced(function* <E>(task: Task, state: RunState, journal: Journal<E>, stop: Stop<E>) {
  const acceptance = indexTable(itemTable(task.acceptance))
  yield* journal.derive("started", { _tag: "started", settings: task.settings, acceptance: acceptance.table })
  for (const candidate of task.seeds) {
    yield* journal.derive("candidate", { _tag: "candidate", candidate })
  }
  const resumed = journal.replaying()
  const { ahead } = yield* Judge
  if (!resumed && ahead !== undefined) {
    const seeds = task.seeds.map(({ instructions }) => instructions)
    yield* ahead(seeds, task.acceptance.items, "acceptance of the seeds")
  }
  const seeded: Array<EventOf<"evaluated">> = []
  for (const candidate of task.seeds)
    seeded.push(yield* journal.step("evaluated", evaluateCandidate(task, acceptance, candidate)))
  const unreadable = journal.replaying() ? undefined : neverReadable(seeded)
  if (unreadable !== undefined) return yield* stop("broken-judge", unreadable)

  const iterate = yield* iteration(task, acceptance, state, journal)
  const mend = mending(task, acceptance, state, journal)
  let live = false
  const stopAsked = yield* StopAsked
  const gate = yield* CurrentGate
  while (true) {
    yield* mend.replay
    // What people added is evaluated before the search goes on with it.
    for (let [added] = state.toEvaluate; added !== undefined; [added] = state.toEvaluate) {
      yield* journal.step("evaluated", evaluateCandidate(task, acceptance, added))
      yield* mend.replay
    }
    if (!journal.replaying()) {
      if (!live && resumed) yield* mend.once
      live = true
      const { brokenAfter, iterations, stall } = task.limits
      if (state.unusableInARow >= brokenAfter) {
        const last = state.decisions.at(-1)
        return yield* stop(
          "broken-reflection",
          `${state.unusableInARow} reflections in a row could not be used; the last: ${last?.reason}, ${last?.detail}. This says nothing about what could be improved: check models.reflection`
        )
      }
      if (state.iteration >= iterations || state.rejectionsInARow >= stall) yield* mend.once
      if (state.iteration >= iterations) return yield* stop("iterations", `all ${iterations} iterations are done`)
      if (state.rejectionsInARow >= stall)
        return yield* stop("stall", `${state.rejectionsInARow} proposals in a row were rejected: no improvement found`)
      if (gate.halted) return yield* stop("interrupted", "stopped by the user; the same command goes on")
      if (stopAsked.asked)
        return yield* stop("asked", "stopped by the user after the iteration; the same command goes on")
    }
    yield* iterate.next
  }
})
