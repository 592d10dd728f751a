import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { embeddedModel } from "../embedded/answer.ts"
import type { Api } from "./Api.ts"
import { isBatchPath, type RouteRequest, uploadLimit } from "./batchRoutes.ts"
import { chatCompletions } from "./chatCompletions.ts"
import { deliver } from "./deliver.ts"
import type { ExchangeSettings, Exchanging } from "./exchange.ts"
import { jsonWire, refusalWire, statusFault, type Wire } from "./faultedAnswer.ts"
import { windowAt } from "./faults.ts"
import { modelsBody, refusal } from "./protocol.ts"
import { readBody } from "./readBody.ts"
import { responses } from "./responses.ts"

export interface HandlerSettings extends ExchangeSettings {
  readonly apiKey: string | undefined
  /** Between two bytes of an answer that drips. */
  readonly dripMs: number
  readonly exchange: Exchanging
  /** Answers requests for files and batches. */
  readonly batchRoutes: (request: RouteRequest) => Promise<Wire>
}

const bodyLimit = 10 * 1024 * 1024

const digest = (text: string) => createHash("sha256").update(text).digest()

const authorised = (request: IncomingMessage, apiKey: string | undefined): boolean =>
  apiKey === undefined || timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${apiKey}`))

/** The rest of the body is not read, so the connection cannot be used again. */
const tooLarge = (limit: number): Wire =>
  refusalWire(refusal(413, "request_too_large", `The body is larger than ${limit} bytes.`), { connection: "close" })

const apis: ReadonlyMap<string, Api> = new Map([chatCompletions, responses].map((api) => [`POST ${api.path}`, api]))
const knownPaths: ReadonlySet<string> = new Set(["/chat/completions", "/responses", "/models", "/healthz", "/stats"])

/** One request to one response. All state is in the settings and in the exchange. */
export const makeHandler = (settings: HandlerSettings) => {
  const { apiKey, batchRoutes, clockSkewMs, counters, dripMs, exchange } = settings
  const send = (response: ServerResponse, wire: Wire) => deliver(response, wire, dripMs)

  /** Sends, and counts refusals, for what does not come from the exchange. */
  const count = (response: ServerResponse, wire: Wire) => {
    if (wire.status >= 400) counters.refused(wire.status)
    send(response, wire)
  }

  const complete = (api: Api, request: IncomingMessage, response: ServerResponse) => {
    counters.opened()
    const arrived = performance.now()
    let timer: NodeJS.Timeout | undefined
    response.once("close", () => {
      counters.closed()
      clearTimeout(timer)
    })
    readBody(request, bodyLimit, (bytes) => {
      if (bytes === undefined) return count(response, tooLarge(bodyLimit))
      const authorization = request.headers.authorization ?? ""
      const { delayMs, hash, wire } = exchange(api, bytes.toString("utf8"), { authorization, batch: false })
      if (hash !== undefined && wire.answers) response.once("finish", () => counters.answered(hash))
      // What reading and answering took is a part of the latency, not added to it.
      const left = delayMs - (performance.now() - arrived)
      if (left <= 0) send(response, wire)
      else timer = setTimeout(() => send(response, wire), left)
    })
  }

  /** The present fault of everything, where it is one that needs no completion. */
  const presentFault = (authorization: string): Wire | undefined => {
    const kind = windowAt(settings.faults, settings.now() - settings.startedAt)
    return kind === undefined ? undefined : statusFault(kind, authorization, settings.now() + clockSkewMs)
  }

  const fileOrBatch = (request: IncomingMessage, path: string, response: ServerResponse) =>
    readBody(request, uploadLimit, (bytes) => {
      if (bytes === undefined) return count(response, tooLarge(uploadLimit))
      const authorization = request.headers.authorization ?? ""
      const asked = {
        method: request.method ?? "GET",
        path,
        query: new URLSearchParams(/\?(.*)/.exec(request.url ?? "")?.[1]),
        contentType: request.headers["content-type"] ?? "",
        authorization,
        bytes
      }
      const fault = presentFault(authorization)
      if (fault !== undefined) return count(response, fault)
      void batchRoutes(asked).then((wire) => count(response, wire))
    })

  /** The answer to a request for none of these. */
  const about = (request: IncomingMessage, path: string): Wire => {
    const fault = presentFault(request.headers.authorization ?? "")
    if (fault !== undefined) return fault
    const route = `${request.method} ${path}`
    if (route === "GET /models") return jsonWire(200, modelsBody(embeddedModel))
    if (route === `GET /models/${embeddedModel}`) return jsonWire(200, modelsBody(embeddedModel).data[0])
    return refusalWire(
      knownPaths.has(path)
        ? refusal(405, "method_not_allowed", `${request.method} is not allowed here.`)
        : refusal(404, "unknown_url", `Unknown request URL: ${route}.`)
    )
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    // A client that goes away while it is answered is no error of the server's.
    request.on("error", () => undefined)
    response.on("error", () => undefined)
    if (clockSkewMs !== 0) response.setHeader("date", new Date(settings.now() + clockSkewMs).toUTCString())
    const path = (request.url ?? "/").replace(/[?#].*$/, "").replace(/^\/v1(?=\/)/, "")
    const api = apis.get(`${request.method} ${path}`)
    if (path === "/healthz" && request.method === "GET") send(response, jsonWire(200, { status: "ok" }))
    else if (path === "/stats" && request.method === "GET") send(response, jsonWire(200, counters.read()))
    else if (!authorised(request, apiKey)) {
      count(response, refusalWire(refusal(401, "invalid_api_key", "Incorrect API key provided.")))
    } else if (api !== undefined) complete(api, request, response)
    else if (isBatchPath(path)) fileOrBatch(request, path, response)
    else count(response, about(request, path))
  }
}
