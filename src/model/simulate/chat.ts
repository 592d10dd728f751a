import * as Result from "effect/Result"
import { answer, embeddedModel } from "../embedded/answer.ts"
import type { Reply } from "../LanguageModel.ts"
import type { ChatRequest, Refusal } from "./protocol.ts"
import { messagesOf, parseBody, readChatRequest, refusal, requestHash } from "./protocol.ts"

export interface AnsweredChat {
  readonly request: ChatRequest
  /** The body as sent, for the log. */
  readonly body: unknown
  readonly hash: string
  readonly reply: Reply
}

/** A chat request's body to its answer, or the refusal. `defaultSeed` is for requests without a seed. */
export const answerChat = (text: string, defaultSeed: number): Result.Result<AnsweredChat, Refusal> =>
  Result.gen(function* () {
    const body = yield* parseBody(text)
    const request = yield* readChatRequest(body)
    if (request.model !== embeddedModel) {
      return yield* Result.fail(
        refusal(
          404,
          "model_not_found",
          `The model \`${request.model}\` does not exist here. This server has \`${embeddedModel}\`.`
        )
      )
    }
    const limit = request.max_completion_tokens ?? request.max_tokens
    const reply = answer({
      messages: messagesOf(request),
      seed: Math.abs(request.seed ?? defaultSeed),
      ...(limit === undefined || limit === null ? {} : { maxOutputTokens: limit }),
      ...(request.temperature === undefined || request.temperature === null ? {} : { temperature: request.temperature })
    })
    return { request, body, hash: requestHash(body), reply }
  })
