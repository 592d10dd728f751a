import type { ModelConfig } from "../domain/Campaign.ts"
import { canonicalJson, sha256 } from "../domain/hash.ts"
import { addressOf } from "./address.ts"
import type { AnswerSchema, ModelRequest } from "./LanguageModel.ts"

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
  /** Left out for chat completions. */
  readonly api?: "responses"
  /** Canonical JSON of the fields added to the body. */
  readonly body?: string
  /** Hash of the headers as configured, their variables not filled in: a new token is not another model. */
  readonly headers?: string
}

const shortHash = (value: unknown) => sha256(canonicalJson(value)).slice(0, 16)

const lowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** With its fields in alphabetical order, so that its JSON is canonical. */
const makePin = (model: ModelConfig): ModelPin => {
  const { provider, temperature, reasoningEffort, maxOutputTokens } = model
  const address = model.provider === "embedded" ? undefined : addressOf(model)
  const hasQuery = address !== undefined && Object.keys(address.query).length > 0
  const { body, headers } = model.provider === "embedded" ? {} : model
  return {
    ...(address === undefined ? {} : { address: address.base }),
    ...(address?.api === "responses" ? { api: address.api } : {}),
    ...(body === undefined || Object.keys(body).length === 0 ? {} : { body: canonicalJson(body) }),
    ...(headers === undefined || Object.keys(headers).length === 0
      ? {}
      : { headers: shortHash(lowerCaseNames(headers)) }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    model: model.model,
    provider,
    ...(hasQuery ? { query: shortHash(address.query) } : {}),
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

/** The shape that a request asks for, where its model is one that is asked by schema. */
export const answerAskedFor = ({ answer, model }: ModelRequest): AnswerSchema | undefined =>
  model.provider === "openai" && model.structuredOutput !== false ? answer : undefined

const answerHashes = new WeakMap<AnswerSchema, string>()

const answerHash = (answer: AnswerSchema): string => {
  const known = answerHashes.get(answer)
  if (known !== undefined) return known
  const hash = shortHash(answer)
  answerHashes.set(answer, hash)
  return hash
}

/**
 * Over everything that can change the answer, and nothing that cannot: role, timeouts, concurrency, retries, price and
 * the name of the key are left out.
 */
export const requestKey = (request: ModelRequest): RequestKey => {
  const { model, messages, seed } = request
  const answer = answerAskedFor(request)
  // In alphabetical order: canonical JSON, made in one go.
  const text = JSON.stringify({
    ...(answer === undefined ? {} : { answer: answerHash(answer) }),
    messages: messages.map(({ role, content }) => ({ content, role })),
    model: modelPin(model),
    seed
  })
  return { key: sha256(text), text }
}
