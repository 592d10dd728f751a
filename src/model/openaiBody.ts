import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions"
import type { OpenAiModel } from "../domain/Campaign.ts"
import { addressOf } from "./address.ts"
import type { ModelRequest } from "./LanguageModel.ts"

type OpenAi = typeof OpenAiModel.Type
type TokensParameter = "max_tokens" | "max_completion_tokens"
type Optional = "temperature" | "seed" | "reasoning_effort"

/** What a model's server has been found to want. */
export interface Dialect {
  readonly tokens: TokensParameter
  /** The other name for the token limit has been tried already. */
  readonly switched: boolean
  readonly leftOut: ReadonlySet<Optional>
}

export const firstDialect = (model: OpenAi): Dialect => ({
  tokens: addressOf(model).official ? "max_completion_tokens" : "max_tokens",
  switched: false,
  leftOut: new Set()
})

export const bodyOf = (
  model: OpenAi,
  { messages, seed }: ModelRequest,
  dialect: Dialect
): ChatCompletionCreateParamsNonStreaming => {
  const has = (parameter: Optional) => !dialect.leftOut.has(parameter)
  return {
    model: model.model,
    // Servers refuse half a character pair.
    messages: messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
    ...(model.maxOutputTokens === undefined ? {} : { [dialect.tokens]: model.maxOutputTokens }),
    ...(model.temperature !== undefined && has("temperature") ? { temperature: model.temperature } : {}),
    ...(model.reasoningEffort !== undefined && has("reasoning_effort")
      ? { reasoning_effort: model.reasoningEffort }
      : {}),
    ...(has("seed") ? { seed } : {})
  }
}

const unknownParameter =
  /unsupported parameter|not supported|unrecogni[sz]ed|unknown|unexpected|extra (inputs|fields)|not permitted|not allowed/i
const refusedValue = /unsupported|does not support|only the default|invalid|must be/i

/** The refused request (status 400 or 422) as far as it tells which parameter was not wanted. */
export interface Refusal {
  readonly message: string
  readonly param: string | undefined
}

/**
 * What a refusal teaches, with what it says about it; undefined when nothing that leaving out or renaming a parameter
 * would mend. A reasoning effort that the model knows, but not at this value, is not left out: the default may cost many
 * times as much. Teaches each thing once, so that trying again comes to an end.
 */
export const learn = (
  dialect: Dialect,
  sent: ChatCompletionCreateParamsNonStreaming,
  { message, param }: Refusal
): { readonly dialect: Dialect; readonly lesson: string } | undefined => {
  const names = (parameter: string) => param === parameter || new RegExp(`\\b${parameter}\\b`).test(message)
  const other: TokensParameter = dialect.tokens === "max_tokens" ? "max_completion_tokens" : "max_tokens"
  const unwanted = names(other) || (names(dialect.tokens) && unknownParameter.test(message))
  if (!dialect.switched && dialect.tokens in sent && unwanted) {
    return {
      dialect: { ...dialect, tokens: other, switched: true },
      lesson: `wants ${other} in place of ${dialect.tokens}`
    }
  }
  const leave = (parameter: Optional) => ({
    dialect: { ...dialect, leftOut: new Set([...dialect.leftOut, parameter]) },
    lesson: `refuses ${parameter}, which is left out from now on`
  })
  for (const parameter of ["temperature", "seed"] as const) {
    if (parameter in sent && names(parameter) && (unknownParameter.test(message) || refusedValue.test(message)))
      return leave(parameter)
  }
  const effort = "reasoning_effort"
  if (effort in sent && names(effort) && unknownParameter.test(message) && !/value/i.test(message)) return leave(effort)
  return undefined
}
