import type { Usage } from "./LanguageModel.ts"

type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {}

/** No call takes a thousand million tokens. Sums of counts below it stay exact. */
const mostTokens = 1e9

/** The first of the values that is a number; NaN for one that counts no tokens. */
const tokens = (...values: ReadonlyArray<unknown>): number | undefined => {
  const value = values.find((one) => typeof one === "number")
  if (typeof value !== "number") return undefined
  return Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : Number.NaN
}

/** What a server reports of the tokens. `odd` when it reports counts that cannot be: then nothing of it is believed. */
export interface ReportedUsage {
  readonly usage: Usage | null
  readonly odd: boolean
}

const unreported: ReportedUsage = { usage: null, odd: false }

/**
 * The `usage` of a chat completion or a response: null unless both input and output are counted. Read under the names of
 * OpenAI's two APIs, and where others keep what those do not have: DeepSeek (`prompt_cache_hit_tokens`), Anthropic and
 * servers after it (`cache_read_input_tokens`, beside the input rather than in it), OpenRouter (`cache_write_tokens`).
 */
export const usageOf = (value: unknown): ReportedUsage => {
  const fields = fieldsOf(value)
  const counted = tokens(fields.prompt_tokens, fields.input_tokens)
  const written = tokens(fields.completion_tokens, fields.output_tokens)
  if (counted === undefined || written === undefined) return unreported
  const inputDetails = { ...fieldsOf(fields.input_tokens_details), ...fieldsOf(fields.prompt_tokens_details) }
  const outputDetails = { ...fieldsOf(fields.output_tokens_details), ...fieldsOf(fields.completion_tokens_details) }

  // Anthropic's own names mean input beside what is counted, unless the totals are under OpenAI's names.
  const beside = tokens(fields.prompt_tokens) === undefined
  const read = tokens(fields.cache_read_input_tokens) ?? 0
  const stored = tokens(fields.cache_creation_input_tokens) ?? 0
  const input = counted + (beside ? read + stored : 0)
  const cached =
    tokens(inputDetails.cached_tokens, fields.prompt_cache_hit_tokens, inputDetails.cache_read_input_tokens) ?? read
  const cacheWrite = tokens(inputDetails.cache_write_tokens, inputDetails.cache_creation_input_tokens) ?? stored
  const thought = tokens(outputDetails.reasoning_tokens)
  if (Number.isNaN(input + written + cached + cacheWrite + (thought ?? 0))) return { usage: null, odd: true }

  // Some servers count reasoning beside the output; their total gives it away. Others tell it by the total alone.
  const surplus = (tokens(fields.total_tokens) ?? 0) - input - written
  const hidden = surplus > 0 && (thought ?? surplus) === surplus ? surplus : 0
  const output = written + hidden
  const cachedInput = Math.min(cached, input)
  const inCache = Math.min(cacheWrite, input - cachedInput)
  return {
    usage: {
      input,
      cachedInput,
      output,
      reasoning: Math.min(thought ?? hidden, output),
      ...(inCache > 0 ? { cacheWrite: inCache } : {})
    },
    odd: false
  }
}

const usdAtMost = 1e6

const usd = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= usdAtMost ? value : undefined

/**
 * US dollars that the server says it charged (OpenRouter's `cost`; with a key of one's own at the maker, what the maker
 * charges comes on top); nothing where it does not say.
 */
export const chargedOf = (value: unknown): { readonly chargedUsd?: number } => {
  const fields = fieldsOf(value)
  const fee = usd(fields.cost)
  const upstream = fields.is_byok === true ? usd(fieldsOf(fields.cost_details).upstream_inference_cost) : 0
  return fee === undefined || upstream === undefined ? {} : { chargedUsd: fee + upstream }
}
