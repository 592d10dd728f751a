import { noKeyHint } from "./apiKey.ts"
import { ModelError, type ModelFailure } from "./LanguageModel.ts"
import { fieldsOf } from "./openaiReply.ts"

/** What a failed call's message may say. */
export interface CallSite {
  readonly model: string
  /** Fit to be shown. */
  readonly address: string
  readonly keyName: string | undefined
  /** The key, to be struck out of whatever the server says. */
  readonly secret: string | undefined
  readonly timeoutMs: number
}

/** An answer with an error in it: what the status line and the body say. */
export interface ServerError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly param: string | undefined
  readonly retryAfterMs: number | undefined
}

/** Milliseconds from the headers' advice, given in milliseconds, seconds or as a date; undefined without. */
const retryAfterOf = (headers: Headers | undefined, now: number): number | undefined => {
  const exact = Number(headers?.get("retry-after-ms") ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = headers?.get("retry-after")
  if (text === null || text === undefined || text.trim() === "") return undefined
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

/** The error in a body, where servers put it: `{error: {…}}`, `{error: "…"}`, `{message: …}`, `{detail: …}`. */
export const serverError = (status: number, body: unknown, headers: Headers | undefined, now: number): ServerError => {
  const outer = fieldsOf(body)
  const inner = typeof outer.error === "object" && outer.error !== null ? fieldsOf(outer.error) : outer
  const detail = typeof outer.detail === "string" ? outer.detail : JSON.stringify(outer.detail)
  return {
    status,
    code: [inner.code, inner.type].map(textOf).join(" "),
    message: textOf(inner.message) || textOf(outer.error) || (detail ?? "") || (typeof body === "string" ? body : ""),
    param: textOf(inner.param) || undefined,
    retryAfterMs: retryAfterOf(headers, now)
  }
}

const longestQuote = 300

/** What a server said, on one line, without the key, terminal codes or markup, cut to a readable length. */
const quote = (text: string, secret: string | undefined): string => {
  const forms = secret === undefined ? [] : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  const clean = forms
    // Cut before the patterns: an error page of a megabyte must not hold up the run.
    .reduce((rest, form) => rest.replaceAll(form, "[key]"), text)
    .slice(0, 4000)
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
  const cut = [...clean].slice(0, longestQuote).join("")
  return cut === "" ? "" : `: “${cut}${cut.length < clean.length ? "…" : ""}”`
}

const noCredit = /insufficient_quota|billing|credit|exceeded your current quota/i
const tooLong =
  /context[_ -]?(length|window|size)|maximum context|(prompt|input|request) is too long|too many (input )?tokens|exceeds? the (available |maximum )?(context|input)/i
const noSuchModel =
  /model_not_found|not a valid model|model .{0,80}(does not exist|not found)|no such model|unknown model/i

const kindOf = ({ status, code, message }: ServerError): ModelFailure => {
  const said = `${code} ${message}`
  if (status === 402 || (status === 429 && noCredit.test(said))) return "no-credit"
  if (status === 401 || status === 403) return "unauthorised"
  if (status === 404) return "unknown-model"
  if (status === 408) return "timeout"
  if (status === 413) return "context-too-long"
  if (status === 429) return "rate-limited"
  if (status === 409 || status === 425 || status >= 500) return "server-error"
  if (tooLong.test(said)) return "context-too-long"
  if (noSuchModel.test(said)) return "unknown-model"
  return "bad-request"
}

const sentence = (kind: ModelFailure, error: ServerError, site: CallSite): string => {
  const said = quote(error.message, site.secret)
  const { model, address, keyName } = site
  const status = `(status ${error.status})`
  switch (kind) {
    case "unauthorised":
      // The server's own words are left out: they often quote parts of the key.
      return keyName === undefined
        ? `${address} wants a key for ${model} ${status}: name the environment variable that holds it in apiKeyEnv`
        : `${address} refuses the key in ${keyName} for ${model} ${status}: check that it is current and may use this model`
    case "no-credit":
      return `the account at ${address} has no credit left for ${model} ${status}: add credit and run the same command again${said}`
    case "unknown-model":
      return `${address}/chat/completions knows no model ${model} ${status}: check model and baseUrl${said}`
    case "rate-limited":
      return `${address} throttles ${model} ${status}: lower concurrency or set requestsPerMinute${said}`
    case "context-too-long":
      return `the request is longer than ${model} at ${address} can read ${status}: use a model with a longer context${said}`
    case "timeout":
      return `${address} gave up waiting while serving ${model} ${status}: try again later, or lower concurrency${said}`
    case "server-error":
      return `${address} failed while serving ${model} ${status}: try again later, or look at the server's log${said}`
    default:
      if (error.status < 400)
        return `${address} sends ${model}'s requests elsewhere ${status}: write the address they are to go to in baseUrl`
      return `${address} refuses the request to ${model} ${status}: check the model's settings in the campaign${said}`
  }
}

export const statusFailure = (error: ServerError, site: CallSite): ModelError => {
  const kind = kindOf(error)
  return new ModelError({
    kind,
    message: sentence(kind, error, site),
    status: error.status,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs })
  })
}

export const timeoutFailure = ({ model, address, timeoutMs }: CallSite): ModelError =>
  new ModelError({
    kind: "timeout",
    message: `${model} at ${address} did not answer within ${timeoutMs / 1000} s: raise timeout, or lower concurrency if the server is overloaded`
  })

export const malformedFailure = (what: string, { model, address }: CallSite): ModelError =>
  new ModelError({
    kind: "malformed-response",
    message: `${address}/chat/completions answered for ${model} with ${what}: check that baseUrl is an OpenAI-compatible address`
  })

export const noKeyFailure = (name: string, { model, address }: Pick<CallSite, "model" | "address">): ModelError =>
  new ModelError({
    kind: "no-key",
    message: `no key for ${model} at ${address}: the environment variable ${name} is not set. Set it with ${noKeyHint(name)}`
  })

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused: is the server running?",
  ENOTFOUND: "no such host: check baseUrl",
  EAI_AGAIN: "the name could not be looked up: check the network",
  ECONNRESET: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  EPIPE: "the connection broke off",
  ETIMEDOUT: "no connection in time: check the network or the proxy",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time: check the network or the proxy",
  EHOSTUNREACH: "no route to the host: check the network",
  ENETUNREACH: "no route to the network: check the network",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate: name its authority in NODE_EXTRA_CA_CERTS",
  SELF_SIGNED_CERT_IN_CHAIN: "self-signed certificate: name its authority in NODE_EXTRA_CA_CERTS",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknown certificate authority: name it in NODE_EXTRA_CA_CERTS",
  CERT_HAS_EXPIRED: "its certificate has expired"
}

/** The first code in an error's chain of causes. */
const codeOf = (cause: unknown, depth = 0): string => {
  const { code, cause: inner } = fieldsOf(cause)
  if (typeof code === "string") return code
  return inner === undefined || depth > 5 ? "" : codeOf(inner, depth + 1)
}

export const unreachableFailure = (cause: unknown, { model, address }: CallSite): ModelError => {
  const code = codeOf(cause)
  const reason = reasons[code] ?? (code === "" ? "the connection failed" : code)
  return new ModelError({ kind: "unreachable", message: `cannot reach ${model} at ${address} (${reason})` })
}
