import type { Api } from "./address.ts"
import { noKeyHint } from "./apiKey.ts"
import { ModelError, type ModelFailure } from "./LanguageModel.ts"
import { kindOf, type ServerError } from "./openaiError.ts"
import { fieldsOf } from "./openaiUsage.ts"
import type { Secrets } from "./Secrets.ts"

/** What a failed call's message may say. */
export interface CallSite {
  readonly model: string
  /** Fit to be shown. */
  readonly address: string
  /** What is asked there, fit to be shown. */
  readonly endpoint: string
  readonly api: Api
  readonly keyName: string | undefined
  /** To be struck out of whatever the server says. */
  readonly secrets: Secrets
  readonly timeoutMs: number
  readonly firstByteMs: number | undefined
}

const longestQuote = 300

/** What a server said, on one line, without keys, terminal codes or markup, cut to a readable length. */
export const quote = (text: string, secrets: Secrets): string => {
  const clean = secrets
    .strikeError(text)
    // Cut before the patterns: an error page of a megabyte must not hold up the run.
    .slice(0, 4000)
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
  const cut = [...clean].slice(0, longestQuote).join("")
  return cut === "" ? "" : `: “${cut}${cut.length < clean.length ? "…" : ""}”`
}

const sentence = (kind: ModelFailure, error: ServerError, site: CallSite): string => {
  const said = quote(error.message, site.secrets)
  const { model, address, endpoint, keyName, api } = site
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
      return `${endpoint} knows no model ${model} ${status}: check ${api === "responses" ? "model, baseUrl and api" : "model and baseUrl"}${said}`
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

export const firstByteFailure = ({ model, address, firstByteMs }: CallSite): ModelError =>
  new ModelError({
    kind: "timeout",
    message: `${model} at ${address} did not begin to answer within ${(firstByteMs ?? 0) / 1000} s: raise firstByteTimeout, or lower concurrency if the server is overloaded`
  })

/** An answer that cannot be read: `kind` says whether it was meant to be one. */
export const unreadableFailure = (
  kind: "malformed-response" | "wrong-content-type",
  what: string,
  { model, endpoint }: CallSite
): ModelError =>
  new ModelError({
    kind,
    message: `${endpoint} answered for ${model} with ${what}: check that baseUrl is an OpenAI-compatible address`
  })

/** `header` is the one that names the variable, where it is none for the key. */
export const noKeyFailure = (
  name: string,
  { model, address }: Pick<CallSite, "model" | "address">,
  header?: string
): ModelError =>
  new ModelError({
    kind: "no-key",
    message:
      header === undefined
        ? `no key for ${model} at ${address}: the environment variable ${name} is not set. Set it with ${noKeyHint(name)}`
        : `the header ${header} for ${model} at ${address} cannot be made: the environment variable ${name} is not set or holds what no header can carry. Set it with export ${name}=… in the shell that runs assize`
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

/** Codes of connections that broke after they had come about: the server may have read the request, and billed it. */
const brokeOff: ReadonlySet<string> = new Set(["ECONNRESET", "UND_ERR_SOCKET", "EPIPE"])

/** The first code in an error's chain of causes. */
const codeOf = (cause: unknown, depth = 0): string => {
  const { code, cause: inner } = fieldsOf(cause)
  if (typeof code === "string") return code
  return inner === undefined || depth > 5 ? "" : codeOf(inner, depth + 1)
}

export const unreachableFailure = (cause: unknown, { model, address }: CallSite): ModelError => {
  const code = codeOf(cause)
  const reason = reasons[code] ?? (code === "" ? "the connection failed" : code)
  return new ModelError({
    kind: "unreachable",
    message: `cannot reach ${model} at ${address} (${reason})`,
    unsent: Object.hasOwn(reasons, code) && !brokeOff.has(code)
  })
}
