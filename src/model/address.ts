import type { OpenAiModel } from "../domain/Campaign.ts"

export type Api = NonNullable<(typeof OpenAiModel.Type)["api"]>

/** Where requests to an OpenAI-compatible model go. */
export interface Address {
  /** Scheme, host and path up to the version, without a slash at the end, user, password or query. Fit to be shown. */
  readonly base: string
  /** As configured, else as the address ends, else chat completions. */
  readonly api: Api
  /** The address that is asked, without the query. Fit to be shown. */
  readonly endpoint: string
  readonly origin: string
  /** From the root, with the query. */
  readonly path: string
  /** The query of the address as configured, such as `api-version`. May hold what is not fit to be shown. */
  readonly query: Readonly<Record<string, string>>
  /** OpenAI's own. */
  readonly official: boolean
  readonly loopback: boolean
  /** Whether the address as configured holds a user name or password, which is never sent. */
  readonly holdsCredentials: boolean
}

const officialBase = "https://api.openai.com/v1"

/**
 * The address behind `baseUrl`, however it was written: with or without `/v1`, with a slash at the end, with
 * `/chat/completions` or `/responses`. A path that names a version anywhere (`/api/v1`, `/v1beta/openai`) is left alone, and so is one
 * with an `api-version` in the query; any other gets `/v1`.
 */
export const addressOf = (model: typeof OpenAiModel.Type): Address => {
  const known = addresses.get(model)
  if (known !== undefined) return known
  const address = parse(model)
  addresses.set(model, address)
  return address
}

/** Every call asks several times. */
const addresses = new WeakMap<typeof OpenAiModel.Type, Address>()

const parse = (model: typeof OpenAiModel.Type): Address => {
  const url = new URL(model.baseUrl ?? officialBase)
  const written = url.pathname.replace(/\/+$/, "")
  const path = written.replace(/\/(chat\/completions|responses)$/, "").replace(/\/+$/, "")
  const api = model.api ?? (written.endsWith("/responses") ? "responses" : "chat-completions")
  const versioned = /\/v\d/.test(path) || url.searchParams.has("api-version")
  const root = versioned ? path : `${path}/v1`
  const resource = api === "responses" ? "/responses" : "/chat/completions"
  return {
    base: `${url.origin}${root}`,
    api,
    endpoint: `${url.origin}${root}${resource}`,
    origin: url.origin,
    path: `${root}${resource}${url.search}`,
    query: Object.fromEntries(url.searchParams),
    official: url.hostname === "api.openai.com",
    loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname),
    holdsCredentials: url.username !== "" || url.password !== ""
  }
}
