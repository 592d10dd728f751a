import type { Budget, ModelConfig, Price } from "../domain/Campaign.ts"
import type { Problem } from "../domain/InputError.ts"
import { addressOf } from "./address.ts"
import { modelName } from "./key.ts"
import type { Usage } from "./LanguageModel.ts"

/** When the table below was last compared with the published list prices. */
export const pricesAsOf = "2026-06"

/**
 * OpenAI's list prices at standard rates, US dollars per million tokens. Contexts beyond 270,000 tokens, priority and
 * batch processing cost otherwise. A campaign's own `price` goes before it.
 */
const listed: Readonly<Record<string, Price>> = {
  "gpt-5.5": { input: 5, cachedInput: 0.5, output: 30 },
  "gpt-5.4": { input: 2.5, cachedInput: 0.25, output: 15 },
  "gpt-5.4-mini": { input: 0.75, cachedInput: 0.075, output: 4.5 },
  "gpt-5.4-nano": { input: 0.2, cachedInput: 0.02, output: 1.25 },
  "gpt-5.2": { input: 1.75, cachedInput: 0.175, output: 14 },
  "gpt-5.1": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "gpt-4.1": { input: 2, cachedInput: 0.5, output: 8 },
  "gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, output: 1.6 },
  "gpt-4.1-nano": { input: 0.1, cachedInput: 0.025, output: 0.4 },
  "gpt-4o": { input: 2.5, cachedInput: 1.25, output: 10 },
  "gpt-4o-mini": { input: 0.15, cachedInput: 0.075, output: 0.6 },
  "o4-mini": { input: 1.1, cachedInput: 0.275, output: 4.4 }
}

const free: Price = { input: 0, cachedInput: 0, output: 0 }

/**
 * The campaign's price, else the listed one (for OpenAI's own address only: the same name costs something else
 * elsewhere), else null. Dated names (`gpt-4.1-2025-04-14`) cost what the plain name costs.
 */
export const priceOf = (model: ModelConfig): Price | null => {
  if (model.provider === "embedded") return free
  if (model.price !== undefined) return model.price
  if (!addressOf(model).official) return null
  return listed[model.model.replace(/-\d{4}-\d{2}-\d{2}$/, "")] ?? null
}

const isFree = (price: Price) => price.input === 0 && (price.cachedInput ?? 0) === 0 && price.output === 0

/**
 * US dollars; null where the price or the usage is unknown. Cached input is part of the input and costs the cached
 * price, or the full one where none is given; reasoning is part of the output.
 */
export const costOf = (usage: Usage | null, price: Price | null): number | null => {
  if (price === null) return null
  if (isFree(price)) return 0
  if (usage === null) return null
  const cached = Math.min(usage.cachedInput, usage.input)
  return (
    ((usage.input - cached) * price.input + cached * (price.cachedInput ?? price.input) + usage.output * price.output) /
    1e6
  )
}

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
