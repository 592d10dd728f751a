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

/** With its fields in alphabetical order, so that its JSON is canonical. */
const makePin = (model: ModelConfig): ModelPin => {
  const { provider, temperature, reasoningEffort, maxOutputTokens } = model
  const address = model.provider === "embedded" ? undefined : addressOf(model)
  const hasQuery = address !== undefined && Object.keys(address.query).length > 0
  return {
    ...(address === undefined ? {} : { address: address.base }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    model: model.model,
    provider,
    ...(hasQuery ? { query: sha256(canonicalJson(address.query)).slice(0, 16) } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(temperature === undefined ? {} : { temperature })
  }
}

/** Every call asks for its model's. */
const pins = new WeakMap<ModelConfig, ModelPin>()

export const modelPin = (model: ModelConfig): ModelPin => {
  const known = pins.get(model)
  if (known !== undefined) return known
  const pin = makePin(model)
  pins.set(model, pin)
  return pin
}

/** How messages name a model: `gpt-5.4 at https://api.openai.com/v1`. */
export const modelName = (model: ModelConfig): string =>
  model.provider === "embedded" ? `the embedded model ${model.model}` : `${model.model} at ${addressOf(model).base}`

/** A request's content address, and the canonical JSON that it is the SHA-256 of. */
export interface RequestKey {
  readonly key: string
  readonly text: string
}

/**
 * Over everything that can change the answer, and nothing that cannot: role, timeout, concurrency, retries, price and
 * the name of the key are left out.
 */
export const requestKey = ({ model, messages, seed }: ModelRequest): RequestKey => {
  // In alphabetical order: canonical JSON, made in one go.
  const text = JSON.stringify({
    messages: messages.map(({ role, content }) => ({ content, role })),
    model: modelPin(model),
    seed
  })
  return { key: sha256(text), text }
}
