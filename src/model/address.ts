import type { OpenAiModel } from "../domain/Campaign.ts"

/** Where requests to an OpenAI-compatible model go. */
export interface Address {
  /** Scheme, host and path up to the version, without a slash at the end, user, password or query. Fit to be shown. */
  readonly base: string
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
 * `/chat/completions`. A path that names a version anywhere (`/api/v1`, `/v1beta/openai`) is left alone, and so is one
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
  const path = url.pathname
    .replace(/\/+$/, "")
    .replace(/\/chat\/completions$/, "")
    .replace(/\/+$/, "")
  const versioned = /\/v\d/.test(path) || url.searchParams.has("api-version")
  const base = `${url.protocol}//${url.host}${versioned ? path : `${path}/v1`}`
  return {
    base,
    query: Object.fromEntries(url.searchParams),
    official: url.hostname === "api.openai.com",
    loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname),
    holdsCredentials: url.username !== "" || url.password !== ""
  }
}
