import * as Effect from "effect/Effect"
import type { ModelConfig } from "../domain/Campaign.ts"
import type { Problem } from "../domain/InputError.ts"
import { addressOf } from "./address.ts"
import { apiKeyName, noKeyHint, readApiKey } from "./apiKey.ts"
import { fillHeaders } from "./requestHeaders.ts"

/**
 * What keeps the models from being asked: unset keys and variables of headers, and passwords in addresses. To be called
 * before anything is spent.
 */
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
    for (const { header, variable } of (yield* fillHeaders(model)).missing) {
      problems.push({
        ...place,
        field: `models.${role}.headers`,
        what: `the environment variable ${variable}, which the header ${header} for ${model.model} names, is not set or holds what no header can carry`,
        hint: `export ${variable}=… in the shell that runs assize`
      })
    }
  }
  return problems as ReadonlyArray<Problem>
})
