import * as Effect from "effect/Effect"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import type { ModelError, ModelRequest, Reply } from "../../src/model/LanguageModel.ts"
import type { Provider, Providers } from "../../src/model/Provider.ts"

export const openaiModel = (
  config: Partial<Extract<ModelConfig, { provider: "openai" }>> = {}
): Extract<ModelConfig, { provider: "openai" }> => ({
  provider: "openai",
  model: "tiny-1",
  baseUrl: "http://127.0.0.1:1/v1",
  ...config
})

export const request = (model: ModelConfig, text = "Is the note complete?", seed = 1): ModelRequest => ({
  role: "judge",
  model,
  messages: [{ role: "user", content: text }],
  seed
})

export const reply = (text: string): Reply => ({
  text,
  finish: "stop",
  usage: { input: 100, cachedInput: 0, output: 10, reasoning: 0 },
  servedModel: "tiny-1"
})

/** Providers of which both kinds are the given one. */
export const both = (provider: Provider): Providers => ({ openai: provider, embedded: provider })

/** A provider that answers with what `answer` gives, after a time, and counts. */
export const counting = (answer: (n: number, request: ModelRequest) => Effect.Effect<Reply, ModelError>) => {
  const state = { calls: 0, active: 0, mostActive: 0 }
  const provider: Provider = (asked) =>
    Effect.suspend(() => {
      state.active++
      state.mostActive = Math.max(state.mostActive, state.active)
      return answer(state.calls++, asked)
    }).pipe(Effect.onExit(() => Effect.sync(() => state.active--)))
  return { state, provider }
}
