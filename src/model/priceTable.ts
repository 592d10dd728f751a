import type { Price } from "../domain/Campaign.ts"

/** A price, and what a request costs in full whose input is longer than `above` tokens: so many times the rates. */
export interface Rates extends Price {
  readonly long?: { readonly above: number; readonly input: number; readonly output: number }
}

/** The day on which the table below was last compared with what its source says. */
export const pricesAsOf = "2026-11-30"

/**
 * Where the prices stand: OpenAI's model and price pages, at standard processing. Compared on the day above with stored
 * copies of those pages (gpt-6.2-sol, gpt-6-luna, gpt-5.6-luna) and with price lists that cite them (the others, of
 * September to November 2026). Priority, flex and regional processing cost otherwise.
 */
export const pricesSource = "https://developers.openai.com/api/docs/pricing"

const long = { above: 272_000, input: 2, output: 1.5 }

/**
 * US dollars per million tokens, for OpenAI's own address. A batch costs half of all of them. Models whose price was not
 * certain on that day are left out, so that it is unknown: gpt-5.6-sol, whose reduced price was promised until
 * 2026-11-21 only.
 */
export const listedPrices: Readonly<Record<string, Rates>> = {
  "gpt-6.2-sol": { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10, long },
  "gpt-6.1-sol": { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10, long },
  "gpt-6.1-terra": { input: 1, cachedInput: 0.05, cacheWrite: 1.25, output: 5, long },
  "gpt-6-astra": { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50, long },
  "gpt-6-sol": { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10, long },
  "gpt-6-luna": { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5, long },
  "gpt-5.6-terra": { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 12, long },
  "gpt-5.6-luna": { input: 0.2, cachedInput: 0.02, cacheWrite: 0.25, output: 1.2, long },
  "gpt-5.5": { input: 5, cachedInput: 0.5, output: 30, long },
  "gpt-5.4": { input: 2.5, cachedInput: 0.25, output: 15, long },
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
