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

/** Null unless both input and output are counted. Under either of the two sets of names that servers use. */
export const usageOf = (value: unknown): ReportedUsage => {
  const fields = fieldsOf(value)
  const input = tokens(fields.prompt_tokens, fields.input_tokens)
  const written = tokens(fields.completion_tokens, fields.output_tokens)
  if (input === undefined || written === undefined) return unreported
  const cached =
    tokens(fieldsOf(fields.prompt_tokens_details).cached_tokens, fieldsOf(fields.input_tokens_details).cached_tokens) ??
    0
  const reasoning =
    tokens(
      fieldsOf(fields.completion_tokens_details).reasoning_tokens,
      fieldsOf(fields.output_tokens_details).reasoning_tokens
    ) ?? 0
  if (Number.isNaN(input + written + cached + reasoning)) return { usage: null, odd: true }
  // Some servers count reasoning beside the output; their total gives it away.
  const beside = reasoning > 0 && fields.total_tokens === input + written + reasoning
  const output = beside ? written + reasoning : written
  return {
    usage: { input, cachedInput: Math.min(cached, input), output, reasoning: Math.min(reasoning, output) },
    odd: false
  }
}
