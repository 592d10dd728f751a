import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { durationMs, type OpenAiModel } from "../domain/Campaign.ts"
import { version } from "../version.ts"
import { addressOf } from "./address.ts"
import { apiKeyName, readApiKey } from "./apiKey.ts"
import { callTimeoutMs } from "./callTimeout.ts"
import { type HttpClient, type HttpClientOptions, makeHttpClient } from "./httpClient.ts"
import type { ModelError } from "./LanguageModel.ts"
import { type CallSite, noKeyFailure } from "./openaiFailure.ts"
import { fillHeaders } from "./requestHeaders.ts"
import type { Secrets } from "./Secrets.ts"

type OpenAi = typeof OpenAiModel.Type

export const defaultConnectMs = 30_000

/** All of a model's requests but for their bodies, made once. Holds the key: not to be shown. */
export interface Endpoint {
  readonly site: CallSite
  readonly client: HttpClient
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** OpenAI's own server is told whose account it is, as its library does. */
const accountHeaders = { "openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID" } as const

const msOf = (duration: string | undefined): number | undefined =>
  duration === undefined ? undefined : durationMs(duration)

export const makeClients = (): ((options: HttpClientOptions) => Promise<HttpClient>) => {
  const clients = new Map<string, Promise<HttpClient>>()
  return (options) => {
    const name = `${options.loopback} ${options.connectMs}`
    const client = clients.get(name) ?? makeHttpClient(options)
    clients.set(name, client)
    return client
  }
}

/** Reads the key and the variables of the headers. Whatever is secret in them is added to `secrets`. */
export const makeEndpoint = Effect.fnUntraced(function* (
  model: OpenAi,
  secrets: Secrets,
  clientOf: (options: HttpClientOptions) => Promise<HttpClient>
): Effect.fn.Return<Endpoint, ModelError> {
  const { api, base, endpoint, loopback, official, origin, path } = addressOf(model)
  const site: CallSite = {
    model: model.model,
    address: base,
    endpoint,
    api,
    keyName: apiKeyName(model),
    secrets,
    timeoutMs: callTimeoutMs(model),
    firstByteMs: msOf(model.firstByteTimeout)
  }
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": `assize/${version}`
  }
  if (official) {
    for (const [header, variable] of Object.entries(accountHeaders)) {
      const value = yield* readApiKey(variable)
      if (value !== undefined) headers[header] = Redacted.value(value)
    }
  }
  if (site.keyName !== undefined) {
    const key = yield* readApiKey(site.keyName)
    if (key === undefined) return yield* noKeyFailure(site.keyName, site)
    secrets.add(Redacted.value(key))
    headers.authorization = `Bearer ${Redacted.value(key)}`
  }
  const filled = yield* fillHeaders(model)
  const [missing] = filled.missing
  if (missing !== undefined) return yield* noKeyFailure(missing.variable, site, missing.header)
  for (const secret of filled.secrets) secrets.add(Redacted.value(secret))
  for (const [name, value] of Object.entries(filled.headers)) headers[name] = Redacted.value(value)
  const client = yield* Effect.promise(() =>
    clientOf({ loopback, connectMs: msOf(model.connectTimeout) ?? defaultConnectMs })
  )
  return { site, client, origin, path, headers }
})
