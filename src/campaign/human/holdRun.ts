import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { inputError } from "../../domain/InputError.ts"
import type { HumanEvent } from "../../domain/RunEvent.ts"
import { foldRun, type RunState } from "../../optimise/RunState.ts"
import { EventLog } from "../../store/EventLog.ts"
import { holderWords } from "../../store/lockHolder.ts"
import { acquire } from "../../store/RunLock.ts"
import type { Run } from "../../store/Runs.ts"
import { findRun } from "../openRun.ts"

/** A run that nobody is running, nor can begin to while it is held. */
export interface HeldRun {
  readonly run: Run
  /** As it stands; grows with what is said. */
  readonly state: RunState
  /** How many events its log has. */
  readonly events: number
}

/**
 * Holds a run between two sittings until the scope closes, so that what a person does to it stands in its log where the
 * search looks for it. Refused while the run's campaign is being run, and for a run without an evaluated candidate.
 */
export const holdRun = Effect.fn("holdRun")(function* (name: string, locks: string) {
  const log = yield* EventLog
  const run = yield* findRun(name)
  const again = `assize run ${run.campaignFile}`
  yield* acquire({ folder: locks, campaign: run.campaign, campaignFile: run.campaignFile }).pipe(
    Effect.catchTag("LockHeld", ({ holder }) =>
      Effect.fail(
        inputError({
          what: `run ${holder?.run ?? run.id} is under way in ${holderWords(holder)}, and what people do to a run is written between its sittings`,
          hint: `Stop it there first (s after the iteration, q or Ctrl-C at once), say this again, and go on with: ${again}`
        })
      )
    )
  )
  const events = (yield* Stream.runCollect(log.read(run.id))).map(({ event }) => event)
  const state = foldRun(events)
  if (state.members.length === 0) {
    return yield* inputError({
      what: `run ${run.id} has no evaluated candidate yet`,
      hint: `Begin it first: ${again}`
    })
  }
  return { run, state, events: events.length } satisfies HeldRun
})

/** Writes the event at the end of the held run's log. */
export const say = Effect.fn("say")(function* ({ run, state }: HeldRun, event: HumanEvent) {
  const log = yield* EventLog
  yield* log.append(run.id, state.events, event)
  state.apply(event)
})
