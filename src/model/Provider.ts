import type * as Effect from "effect/Effect"
import type { ModelConfig } from "../domain/Campaign.ts"
import type { ModelError, ModelRequest, Reply } from "./LanguageModel.ts"

/** One attempt at one request. It keeps nothing, repeats nothing, and knows of no budget. Interruption cuts it off. */
export type Provider = (request: ModelRequest) => Effect.Effect<Reply, ModelError>

/** The provider of each kind of model. */
export type Providers = { readonly [P in ModelConfig["provider"]]: Provider }
