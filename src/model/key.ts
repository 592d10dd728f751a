import type { ModelConfig } from "../domain/Campaign.ts"
import { canonicalJson, sha256 } from "../domain/hash.ts"
import { addressOf } from "./address.ts"
import type { ModelRequest } from "./LanguageModel.ts"

/** What of a model's configuration can change its answers. Holds no key and no password. */
export interface ModelPin {
  readonly provider: ModelConfig["provider"]
  readonly model: string
  readonly address?: string
  /** Hash of the address's query, where it has one: it may hold a secret. */
  readonly query?: string
  readonly temperature?: number
  readonly reasoningEffort?: string
  readonly maxOutputTokens?: number
}

export const modelPin = (model: ModelConfig): ModelPin => {
  const { provider, temperature, reasoningEffort, maxOutputTokens } = model
  const sampling = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens })
  }
  if (model.provider === "embedded") return { provider, model: model.model, ...sampling }
  const { base, query } = addressOf(model)
  const queryHash = Object.keys(query).length === 0 ? {} : { query: sha256(canonicalJson(query)).slice(0, 16) }
  return { provider, model: model.model, address: base, ...queryHash, ...sampling }
}

/** How messages name a model: `gpt-5.4 at https://api.openai.com/v1`. */
export const modelName = (model: ModelConfig): string =>
  model.provider === "embedded" ? `the embedded model ${model.model}` : `${model.model} at ${addressOf(model).base}`

/** A request's content address, and the text that it is the SHA-256 of. */
export interface RequestKey {
  readonly key: string
  readonly text: string
}

/**
 * Over everything that can change the answer, and nothing that cannot: role, timeout, concurrency, retries, price and
 * the name of the key are left out.
 */
export const requestKey = ({ model, messages, seed }: ModelRequest): RequestKey => {
  const text = canonicalJson({
    model: modelPin(model),
    messages: messages.map(({ role, content }) => ({ role, content })),
    seed
  })
  return { key: sha256(text), text }
}
