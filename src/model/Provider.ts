import type * as Effect from "effect/Effect"
import type { ModelConfig } from "../domain/Campaign.ts"
import type { BatchServer } from "./batch/BatchServer.ts"
import type { ModelError, ModelRequest, Reply } from "./LanguageModel.ts"

/** What a provider has found out about a model's server from its errors. */
export interface Learned {
  readonly api: "chat-completions" | "responses"
  /** The name that the server takes for the limit of the output. */
  readonly tokens: string
  /** What is not sent any more: of temperature, seed, reasoning, answer (the schema of the answer), store. */
  readonly leftOut: ReadonlyArray<string>
  /** The same and what else was learned, to go after the model's name, in the order in which it was learned. */
  readonly lessons: ReadonlyArray<string>
}

/** One attempt at one request. It keeps nothing, repeats nothing, and knows of no budget. Interruption cuts it off. */
export interface Provider {
  (request: ModelRequest): Effect.Effect<Reply, ModelError>
  /** What was learned by now; undefined where there is nothing to be learned. */
  readonly learned?: (model: ModelConfig) => Learned | undefined
  /** Requests a second that the model's server advised when its allowance was last used up; undefined without advice. */
  readonly advised?: (model: ModelConfig) => number | undefined
  /** The batch API of the model's server. */
  readonly batches?: (model: ModelConfig) => Effect.Effect<BatchServer, ModelError>
}

/** The provider of each kind of model. */
export type Providers = { readonly [P in ModelConfig["provider"]]: Provider }
