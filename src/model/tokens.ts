import type { Price } from "../domain/Campaign.ts"
import type { Charge } from "../store/CallLog.ts"
import type { Message, ModelRequest } from "./LanguageModel.ts"

/** What a call without `maxOutputTokens` is assumed to write at most. Longer answers overshoot what was reserved. */
export const assumedOutputTokens = 4096

const bytesPerToken = 3
const tokensPerMessage = 8

/**
 * A cheap figure for the input, meant to lie above the true one: UTF-8 bytes over 3 (English has about 4 letters a
 * token; a Chinese character is 3 bytes and about one token). Not a count: see `countTokens`.
 */
export const inputTokensAtMost = (messages: ReadonlyArray<Message>): number =>
  messages.reduce(
    (sum, { content }) => sum + tokensPerMessage + Math.ceil(Buffer.byteLength(content) / bytesPerToken),
    0
  )

/** What a call may use at most, reserved before it is sent. Nothing is assumed to be cached. */
export const chargeAtMost = ({ model, messages }: ModelRequest, price: Price | null): Charge => {
  const input = inputTokensAtMost(messages)
  const output = model.maxOutputTokens ?? assumedOutputTokens
  return { tokens: input + output, usd: price === null ? null : (input * price.input + output * price.output) / 1e6 }
}

/** The number of tokens by OpenAI's o200k encoding, which other makers' models only come near. Loaded when first asked for. */
export const countTokens = async (text: string): Promise<number> => {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base")
  // Without the option, text such as `<|endoftext|>` in a note would throw.
  return count(text, { disallowedSpecial: new Set() })
}
