import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "@effect/platform-node/Undici"
import * as Effect from "effect/Effect"
import { makeTurns } from "./turns.ts"

export interface Post {
  /** POST, if left out. */
  readonly method?: "GET" | "POST" | "DELETE"
  readonly origin: string
  /** From the root, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Bytes of the answer that are read; `longestBody`, if left out. */
  readonly longest?: number
  /** From the sending to the first byte of the answer; 0 for any time. */
  readonly firstByteMs: number
}

/** What came of a request: an answer read whole, one that is too long to be read, none in time, or none at all. */
export type HttpOutcome =
  | {
      readonly _tag: "answer"
      readonly status: number
      /** By name in lower case. */
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
    }
  | { readonly _tag: "too-large" }
  | { readonly _tag: "no-first-byte" }
  | { readonly _tag: "nothing"; readonly cause: unknown }

/** Sends requests and follows no redirections. Interruption closes the connection. */
export interface HttpClient {
  readonly post: (request: Post) => Effect.Effect<HttpOutcome>
}

export interface HttpClientOptions {
  /** A server on this machine is never asked through a proxy. */
  readonly loopback: boolean
  readonly connectMs: number
}

/** No answer of a model comes near it: what is longer would only fill the memory. */
export const longestBody = 20 * 1024 * 1024

/** What a Node timer can wait: with more it would fire at once. */
export const longestTimerMs = 2 ** 31 - 1

const cancelled = new Error("cancelled")
const tooLarge = new Error("too large")

/** One request's way through undici. Its `request` and its fetch pass bodies through streams, which cost more than all the rest. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (outcome: HttpOutcome) => void
  readonly #longest: number
  #controller: Dispatcher.DispatchController | undefined
  #cancelled = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
  readonly #chunks: Array<Buffer> = []
  #size = 0

  constructor(settle: (outcome: HttpOutcome) => void, longest: number) {
    this.#settle = settle
    this.#longest = longest
  }

  cancel(): void {
    this.#cancelled = true
    this.#controller?.abort(cancelled)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#cancelled) controller.abort(cancelled)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx: the answer is still to come.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    if (Number(headers["content-length"]) > this.#longest) controller.abort(tooLarge)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#longest) controller.abort(tooLarge)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const [only] = this.#chunks
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size)
    this.#settle({ _tag: "answer", status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    if (cause === tooLarge) this.#settle({ _tag: "too-large" })
    else if ((cause as { readonly code?: unknown }).code === "UND_ERR_HEADERS_TIMEOUT")
      this.#settle({ _tag: "no-first-byte" })
    else this.#settle({ _tag: "nothing", cause })
  }
}

/** Loaded when first needed. Proxies are taken from HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export const makeHttpClient = async ({ connectMs, loopback }: HttpClientOptions): Promise<HttpClient> => {
  // The default export: named ones of a CommonJS module do not survive bundling.
  const { default: undici } = await import("@effect/platform-node/Undici")
  // Node's own limits would cut every call off after 300 s.
  const options = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: Math.min(connectMs, longestTimerMs) }
  const inTurn = makeTurns()
  const dispatcher: Dispatcher = loopback ? new undici.Agent(options) : new undici.EnvHttpProxyAgent(options)
  return {
    post: ({ body, firstByteMs, headers, longest = longestBody, method = "POST", origin, path }) =>
      Effect.callback<HttpOutcome>((resume) => {
        const exchange = new Exchange((outcome) => inTurn(() => resume(Effect.succeed(outcome))), longest)
        try {
          dispatcher.dispatch(
            {
              origin,
              path,
              method,
              headers,
              ...(body === undefined ? {} : { body }),
              headersTimeout: Math.min(firstByteMs, longestTimerMs)
            },
            exchange
          )
        } catch (cause) {
          resume(Effect.succeed({ _tag: "nothing", cause }))
        }
        return Effect.sync(() => exchange.cancel())
      })
  }
}
