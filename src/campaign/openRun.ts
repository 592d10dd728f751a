import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { differences } from "../domain/differences.ts"
import { InputError, inputError, showValue } from "../domain/InputError.ts"
import { endingStop, isFinished, type RunEvent } from "../domain/RunEvent.ts"
import { EventLog } from "../store/EventLog.ts"
import { type Run, Runs } from "../store/Runs.ts"
import type { Prepared } from "./prepare.ts"

/** A run to go on with, and what its log holds. */
export interface OpenedRun {
  readonly run: Run
  readonly logged: ReadonlyArray<RunEvent>
}

/**
 * The run that a campaign goes on with: its newest, when that was started with the same settings; a new one when there is
 * none, when the newest is finished, or when a fresh one is asked for. An unfinished run with other settings is neither
 * gone on with nor passed over: that is the user's decision.
 */
export const openRun = Effect.fn("openRun")(function* (
  { campaign, task }: Prepared,
  options: { readonly fresh: boolean; readonly admit: Effect.Effect<void, InputError> }
) {
  const runs = yield* Runs
  const log = yield* EventLog
  // A run that its budget cannot begin is not even created.
  const create = Effect.andThen(
    options.admit,
    runs.create({ campaignFile: campaign.file, settings: task.settings })
  ).pipe(Effect.map((run): OpenedRun => ({ run, logged: [] })))
  if (options.fresh) return yield* create
  const [newest] = yield* runs.list(campaign.file)
  if (newest === undefined) return yield* create
  // A run of a version that knew no merges goes on without, whatever the campaign says of them.
  const changed = differences(newest.settings, task.settings).filter(
    ({ field }) => field !== "search.merge" || newest.settings.search.merge !== undefined
  )
  const logged = (yield* Stream.runCollect(log.read(newest.id))).map(({ event }) => event)
  if (changed.length === 0) return { run: newest, logged } satisfies OpenedRun
  const stop = endingStop(logged)
  if (stop !== undefined && isFinished(stop.reason)) return yield* create
  return yield* new InputError({
    problems: changed.map(({ before, field, now }) => ({
      file: campaign.file,
      field,
      what: `differs from what the unfinished run ${newest.id} was started with`,
      found: showValue(now),
      expected: showValue(before),
      hint: "Change it back to go on with that run, or start another with --new"
    }))
  })
})

/** A run by its id, by the only id that starts so, or the newest for `latest`. */
export const findRun = Effect.fn("findRun")(function* (name: string) {
  const runs = yield* Runs
  const exact = yield* runs.find(name)
  if (Option.isSome(exact)) return exact.value
  const all = yield* runs.list()
  if (name === "latest" && all[0] !== undefined) return all[0]
  const matching = all.filter(({ id }) => id.startsWith(name))
  if (matching.length === 1) return matching[0]!
  const some = matching.length > 0 ? matching : all
  const known = some.slice(0, 5).map(({ id }) => id)
  const more = some.length > known.length ? ` and ${some.length - known.length} more` : ""
  return yield* inputError({
    what:
      matching.length === 0
        ? `there is no run ${showValue(name)} in this store`
        : `${matching.length} runs start with ${showValue(name)}: ${known.join(", ")}${more}`,
    ...(matching.length > 0
      ? { expected: "the beginning of one only" }
      : { expected: known.length === 0 ? "a run; the store has none yet" : `one of ${known.join(", ")}${more}` }),
    hint: "assize runs list names them all"
  })
})
