import * as Result from "effect/Result"
import { embeddedModel } from "../embedded/answer.ts"
import type { Message, Reply } from "../LanguageModel.ts"
import { type Refusal, refusal } from "./protocol.ts"

/** A JSON schema that an answer is to have, as asked for. */
export interface AskedFormat {
  readonly type: "text" | "json_object" | "json_schema"
  readonly name?: string | undefined
  readonly strict?: boolean | null | undefined
  readonly schema?: unknown
}

/** What a request asks, in whichever API. */
export interface Asked {
  readonly model: string
  readonly messages: ReadonlyArray<Message>
  readonly seed: number | undefined
  readonly temperature: number | undefined
  readonly tokenLimit: number | undefined
  readonly format: AskedFormat | undefined
}

/** What an answer's body says beside the reply. */
export interface AnswerFacts {
  /** Without its prefix. */
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly asked: Asked
}

/** One of OpenAI's APIs for one answer. */
export interface Api {
  readonly name: "chat-completions" | "responses"
  readonly path: "/chat/completions" | "/responses"
  /** The parameter's place as the API calls it, for what another API calls otherwise. */
  readonly formatParameter: "response_format" | "text.format"
  readonly read: (body: unknown) => Result.Result<Asked, Refusal>
  readonly body: (reply: Reply, facts: AnswerFacts) => object
  /** The same answer as a stream of server-sent events. */
  readonly events: (reply: Reply, facts: AnswerFacts) => string
  /** Status 200 and an error inside, in two ways where there are two. */
  readonly errorInside: (facts: AnswerFacts, way: number) => object
}

export const sameModel = (asked: Asked): Result.Result<Asked, Refusal> =>
  asked.model === embeddedModel
    ? Result.succeed(asked)
    : Result.fail(
        refusal(
          404,
          "model_not_found",
          `The model \`${asked.model}\` does not exist here. This server has \`${embeddedModel}\`.`
        )
      )
