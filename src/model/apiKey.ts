import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ModelConfig, OpenAiModel } from "../domain/Campaign.ts"
import type { Problem } from "../domain/InputError.ts"
import { addressOf } from "./address.ts"

/**
 * The environment variable that holds the model's key: the configured one, `OPENAI_API_KEY` at OpenAI's own address,
 * undefined for any other address: local servers need none.
 */
export const apiKeyName = (model: typeof OpenAiModel.Type): string | undefined =>
  model.apiKeyEnv ?? (model.baseUrl === undefined || addressOf(model).official ? "OPENAI_API_KEY" : undefined)

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

/** What keeps the models from being asked: unset keys, and passwords in addresses. To be called before anything is spent. */
export const checkKeys = Effect.fn("checkKeys")(function* (
  models: Readonly<Record<string, ModelConfig>>,
  file?: string
) {
  const problems: Array<Problem> = []
  const place = file === undefined ? {} : { file }
  for (const [role, model] of Object.entries(models)) {
    if (model.provider !== "openai") continue
    const name = apiKeyName(model)
    if (addressOf(model).holdsCredentials) {
      problems.push({
        ...place,
        field: `models.${role}.baseUrl`,
        what: "the address holds a user name or password",
        hint: "Remove it: keys come from an environment variable only, named in apiKeyEnv"
      })
    }
    if (name !== undefined && (yield* readApiKey(name)) === undefined) {
      problems.push({
        ...place,
        field: `models.${role}${model.apiKeyEnv === undefined ? "" : ".apiKeyEnv"}`,
        what: `the environment variable ${name}, which is to hold the key for ${model.model}, is not set`,
        hint: noKeyHint(name)
      })
    }
  }
  return problems as ReadonlyArray<Problem>
})
