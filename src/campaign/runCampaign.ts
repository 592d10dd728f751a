import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ModelConfig } from "../domain/Campaign.ts"
import { inputError } from "../domain/InputError.ts"
import { endingStop, type RunEvent } from "../domain/RunEvent.ts"
import { designJudge } from "../judge/designJudge.ts"
import { memberModels } from "../judge/judgePin.ts"
import { CurrentProgress, makeProgress } from "../judge/Progress.ts"
import { OutcomeRecorder, UseRecorder } from "../judge/UseRecorder.ts"
import { CallGate, CurrentGate } from "../model/CallGate.ts"
import { modelName } from "../model/key.ts"
import { layer as liveModels, Preflight } from "../model/live.ts"
import { makeProviders } from "../model/providers.ts"
import { runSearch } from "../optimise/engine.ts"
import { modelReflector } from "../optimise/Reflector.ts"
import { foldRun, RunState } from "../optimise/RunState.ts"
import { StopAsked } from "../optimise/StopAsked.ts"
import { EventLog } from "../store/EventLog.ts"
import { Findings } from "../store/Findings.ts"
import { Uses } from "../store/Uses.ts"
import type { OpenedRun } from "./openRun.ts"
import type { Prepared } from "./prepare.ts"

/** The handles of a run under way: what views look at, and what people may ask of it. */
export interface RunHandles {
  readonly state: RunState
  readonly progress: ReturnType<typeof makeProgress>
  readonly gate: CallGate
  readonly stopAsked: { asked: boolean }
}

export const makeHandles = (): RunHandles => ({
  state: new RunState(),
  progress: makeProgress(),
  gate: new CallGate(),
  stopAsked: { asked: false }
})

/** Whether the log ends with a stop that no raised limit lifts, so that no model will be asked. */
export const isOver = ({ logged }: OpenedRun, { task }: Prepared): boolean => {
  const last = endingStop(logged)
  if (last === undefined) return false
  const state = foldRun(logged)
  // Notes whose calls failed are asked again.
  if (state.incomplete.length > 0) return false
  if (last.reason === "iterations") return state.iteration >= task.limits.iterations
  return last.reason === "stall" && state.rejectionsInARow >= task.limits.stall
}

/** One tiny call to each endpoint, so that a wrong address, key or name is found before anything is spent on it. */
const checkModels = Effect.fn("checkModels")(function* ({ campaign }: Prepared) {
  const preflight = yield* Preflight
  const { judge, reflection } = campaign.models
  const roles: ReadonlyArray<readonly [string, ModelConfig]> = [
    ["models.judge", judge],
    ["models.reflection", reflection],
    ...Object.entries(memberModels(campaign.judge))
  ]
  const seen = new Set<string>()
  for (const [field, model] of roles) {
    if (model.provider === "embedded" || seen.has(modelName(model))) continue
    seen.add(modelName(model))
    yield* preflight.check(model).pipe(
      Effect.catchTags({
        // A server that asks for patience is there, and whether it takes the key shows later.
        ModelError: (error) =>
          error.kind === "rate-limited"
            ? Effect.void
            : Effect.fail(inputError({ file: campaign.file, field, what: error.message })),
        // Then the run itself will say so, and how to go on.
        BudgetExceeded: () => Effect.void,
        Halted: () => Effect.void
      })
    )
  }
})

export interface RunWatch {
  /** Told of each new event. */
  readonly seen: (event: RunEvent) => void
  /** How long a model that answers nothing is waited for; for ever if undefined. */
  readonly patienceMs?: number | undefined
}

/**
 * Runs the search of a prepared campaign, or goes on with it, until something stops it. Models are checked first, unless
 * the run is over.
 */
export const runCampaign = Effect.fn("runCampaign")(function* (
  prepared: Prepared,
  opened: OpenedRun,
  handles: RunHandles,
  { patienceMs, seen }: RunWatch
) {
  const { campaign, task } = prepared
  const { run, logged } = opened
  const log = yield* EventLog
  const uses = yield* Uses
  const findings = yield* Findings
  const providers = yield* makeProviders
  const models = liveModels({
    run: run.id,
    budget: campaign.budget,
    file: campaign.file,
    models: campaign.models,
    providers,
    patienceMs
  })
  const seed = campaign.search.seed
  const workers = Layer.mergeAll(
    designJudge({ judge: campaign.judge, model: campaign.models.judge, seed }),
    modelReflector({ model: campaign.models.reflection, seed })
  ).pipe(Layer.provideMerge(models))
  const search = Effect.gen(function* () {
    if (!isOver(opened, prepared)) yield* checkModels(prepared)
    // The run's own settings: it goes on as it began.
    return yield* runSearch(
      { ...task, settings: run.settings },
      {
        sink: { logged, append: (first, events) => log.appendAll(run.id, first, events) },
        state: handles.state,
        seen
      }
    )
  })
  return yield* search.pipe(
    Effect.provide(workers),
    Effect.provideService(CurrentProgress, handles.progress),
    Effect.provideService(CurrentGate, handles.gate),
    Effect.provideService(StopAsked, handles.stopAsked),
    // What is noted serves exports; a run does not end because it cannot be noted.
    Effect.provideService(UseRecorder, (more) => Effect.ignore(uses.note(run.id, more), { log: "Warn" })),
    Effect.provideService(OutcomeRecorder, (candidate, outcomes) =>
      Effect.ignore(findings.note(run.id, candidate, outcomes), { log: "Warn" })
    )
  )
})
