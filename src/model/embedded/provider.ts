import * as Effect from "effect/Effect"
import type { ModelRequest, Reply } from "../LanguageModel.ts"
import { ModelError } from "../LanguageModel.ts"
import { answer, embeddedModel } from "./answer.ts"

/** The embedded model as a provider: no key, no network, no cost. Fails only for a model that it does not have. */
export const complete = (request: ModelRequest): Effect.Effect<Reply, ModelError> => {
  const { model, maxOutputTokens, temperature } = request.model
  if (model !== embeddedModel) {
    return Effect.fail(
      new ModelError({
        kind: "unknown-model",
        message: `The embedded provider has no model "${model}". Write "model: ${embeddedModel}", or choose another provider.`
      })
    )
  }
  return Effect.sync(() =>
    answer({
      messages: request.messages,
      seed: request.seed,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature })
    })
  )
}
