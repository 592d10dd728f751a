import type { Charge } from "../store/CallLog.ts"
import type { Message, ModelRequest } from "./LanguageModel.ts"
import { usdOf } from "./money.ts"
import { ratesFor } from "./prices.ts"
import type { Rates } from "./priceTable.ts"

/** What a call without `maxOutputTokens` is assumed to write at most. Longer answers overshoot what was reserved. */
export const assumedOutputTokens = 4096

const bytesPerToken = 3
const tokensPerMessage = 8

/**
 * A cheap figure for the input, meant to lie above the true one: UTF-8 bytes over 3 (English has about 4 letters a
 * token; a Chinese character is 3 bytes and about one token). Not a count: see `tokenCounter`.
 */
export const inputTokensAtMost = (messages: ReadonlyArray<Message>): number =>
  messages.reduce(
    (sum, { content }) => sum + tokensPerMessage + Math.ceil(Buffer.byteLength(content) / bytesPerToken),
    0
  )

/** What a call may use at most, reserved before it is sent. The input is taken at the dearest of its prices. */
export const chargeAtMost = ({ model, messages }: ModelRequest, price: Rates | null): Charge => {
  const input = inputTokensAtMost(messages)
  const output = model.maxOutputTokens ?? assumedOutputTokens
  if (price === null) return { tokens: input + output, usd: null }
  const rates = ratesFor(price, input)
  const dearest = Math.max(rates.input, rates.cachedInput ?? 0, rates.cacheWrite ?? 0)
  return {
    tokens: input + output,
    usd: usdOf([
      [input, dearest],
      [output, rates.output]
    ])
  }
}

/** Longer than any word, code or address whose tokens matter. */
const longestRun = 256

/**
 * A text in pieces, so that none holds more than 256 characters in a row without a space, or of spaces: the tokenizer
 * takes time that grows with the square of such a run. Cuts change a count by a token or so each; most texts need none.
 */
export const unbroken = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let from = 0
  let run = 0
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSpace = code <= 32
    run = isSpace === wasSpace ? run + 1 : 1
    wasSpace = isSpace
    // Never between the halves of a character.
    if (run >= longestRun && (code < 0xd800 || code > 0xdbff)) {
      pieces.push(text.slice(from, at + 1))
      from = at + 1
      run = 0
    }
  }
  if (from < text.length) pieces.push(text.slice(from))
  return pieces
}

/** The number of tokens by OpenAI's o200k encoding, which other makers' models only come near. Loaded when first asked for. */
export const tokenCounter = async (): Promise<(text: string) => number> => {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base")
  // Without the option, text such as `<|endoftext|>` in a note would throw.
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => unbroken(text).reduce((sum, piece) => sum + countTokens(piece, options), 0)
}
