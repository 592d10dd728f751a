import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ModelConfig } from "../domain/Campaign.ts"
import { makeGates } from "./gate.ts"
import { requestKey } from "./key.ts"
import { type Completion, LanguageModel, type ModelError, type ModelRequest } from "./LanguageModel.ts"
import type { Providers } from "./Provider.ts"
import { type PreflightReport, preflightRequest, preflightRetries } from "./preflight.ts"
import { costOfReply, priceOf } from "./prices.ts"
import { defaultRetries, withRetry } from "./retry.ts"

const completeWith =
  (providers: Providers, gateOf: ReturnType<typeof makeGates>, retries?: number) =>
  (request: ModelRequest): Effect.Effect<Completion, ModelError> => {
    const { model } = request
    const attempt = Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      const answer = yield* providers[model.provider](request)
      const latencyMs = (yield* Clock.currentTimeMillis) - started
      const { chargedUsd: _, ...reply } = answer
      return {
        ...reply,
        key: requestKey(request).key,
        reused: false,
        cost: costOfReply(answer, model, priceOf(model)),
        latencyMs
      }
    })
    // These gates have a handle that nobody halts.
    const passed = Effect.catchTag(gateOf(model).pass(attempt), "Halted", Effect.die)
    return withRetry(passed, retries ?? model.retries ?? defaultRetries)
  }

/** Models without store and budget, for tests and for commands that belong to no run. Everything asked is bought. */
export const makeUnmetered = (providers: Providers): LanguageModel["Service"] =>
  LanguageModel.of({ complete: completeWith(providers, makeGates([])) })

/** One tiny call, outside of any run. */
export const preflight = (providers: Providers, model: ModelConfig): Effect.Effect<PreflightReport, ModelError> =>
  completeWith(
    providers,
    makeGates([]),
    preflightRetries
  )(preflightRequest(model)).pipe(
    Effect.map(({ latencyMs, servedModel, usage, finish }) => ({ latencyMs, servedModel, usage, finish }))
  )
