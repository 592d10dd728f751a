import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { OpenAiModel } from "../domain/Campaign.ts"
import { addressOf } from "./address.ts"

const hasOwnAuthorization = ({ headers = {} }: typeof OpenAiModel.Type) =>
  Object.keys(headers).some((name) => name.toLowerCase() === "authorization")

/**
 * The environment variable that holds the model's key: the configured one, `OPENAI_API_KEY` at OpenAI's own address,
 * undefined for any other address (local servers need none) and where a header of the campaign's takes its place.
 */
export const apiKeyName = (model: typeof OpenAiModel.Type): string | undefined =>
  model.apiKeyEnv ?? (addressOf(model).official && !hasOwnAuthorization(model) ? "OPENAI_API_KEY" : undefined)

/** The key in a variable; undefined when the variable is not set or holds nothing but white space. */
export const readApiKey = (name: string): Effect.Effect<Redacted.Redacted | undefined> =>
  ConfigProvider.ConfigProvider.use((provider) => Config.Redacted(name).parse(provider)).pipe(
    Effect.map((key) => Redacted.make(Redacted.value(key).trim())),
    Effect.map((key) => (Redacted.value(key) === "" ? undefined : key)),
    // A variable that cannot be read is as good as none; what is wrong with it might quote it.
    Effect.orElseSucceed(() => undefined)
  )

export const noKeyHint = (name: string): string =>
  `export ${name}=… in the shell that runs assize, or name another variable in apiKeyEnv`
