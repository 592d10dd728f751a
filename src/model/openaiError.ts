import type { IncomingHttpHeaders } from "node:http"
import type { ModelFailure } from "./LanguageModel.ts"
import { fieldsOf } from "./openaiUsage.ts"

/** An answer with an error in it: what the status line and the body say. */
export interface ServerError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly param: string | undefined
  readonly retryAfterMs: number | undefined
}

/** Milliseconds from the headers' advice, given in milliseconds, seconds or as a date; undefined without. */
const retryAfterOf = (headers: IncomingHttpHeaders | undefined, now: number): number | undefined => {
  const exact = Number(headers?.["retry-after-ms"] ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = headers?.["retry-after"]
  if (text === undefined || text.trim() === "") return undefined
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

const parsed = (text: unknown): unknown => {
  if (typeof text !== "string") return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The error in a body, where servers put it: `{error: {…}}`, `{error: "…"}`, `{message: …}`, `{detail: …}`, in a list. */
const errorOf = (body: unknown, depth = 0): Pick<ServerError, "code" | "message" | "param"> => {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body)
  const inner = typeof outer.error === "object" && outer.error !== null ? fieldsOf(outer.error) : outer
  const detail = typeof outer.detail === "string" ? outer.detail : JSON.stringify(outer.detail)
  const own = {
    code: [inner.code, inner.type].map(textOf).join(" ").trim(),
    message: textOf(inner.message) || textOf(outer.error) || (detail ?? "") || (typeof body === "string" ? body : ""),
    param: textOf(inner.param) || undefined
  }
  // OpenRouter hands on what the provider behind it said.
  const raw = fieldsOf(inner.metadata).raw
  if (raw === undefined || raw === null || depth > 2) return own
  const behind = errorOf(parsed(raw), depth + 1)
  return {
    code: `${own.code} ${behind.code}`.trim(),
    message: behind.message === "" ? own.message : `${own.message}:\n${behind.message}`,
    param: own.param ?? behind.param
  }
}

export const serverError = (
  status: number,
  body: unknown,
  headers: IncomingHttpHeaders | undefined,
  now: number
): ServerError => ({ status, ...errorOf(body), retryAfterMs: retryAfterOf(headers, now) })

/** The status that an error without one should have had, by what it calls itself. */
export const statusOf = (code: string): number => {
  const number = Number(code.split(" ")[0])
  if (number >= 400 && number < 600) return number
  if (/rate_?limit|quota|overloaded|too_many/i.test(code)) return 429
  if (/auth|api_?key|permission/i.test(code)) return 401
  return /invalid|unsupported|not_supported|context/i.test(code) ? 400 : 500
}

/** How servers end answers that they could not go on with. */
const brokenOff = /^(error|abort(ed)?|cancelled|insufficient_system_resource)$/i

const choiceError = (choices: unknown): unknown => {
  const { error, finish_reason } = fieldsOf(Array.isArray(choices) ? choices[0] : undefined)
  if (error !== undefined && error !== null) return error
  return typeof finish_reason === "string" && brokenOff.test(finish_reason)
    ? { message: `the answer ended with ${finish_reason}` }
    : undefined
}

/** Some servers answer 200 with an error inside. Undefined where there is none. */
export const errorInside = (
  body: unknown,
  headers: IncomingHttpHeaders | undefined,
  now: number
): ServerError | undefined => {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body)
  const choice = choiceError(outer.choices)
  const isError = (value: unknown) =>
    (typeof value === "object" && value !== null) || (typeof value === "string" && value !== "")
  const holder = isError(outer.error)
    ? outer
    : isError(choice)
      ? { error: choice }
      : outer.object === "error"
        ? outer
        : undefined
  if (holder === undefined) return undefined
  const error = serverError(0, holder, headers, now)
  return { ...error, status: statusOf(error.code) }
}

const noCredit = /insufficient_quota|billing|credit|exceeded your current quota/i
const tooLong =
  /context[_ -]?(length|window|size|limit)|maximum context|(prompt|input|request).{0,30} is too long|prompt too long|too many (input )?tokens|exceeds? the (available |maximum )?(context|input)|input (token count|length).{0,30}exceeds|longer than the maximum model length|request too large for/i
const noSuchModel =
  /model_not_found|not a valid model|model .{0,80}(does not exist|not found)|no such model|unknown model/i
const filtered =
  /content[_ ]filter|content management policy|responsibleaipolicyviolation|data_?inspection_?failed|invalid_prompt|flagged (as potentially|by)|requires moderation|input was flagged/i

/** The server would not look at the prompt, or not show the answer: an outcome of this one prompt. */
export const isFiltered = ({ status, code, message }: ServerError): boolean =>
  status >= 400 && status < 500 && filtered.test(`${code} ${message}`)

/** The allowance was used up by thinking before the first word: OpenAI says so as an error. */
export const ranOut = ({ status, message }: ServerError): boolean =>
  status === 400 && /could not finish the message because max_tokens|model output limit was reached/i.test(message)

export const kindOf = ({ status, code, message }: ServerError): ModelFailure => {
  const said = `${code} ${message}`
  if (status === 402 || (status === 429 && noCredit.test(said))) return "no-credit"
  if (status === 401 || status === 403) return "unauthorised"
  // A router knows the model, but nobody behind it who takes the request.
  if (status === 404) return /no endpoints/i.test(said) ? "bad-request" : "unknown-model"
  if (status === 408) return "timeout"
  // Some servers say so with a status that means something else.
  if (status === 413 || (status >= 400 && tooLong.test(said))) return "context-too-long"
  if (status === 429) return "rate-limited"
  if (status === 409 || status === 425 || status >= 500) return "server-error"
  if (noSuchModel.test(said)) return "unknown-model"
  return "bad-request"
}
