import type { Dispatcher } from "@effect/platform-node/Undici"

/** Fetch with no time limits of its own but for connecting: Node's would cut every call off after 300 s. */
export interface HttpClient {
  readonly fetch: typeof globalThis.fetch
}

const connectTimeoutMs = 30_000

/** The part of a response that the openai library reads. A `Response` of the platform costs more than the reading. */
const response = (status: number, headers: Headers, text: string): Response => {
  const body = {
    status,
    ok: status >= 200 && status < 300,
    statusText: "",
    headers,
    url: "",
    body: null,
    text: async () => text
  }
  return body as unknown as Response
}

/**
 * Loaded when first needed. Proxies are taken from HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a server on this machine is
 * never asked through one. Reads each response whole before it gives it back, and follows no redirections.
 */
export const makeHttpClient = async (loopback: boolean): Promise<HttpClient> => {
  // The default export: named ones of a CommonJS module do not survive bundling.
  const { default: undici } = await import("@effect/platform-node/Undici")
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } }
  const dispatcher: Dispatcher = loopback ? new undici.Agent(options) : new undici.EnvHttpProxyAgent(options)
  return {
    // Undici's own fetch passes every body through web streams, which costs more than all the rest of a call.
    fetch: async (input, init) => {
      const { statusCode, headers, body } = await undici.request(String(input), {
        dispatcher,
        method: (init?.method ?? "GET") as Dispatcher.HttpMethod,
        headers: Object.fromEntries(init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)),
        body: (init?.body ?? null) as string | null,
        signal: init?.signal ?? null
      })
      const text = await body.text()
      const pairs = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]]
      )
      return response(statusCode, new Headers(pairs), text)
    }
  }
}
