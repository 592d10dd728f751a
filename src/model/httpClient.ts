import type { Dispatcher } from "@effect/platform-node/Undici"

/** Fetch with no time limits of its own but for connecting: Node's would cut every call off after 300 s. */
export interface HttpClient {
  readonly fetch: typeof globalThis.fetch
}

const connectTimeoutMs = 30_000

/**
 * Loaded when first needed. Proxies are taken from HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a server on this machine is
 * never asked through one.
 */
export const makeHttpClient = async (loopback: boolean): Promise<HttpClient> => {
  // The default export: named ones of a CommonJS module do not survive bundling.
  const { default: undici } = await import("@effect/platform-node/Undici")
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } }
  const dispatcher: Dispatcher = loopback ? new undici.Agent(options) : new undici.EnvHttpProxyAgent(options)
  // Undici's types for fetch are its own; the values are the standard's.
  const fetch = undici.fetch as unknown as (input: unknown, init: unknown) => Promise<Response>
  return { fetch: (input, init) => fetch(input, { ...init, dispatcher }) }
}
