import type { ModelConfig } from "../domain/Campaign.ts"
import type { Finish, ModelRequest, Usage } from "./LanguageModel.ts"

export interface PreflightReport {
  readonly latencyMs: number
  readonly servedModel: string | null
  /** Null where the server reports none: then tokens and costs are estimates or unknown. */
  readonly usage: Usage | null
  readonly finish: Finish
}

/** Few: whoever waits for a run to start wants to know soon that the endpoint is not there. */
export const preflightRetries = 1

const outputTokens = 16

/** The smallest request that shows whether address, key and model name are right. What comes back does not matter. */
export const preflightRequest = (model: ModelConfig): ModelRequest => ({
  role: "judge",
  model: { ...model, maxOutputTokens: outputTokens },
  messages: [{ role: "user", content: "Reply with OK." }],
  seed: 1
})
