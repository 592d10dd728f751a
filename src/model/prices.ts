import type { Budget, ModelConfig, Price } from "../domain/Campaign.ts"
import type { Problem } from "../domain/InputError.ts"
import { addressOf } from "./address.ts"
import { modelName } from "./key.ts"
import type { Reply, Usage } from "./LanguageModel.ts"
import { usdOf } from "./money.ts"
import { listedPrices, type Rates } from "./priceTable.ts"

const free: Price = { input: 0, cachedInput: 0, output: 0 }

/** What a batch costs, as a share of the price of single calls, where the price does not say. */
export const defaultBatchShare = 0.5

/**
 * The campaign's price, else the listed one (for OpenAI's own address only: the same name costs something else
 * elsewhere), else null. Dated names (`gpt-4.1-2025-04-14`) cost what the plain name costs.
 */
export const priceOf = (model: ModelConfig): Rates | null => {
  if (model.provider === "embedded") return free
  if (model.price !== undefined) return model.price
  if (!addressOf(model).official) return null
  const name = model.model.replace(/-\d{4}-\d{2}-\d{2}$/, "")
  return Object.hasOwn(listedPrices, name) ? listedPrices[name]! : null
}

const times = (price: Rates, input: number, output: number): Rates => ({
  ...price,
  input: price.input * input,
  ...(price.cachedInput === undefined ? {} : { cachedInput: price.cachedInput * input }),
  ...(price.cacheWrite === undefined ? {} : { cacheWrite: price.cacheWrite * input }),
  output: price.output * output
})

/** The price of calls that go through a batch. */
export const batchPrice = (price: Rates): Rates => {
  const share = price.batch ?? defaultBatchShare
  return times(price, share, share)
}

/** The price that holds for a request with so much input. */
export const ratesFor = (price: Rates, input: number): Rates =>
  price.long === undefined || input <= price.long.above ? price : times(price, price.long.input, price.long.output)

const isFree = (price: Price) =>
  price.input === 0 && (price.cachedInput ?? 0) === 0 && (price.cacheWrite ?? 0) === 0 && price.output === 0

/**
 * US dollars; null where the price or the usage is unknown. Input that came from a cache costs the cached price and
 * input that was put into one the price of that, each the full one where none is given; reasoning is part of the output.
 */
export const costOf = (usage: Usage | null, price: Rates | null): number | null => {
  if (price === null) return null
  if (isFree(price)) return 0
  if (usage === null) return null
  const cached = Math.min(usage.cachedInput, usage.input)
  const written = Math.min(usage.cacheWrite ?? 0, usage.input - cached)
  const rates = ratesFor(price, usage.input)
  return usdOf([
    [usage.input - cached - written, rates.input],
    [cached, rates.cachedInput ?? rates.input],
    [written, rates.cacheWrite ?? rates.input],
    [usage.output, rates.output]
  ])
}

/** OpenRouter alone states what it charges, in dollars; elsewhere a field of that name may mean anything. */
const statesCharge = (model: ModelConfig): boolean =>
  model.provider === "openai" && /^https?:\/\/([^/]*\.)?openrouter\.ai(:\d+)?\//.test(`${addressOf(model).base}/`)

/** What a reply cost: what the server says that it charged where its word is known to be dollars, else by the price. */
export const costOfReply = (reply: Reply, model: ModelConfig, price: Rates | null): number | null =>
  reply.chargedUsd !== undefined && statesCharge(model) ? reply.chargedUsd : costOf(reply.usage, price)

/** What keeps a budget in money from being kept: models whose price nobody knows. Empty without such a budget. */
export const checkPrices = (
  models: Readonly<Record<string, ModelConfig>>,
  budget: Budget,
  file?: string
): ReadonlyArray<Problem> =>
  budget.usd === undefined
    ? []
    : Object.entries(models)
        .filter(([, model]) => priceOf(model) === null)
        .map(([role, model]) => ({
          what: `a budget in money needs prices: the price of ${modelName(model)} is not known`,
          ...(file === undefined ? {} : { file }),
          field: `models.${role}.price`,
          hint: "Add price: { input: …, output: … } in US dollars per million tokens (0 for a model of your own), or limit calls or tokens instead of usd"
        }))
