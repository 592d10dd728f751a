import { uniform } from "../../domain/Random.ts"
import type { Reply } from "../LanguageModel.ts"
import type { AnswerFacts, Api, Asked } from "./Api.ts"
import type { FaultKind } from "./kinds.ts"
import { faultedReply } from "./outcome.ts"
import { optionalParameters, refusedParameter } from "./parameters.ts"
import { type Refusal, refusal, refusalBody } from "./protocol.ts"

/** What goes over the wire, and how. */
export interface Wire {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** `cut`: half, then a reset. `stall`: half, then nothing. `drip`: a byte at a time. `hang` and `reset`: nothing at all. */
  readonly delivery: "whole" | "cut" | "drip" | "stall" | "hang" | "reset"
  /** Whether a client that gets it all has what it asked for. */
  readonly answers: boolean
}

export interface FaultSite {
  readonly api: Api
  readonly asked: Asked
  /** The request's body as JSON. */
  readonly body: unknown
  readonly identity: string
  /** The `Authorization` header as it came. */
  readonly authorization: string
  readonly facts: AnswerFacts
  /** The model's answer; not asked for where none is sent. */
  readonly reply: () => Reply
  /** Milliseconds since 1970, as the server's clock shows it. */
  readonly now: number
}

const jsonType = "application/json; charset=utf-8"
const htmlType = "text/html; charset=utf-8"

const wire = (status: number, contentType: string, body: string, more: Partial<Wire> = {}): Wire => ({
  status,
  body,
  delivery: "whole",
  answers: false,
  ...more,
  headers: { "content-type": contentType, ...more.headers }
})

export const jsonWire = (status: number, body: unknown, more: Partial<Wire> = {}): Wire =>
  wire(status, jsonType, JSON.stringify(body), more)

export const refusalWire = (why: Refusal, headers: Readonly<Record<string, string>> = {}): Wire =>
  jsonWire(why.status, refusalBody(why), { headers })

/** How long faults say to wait. */
const retryAfterSeconds = 1

const page = (title: string, text: string) =>
  `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<p>${text}</p>\n<hr><center>nginx</center>\n</body>\n</html>\n`

const rateLimited = refusal(
  429,
  "rate_limit_exceeded",
  "Rate limit reached for this model in organization org-simulated on requests per min (RPM): Limit 60, Used 60, Requested 1. Please try again in 1s.",
  "requests"
)

const masked = (key: string) => (key.length < 12 ? "***" : `${key.slice(0, 6)}${"*".repeat(8)}${key.slice(-4)}`)

/** The answer to kinds that are an error with a status whatever was asked; undefined for those about an answer. */
export const statusFault = (kind: FaultKind, authorization: string, now: number): Wire | undefined => {
  const key = authorization.replace(/^Bearer\s+/i, "")
  switch (kind) {
    case "rate-limited":
      return refusalWire(rateLimited, { "retry-after": String(retryAfterSeconds) })
    case "rate-limited-date": {
      // A date has whole seconds; rounded up, so that it never says to come at once.
      const at = Math.ceil(now / 1000 + retryAfterSeconds) * 1000
      return refusalWire(rateLimited, { "retry-after": new Date(at).toUTCString() })
    }
    case "server-error":
      return refusalWire(
        refusal(500, null, "The server had an error while processing your request. Sorry about that!", "server_error")
      )
    case "bad-gateway":
      return wire(502, htmlType, page("502 Bad Gateway", "The upstream server is not to be reached."))
    case "unavailable":
      return refusalWire(
        refusal(503, null, "The engine is currently overloaded, please try again later.", "server_error"),
        { "retry-after": String(retryAfterSeconds) }
      )
    case "key-echo":
      return refusalWire(
        refusal(
          500,
          null,
          `upstream refused the request (header "Authorization: Bearer ${key}", query "key=${encodeURIComponent(key)}")`,
          "server_error"
        )
      )
    case "unauthorised":
      return refusalWire(
        refusal(
          401,
          "invalid_api_key",
          `Incorrect API key provided: ${masked(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`
        )
      )
    case "no-credit":
      return refusalWire(
        refusal(
          429,
          "insufficient_quota",
          "You exceeded your current quota, please check your plan and billing details.",
          "insufficient_quota"
        )
      )
    case "payment-required":
      return jsonWire(402, { error: { message: "Insufficient credits. Add more credits to go on.", code: 402 } })
    default:
      return undefined
  }
}

const promptFiltered: Refusal = refusal(
  400,
  "content_filter",
  "The response was filtered due to the prompt triggering the content management policy. Please modify your prompt and retry.",
  "invalid_request_error",
  "prompt"
)

const tooLong = (tokens: number): Refusal => {
  const limit = Math.max(1, Math.floor(tokens * 0.8))
  return refusal(
    400,
    "context_length_exceeded",
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    "invalid_request_error",
    "messages"
  )
}

/** In tokens of four characters, as the embedded model counts. */
export const inputTokens = ({ messages }: Asked): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0)

/** For a parameter that can be left out or renamed; undefined for a request without one. */
const unsupported = ({ api, body, identity }: FaultSite): Wire | undefined => {
  const names = optionalParameters(api, body)
  const name = names[Math.floor(uniform(0, "unsupported parameter", identity) * names.length)]
  const why = name === undefined ? undefined : refusedParameter(api, body, [name])
  return why === undefined ? undefined : refusalWire(why)
}

/** The answer to one attempt with its fault, if any. */
export const answerWire = (kind: FaultKind | undefined, site: FaultSite): Wire => {
  const { api, asked, facts, identity } = site
  const text = () => JSON.stringify(api.body(faultedReply(kind, site.reply(), asked, identity), facts))
  const good = (more: Partial<Wire> = {}) => wire(200, jsonType, text(), { answers: true, ...more })
  if (kind === undefined) return good()
  const status = statusFault(kind, site.authorization, site.now)
  if (status !== undefined) return status
  switch (kind) {
    case "reset":
    case "hang":
      return jsonWire(200, {}, { delivery: kind })
    case "cut":
    case "stall":
      return good({ answers: false, delivery: kind })
    case "drip":
      return good({ delivery: "drip" })
    case "truncated-json": {
      const whole = text()
      return wire(200, jsonType, whole.slice(0, Math.floor(whole.length * 0.6)))
    }
    case "malformed-json":
      return wire(200, jsonType, `${text().slice(0, -1)},}`)
    case "empty-body":
      return wire(200, jsonType, "")
    case "html-page":
      return wire(200, htmlType, page("Sign in", "This network asks you to sign in before you go on."))
    case "wrong-type":
      return wire(200, "application/octet-stream", text())
    case "event-stream":
      return wire(200, "text/event-stream", api.events(site.reply(), facts))
    case "error-inside":
      return jsonWire(200, api.errorInside(facts, Math.floor(uniform(0, "error inside", identity) * 2)))
    case "prompt-filter":
      return refusalWire(promptFiltered)
    case "context-too-long":
      return refusalWire(tooLong(inputTokens(asked)))
    case "unsupported-parameter":
      return unsupported(site) ?? good()
    case "missing-usage":
    case "absurd-usage":
      return good()
    case "empty-content":
    case "refusal":
    case "content-filter":
    case "length":
    case "tool-calls":
      return good({ answers: false })
    default:
      return good()
  }
}
