import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Result from "effect/Result"
import { embeddedModel } from "../embedded/answer.ts"
import type { Counters } from "./Counters.ts"
import { answerChat } from "./chat.ts"
import type { Refusal } from "./protocol.ts"
import { completionBody, modelsBody, refusal, refusalBody } from "./protocol.ts"

export interface HandlerSettings {
  readonly latencyMs: number
  readonly seed: number
  readonly apiKey: string | undefined
  readonly counters: Counters
  /** Gets one line for each chat request whose body is JSON of the right shape. */
  readonly log: (line: string) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const bodyLimit = 10 * 1024 * 1024

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
) => {
  if (response.writableEnded || response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...headers
  })
  response.end(text)
}

const digest = (text: string) => createHash("sha256").update(text).digest()

const authorised = (request: IncomingMessage, apiKey: string | undefined): boolean =>
  apiKey === undefined || timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${apiKey}`))

/** Reads the body; gives undefined when it is above the limit. Never called back when the client goes away first. */
const readBody = (request: IncomingMessage, done: (text: string | undefined) => void) => {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) {
    done(undefined)
    return
  }
  const parts: Array<Buffer> = []
  let size = 0
  let over = false
  request.on("data", (part: Buffer) => {
    if (over) return
    size += part.length
    if (size > bodyLimit) {
      over = true
      parts.length = 0
      done(undefined)
    } else parts.push(part)
  })
  request.on("end", () => {
    if (!over) done(Buffer.concat(parts).toString("utf8"))
  })
}

/** One request to one response. All state is in the settings. */
export const makeHandler = (settings: HandlerSettings) => {
  const { counters } = settings
  let served = 0

  const refuse = (response: ServerResponse, why: Refusal, headers?: Readonly<Record<string, string>>) => {
    counters.refused(why.status)
    send(response, why.status, refusalBody(why), headers)
  }

  const chat = (request: IncomingMessage, response: ServerResponse) => {
    counters.opened()
    let timer: NodeJS.Timeout | undefined
    response.once("close", () => {
      counters.closed()
      clearTimeout(timer)
    })
    readBody(request, (text) => {
      if (text === undefined) {
        // The rest of the body is not read: the connection cannot be used again.
        refuse(response, refusal(413, "request_too_large", `The body is larger than ${bodyLimit} bytes.`), {
          connection: "close"
        })
        return
      }
      const answered = answerChat(text, settings.seed)
      if (Result.isFailure(answered)) {
        refuse(response, answered.failure)
        return
      }
      const { body, hash, reply, request: asked } = answered.success
      counters.accepted(hash)
      const arrived = settings.now()
      settings.log(`${JSON.stringify({ time: new Date(arrived).toISOString(), hash, body })}\n`)
      served++
      const id = `chatcmpl-${hash.slice(0, 20)}-${served}`
      // The place for faults: whatever makes this answer late, wrong, cut or absent is decided here, from `hash` and `served`.
      timer = setTimeout(() => {
        send(response, 200, completionBody(reply, asked.model, id, Math.floor(arrived / 1000)), { "x-request-id": id })
      }, settings.latencyMs)
    })
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    // A client that goes away while it is answered is no error of the server's.
    request.on("error", () => undefined)
    response.on("error", () => undefined)
    const path = (request.url ?? "/").replace(/[?#].*$/, "").replace(/^\/v1(?=\/)/, "")
    const route = `${request.method} ${path}`
    if (route === "GET /healthz") send(response, 200, { status: "ok" })
    else if (route === "GET /stats") send(response, 200, counters.read())
    else if (!authorised(request, settings.apiKey)) {
      refuse(response, refusal(401, "invalid_api_key", "Incorrect API key provided."))
    } else if (route === "GET /models") send(response, 200, modelsBody(embeddedModel))
    else if (route === `GET /models/${embeddedModel}`) send(response, 200, modelsBody(embeddedModel).data[0])
    else if (route === "POST /chat/completions") chat(request, response)
    else if (knownPaths.has(path)) {
      refuse(response, refusal(405, "method_not_allowed", `${request.method} is not allowed here.`))
    } else refuse(response, refusal(404, "unknown_url", `Unknown request URL: ${route}.`))
  }
}

const knownPaths: ReadonlySet<string> = new Set(["/chat/completions", "/models", "/healthz", "/stats"])
