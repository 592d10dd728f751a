import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { ModelConfig } from "../domain/Campaign.ts"
import type { CallLog } from "../store/CallLog.ts"
import type { StoreError } from "../store/errors.ts"
import { JudgementStore } from "../store/JudgementStore.ts"
import type { Sessions } from "../store/Sessions.ts"
import type { Statements } from "../store/sqlite.ts"
import { CurrentGate, type Halted } from "./CallGate.ts"
import { makeGates } from "./gate.ts"
import { makeInFlight } from "./inFlight.ts"
import { modelName, requestKey } from "./key.ts"
import {
  type BudgetExceeded,
  type Completion,
  LanguageModel,
  type ModelError,
  type ModelRequest
} from "./LanguageModel.ts"
import type { Providers } from "./Provider.ts"
import { type PreflightReport, preflightRequest, preflightRetries } from "./preflight.ts"
import { makePurchase, orDieOfStore } from "./purchase.ts"
import { RunBudget, type RunBudgetOptions } from "./RunBudget.ts"
import { raisedModel } from "./raise.ts"
import { defaultRetries } from "./retry.ts"

/** Finds out with one tiny call whether a model can be used at all. */
export class Preflight extends Context.Service<
  Preflight,
  {
    /** The answer is not kept; the call counts. */
    check(model: ModelConfig): Effect.Effect<PreflightReport, ModelError | BudgetExceeded | Halted>
  }
>()("assize/Preflight") {}

export interface LiveOptions extends RunBudgetOptions {
  /** All the models that the run will ask. */
  readonly models: { readonly judge: ModelConfig; readonly reflection: ModelConfig }
  readonly providers: Providers
  /** How long a model that answers nothing is waited for; for ever if left out. */
  readonly patienceMs?: number | undefined
}

const make = Effect.fnUntraced(function* ({ run, models, patienceMs, providers }: LiveOptions) {
  const judgements = yield* JudgementStore
  const purchase = yield* makePurchase
  const gateOf = makeGates(Object.values(models), {
    calls: yield* CurrentGate,
    patienceMs,
    advised: (model) => providers[model.provider].advised?.(model)
  })
  const inFlight = makeInFlight<Completion, ModelError | BudgetExceeded | Halted>()
  /** What single calls need not try again: batches that were told so. */
  const refused = new Map<string, ModelError>()
  /** Models that have been asked, so that their providers know what they take. */
  const tried = new Set<string>()

  const once = (request: ModelRequest): Effect.Effect<Completion, ModelError | BudgetExceeded | Halted> =>
    Effect.suspend(() => {
      const key = requestKey(request)
      const { model, role } = request
      const known = refused.get(key.key)
      if (known !== undefined) return Effect.fail(known)
      const buy = Effect.suspend(() => {
        tried.add(modelName(model))
        return purchase({
          run,
          role,
          request,
          key,
          provider: providers[model.provider],
          gate: gateOf(model),
          retries: model.retries ?? defaultRetries,
          keep: true
        })
      }).pipe(Effect.map((reply): Completion => ({ ...reply, key: key.key })))
      const stored = orDieOfStore(judgements.get(key.key))
      const completion = Effect.flatMap(stored, (reply) =>
        reply === undefined ? buy : Effect.succeed<Completion>({ ...reply, key: key.key, reused: true })
      )
      return Effect.map(inFlight(key.key, completion), ({ value, joined }) =>
        joined && !value.reused ? { ...value, reused: true } : value
      )
    })

  const complete: typeof once = (request) =>
    Effect.flatMap(once(request), (first) => {
      const more = first.finish === "length" ? raisedModel(request.model) : undefined
      if (more === undefined) return Effect.succeed(first)
      return once({ ...request, model: more }).pipe(
        Effect.map((completion): Completion => ({ ...completion, raised: true })),
        // A model that cannot write as much says so: then the first answer is all there is.
        Effect.catchIf(
          (error) => error._tag === "ModelError" && !error.retryable && !error.fatal,
          () => Effect.succeed(first)
        )
      )
    })

  const collector = yield* Effect.cached(
    Effect.flatMap(
      Effect.promise(() => import("./batch/collector.ts")),
      ({ makeCollector }) => makeCollector(run, patienceMs)
    ).pipe(
      Effect.provide(yield* Effect.context<JudgementStore | CallLog | RunBudget | SqlClient.SqlClient | Statements>())
    )
  )
  const gate = yield* CurrentGate

  const gather: LanguageModel["Service"]["gather"] = Effect.fnUntraced(function* (requests, told) {
    if (requests.length === 0) return
    const { model } = requests.get(0)
    const open = providers[model.provider].batches
    if (model.provider !== "openai" || model.batch !== true || open === undefined) return
    const collect = yield* collector
    yield* collect({
      model,
      server: yield* open(model),
      requests,
      told,
      refuse: (key, error) => refused.set(key, error),
      ask: once,
      tried: tried.has(modelName(model))
    }).pipe(Effect.provideService(CurrentGate, gate))
  })

  const check = Effect.fn("Preflight.check")(function* (model: ModelConfig) {
    const request = preflightRequest(model)
    const { latencyMs, servedModel, usage, finish } = yield* purchase({
      run,
      role: "preflight",
      request,
      key: requestKey(request),
      provider: providers[model.provider],
      gate: gateOf(model),
      retries: preflightRetries,
      impatient: true,
      keep: false
    })
    return { latencyMs, servedModel, usage: usage?.estimated === true ? null : usage, finish }
  })

  return Context.empty().pipe(
    Context.add(LanguageModel, LanguageModel.of({ complete, gather })),
    Context.add(Preflight, Preflight.of({ check }))
  )
})

/**
 * Models for one run: the judgement store first, then one purchase for all who ask the same meanwhile, within the run's
 * budget, the model's concurrency and rates, with retries; an answer that its allowance cut off is asked for once more
 * with a greater one. A store that fails or is damaged is a defect (`StoreError`, `CorruptStore`), which carries its own
 * message.
 */
export const layer = (
  options: LiveOptions
): Layer.Layer<
  LanguageModel | Preflight | RunBudget,
  StoreError,
  JudgementStore | CallLog | Sessions | SqlClient.SqlClient | Statements
> => Layer.effectContext(make(options)).pipe(Layer.provideMerge(RunBudget.layer(options)))
