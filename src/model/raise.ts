import type { ModelConfig } from "../domain/Campaign.ts"

const times = 4

/** The same object for the same model, since much is remembered by it. */
const raised = new WeakMap<ModelConfig, ModelConfig>()

/**
 * The model with the output tokens that an answer is asked for again with when it was cut off: `raiseOutputTokensTo`, or
 * four times `maxOutputTokens`. Undefined where there is no `maxOutputTokens` to raise, or nothing to raise it to.
 */
export const raisedModel = (model: ModelConfig): ModelConfig | undefined => {
  if (model.provider === "embedded" || model.maxOutputTokens === undefined) return undefined
  const maxOutputTokens = model.raiseOutputTokensTo ?? model.maxOutputTokens * times
  if (maxOutputTokens <= model.maxOutputTokens) return undefined
  const known = raised.get(model)
  if (known !== undefined) return known
  const more = { ...model, maxOutputTokens }
  raised.set(model, more)
  return more
}
