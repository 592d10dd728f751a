import * as Effect from "effect/Effect"
import type { Message, ModelRequest, Reply, Usage } from "./LanguageModel.ts"
import { tokenCounter } from "./tokens.ts"

/** What OpenAI's chat format adds: a frame around each message, and the start of the answer. */
const tokensPerMessage = 4
const tokensPerAnswer = 3

/**
 * The tokens of a call by counting those of its texts, for a server that reports none. Nothing is known of a cache or of
 * reasoning; an answer that was cut off is taken to have used up its limit.
 */
export const countUsage = (
  count: (text: string) => number,
  messages: ReadonlyArray<Message>,
  { finish, text }: Pick<Reply, "finish" | "text">,
  maxOutputTokens: number | undefined
): Usage => {
  const written = count(text)
  return {
    input: messages.reduce((sum, { content }) => sum + count(content) + tokensPerMessage, tokensPerAnswer),
    cachedInput: 0,
    output: finish === "length" ? Math.max(written, maxOutputTokens ?? 0) : written,
    reasoning: 0,
    estimated: true
  }
}

/** The reply with a usage: the server's own, or else an estimate that is marked as one. */
export const withUsage = ({ messages, model }: ModelRequest, reply: Reply): Effect.Effect<Reply> =>
  reply.usage !== null
    ? Effect.succeed(reply)
    : Effect.tryPromise(tokenCounter).pipe(
        Effect.flatMap((count) => Effect.try(() => countUsage(count, messages, reply, model.maxOutputTokens))),
        Effect.map((usage): Reply => ({ ...reply, usage })),
        // The answer is paid for: it is not lost because its tokens cannot be counted.
        Effect.orElseSucceed(() => reply)
      )
