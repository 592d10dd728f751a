import * as Result from "effect/Result"
import { hashOf, sha256 } from "../../domain/hash.ts"

/** A refusal in OpenAI's shape. */
export interface Refusal {
  readonly status: number
  /** `invalid_request_error`, `server_error`, `insufficient_quota`; for a rate limit, what is limited. */
  readonly type: string
  readonly code: string | null
  readonly message: string
  readonly param: string | null
}

export const refusal = (
  status: number,
  code: string | null,
  message: string,
  type = "invalid_request_error",
  param: string | null = null
): Refusal => ({ status, type, code, message, param })

export const refusalBody = ({ code, message, param, type }: Refusal) => ({ error: { message, type, param, code } })

/** The JSON value of a body, or why there is none. */
export const parseBody = (text: string): Result.Result<unknown, Refusal> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: () => refusal(400, null, "The body is no JSON. Send one JSON object with a model and what it is asked.")
  })

/** Fields that can differ between two sendings of one request. */
const volatileFields: ReadonlySet<string> = new Set([
  "user",
  "metadata",
  "service_tier",
  "store",
  "safety_identifier",
  "prompt_cache_key"
])

export const tokenLimitFields = ["max_tokens", "max_completion_tokens", "max_output_tokens"] as const

export interface RequestHashes {
  /** The same for two bodies that ask the same. */
  readonly hash: string
  /** The same also when one allows more tokens than the other: by this, faults are drawn. */
  readonly identity: string
}

export const requestHashes = (body: unknown): RequestHashes => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    const hash = hashOf(body)
    return { hash, identity: hash }
  }
  const { max_tokens, max_completion_tokens, max_output_tokens, ...rest } = body as Record<string, unknown>
  const identity = hashOf(Object.fromEntries(Object.entries(rest).filter(([name]) => !volatileFields.has(name))))
  const limits = [max_tokens, max_completion_tokens, max_output_tokens]
  const limited = limits.some((limit) => limit !== undefined)
  return { identity, hash: limited ? sha256(identity + JSON.stringify(limits)) : identity }
}

export const modelsBody = (model: string) => ({
  object: "list",
  data: [{ id: model, object: "model", created: 0, owned_by: "assize" }]
})
