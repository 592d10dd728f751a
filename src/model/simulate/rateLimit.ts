import * as Result from "effect/Result"
import { type Problem, showValue } from "../../domain/InputError.ts"
import { type Refusal, refusal } from "./protocol.ts"

/** A bucket that fills at a steady rate. */
export interface Allowance {
  /** Requests or tokens in each `perMs`. */
  readonly amount: number
  readonly perMs: number
  /** What the bucket holds: what an idle client may send at once. */
  readonly burst: number
}

export interface RateLimit {
  readonly requests?: Allowance
  readonly tokens?: Allowance
}

/** How a 429 says when to come back: `alternate` takes turns between seconds and a date. */
export const retryForms = ["alternate", "seconds", "date", "ms", "none"] as const
export type RetryForm = (typeof retryForms)[number]

const unitsMs = { s: 1000, min: 60_000, h: 3_600_000 } as const
const ratePattern = /^(\d+(?:\.\d+)?)(t?)\/(s|min|h)$/
const burstPattern = /^burst=(\d+)(t?)$/

const problem = (found: string, expected: string): Problem => ({
  field: "--rate-limit",
  what: "is not usable",
  found: showValue(found),
  expected
})

/**
 * `10/s`, `600/min`, `60000t/min` (tokens), `burst=20`, `burst=5000t`, joined by commas. A bucket holds what one unit of
 * time allows, unless `burst` says otherwise.
 */
export const parseRateLimit = (spec: string): Result.Result<RateLimit, Problem> => {
  const found: { requests?: Allowance; tokens?: Allowance } = {}
  const bursts: { requests?: number; tokens?: number } = {}
  for (const part of spec.split(",").map((text) => text.trim())) {
    const [, amount, t, unit] = ratePattern.exec(part) ?? []
    const [, size, sizeT] = burstPattern.exec(part) ?? []
    const name = (t ?? sizeT) === "t" ? "tokens" : "requests"
    if (amount !== undefined && Number(amount) > 0 && found[name] === undefined) {
      const perMs = unitsMs[unit as keyof typeof unitsMs]
      found[name] = { amount: Number(amount), perMs, burst: Math.max(1, Number(amount)) }
    } else if (size !== undefined && Number(size) > 0 && bursts[name] === undefined) bursts[name] = Number(size)
    else return Result.fail(problem(part, "limits such as 10/s, 600/min, 60000t/min or burst=20, each once"))
  }
  for (const name of ["requests", "tokens"] as const) {
    const burst = bursts[name]
    if (burst === undefined) continue
    const allowance = found[name]
    if (allowance === undefined) return Result.fail(problem(spec, `a limit of ${name} beside their burst`))
    found[name] = { ...allowance, burst }
  }
  return Result.succeed(found)
}

/** Go's way to write a duration, in which OpenAI sends it: `120ms`, `1.5s`, `6m0s`. */
export const goDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.ceil(ms)}ms`
  const minutes = Math.floor(ms / 60_000)
  const seconds = +((ms - minutes * 60_000) / 1000).toFixed(3)
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds}s`
}

const makeBucket = ({ amount, burst, perMs }: Allowance) => {
  let level = burst
  let at = Number.NEGATIVE_INFINITY
  return {
    burst,
    level: () => level,
    fill: (now: number) => {
      if (now > at)
        level = Math.min(burst, at === Number.NEGATIVE_INFINITY ? burst : level + ((now - at) * amount) / perMs)
      at = Math.max(at, now)
    },
    take: (cost: number) => {
      level -= cost
    },
    /** Milliseconds until the bucket holds this much. */
    waitFor: (wanted: number) => (Math.max(0, wanted - level) * perMs) / amount
  }
}

export interface Admission {
  /** Undefined when the request is let in. */
  readonly refused: Refusal | undefined
  /** `x-ratelimit-*`, and `retry-after` where refused. */
  readonly headers: Readonly<Record<string, string>>
}

/** `now` is in milliseconds since 1970, as the server's clock shows it. */
export type Limiter = (tokens: number, now: number) => Admission

const organisation = "org-simulated"
const measures = { requests: "requests per min (RPM)", tokens: "tokens per min (TPM)" } as const

const retryHeaders = (form: RetryForm, turn: number, waitMs: number, now: number): Record<string, string> => {
  const seconds = { "retry-after": String(Math.ceil(waitMs / 1000)) }
  const date = () => ({ "retry-after": new Date(Math.ceil((now + waitMs) / 1000) * 1000).toUTCString() })
  switch (form) {
    case "none":
      return {}
    case "seconds":
      return seconds
    case "date":
      return date()
    case "ms":
      return { ...seconds, "retry-after-ms": String(Math.ceil(waitMs)) }
    case "alternate":
      return turn % 2 === 0 ? seconds : date()
  }
}

/** Refused requests cost nothing. */
export const makeLimiter = (limit: RateLimit, form: RetryForm): Limiter => {
  const buckets = (["requests", "tokens"] as const).flatMap((name) => {
    const allowance = limit[name]
    return allowance === undefined ? [] : [{ name, allowance, bucket: makeBucket(allowance) }]
  })
  let refusals = 0
  return (tokens, now) => {
    const costs = { requests: 1, tokens }
    for (const { bucket } of buckets) bucket.fill(now)
    const short = buckets.find(({ bucket, name }) => bucket.level() + 1e-9 < costs[name])
    if (short === undefined) for (const { bucket, name } of buckets) bucket.take(costs[name])
    const headers: Record<string, string> = {}
    for (const { bucket, name } of buckets) {
      headers[`x-ratelimit-limit-${name}`] = String(bucket.burst)
      headers[`x-ratelimit-remaining-${name}`] = String(Math.max(0, Math.floor(bucket.level() + 1e-9)))
      headers[`x-ratelimit-reset-${name}`] = goDuration(bucket.waitFor(bucket.burst))
    }
    if (short === undefined) return { refused: undefined, headers }
    const { allowance, bucket, name } = short
    const wanted = costs[name]
    const perMinute = Math.round((allowance.amount * 60_000) / allowance.perMs)
    if (wanted > bucket.burst) {
      const message = `Request too large for this model in organization ${organisation} on ${measures[name]}: Limit ${Math.floor(bucket.burst)}, Requested ${wanted}. The input or output tokens must be reduced in order to run successfully.`
      return { refused: refusal(429, "rate_limit_exceeded", message, name), headers }
    }
    const wait = bucket.waitFor(wanted)
    const used = Math.round(bucket.burst - bucket.level())
    const message = `Rate limit reached for this model in organization ${organisation} on ${measures[name]}: Limit ${perMinute}, Used ${used}, Requested ${wanted}. Please try again in ${goDuration(wait)}.`
    return {
      refused: refusal(429, "rate_limit_exceeded", message, name),
      headers: { ...headers, ...retryHeaders(form, refusals++, wait, now) }
    }
  }
}
