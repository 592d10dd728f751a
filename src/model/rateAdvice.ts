import type { IncomingHttpHeaders } from "node:http"

/** A window that takes longer to come back is a day's or a month's: what it says of a second is nothing to go by. */
const longestWindowMs = 120_000

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const numberOf = (header: string | ReadonlyArray<string> | undefined): number | undefined => {
  if (typeof header !== "string" || !/^\d{1,15}(\.\d+)?$/.test(header.trim())) return undefined
  return Number(header)
}

/** `120ms`, `1.5s`, `6m0s`, seconds, a time since 1970 in seconds or milliseconds, or a date; in milliseconds from `now`. */
const resetMs = (header: string | ReadonlyArray<string> | undefined, now: number): number | undefined => {
  if (typeof header !== "string") return undefined
  const text = header.trim().slice(0, 64)
  const number = numberOf(text)
  if (number !== undefined) return number > 1e11 ? number - now : number > 1e8 ? number * 1000 - now : number * 1000
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text))
    return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
      (sum, [, n, unit]) => sum + Number(n) * unitsMs[unit!]!,
      0
    )
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : date - now
}

/**
 * Requests a second that a server's headers say it allows, where they say that its allowance of requests is used up
 * (`x-ratelimit-limit-requests`, `-remaining-requests`, `-reset-requests`, or without `-requests`): its whole in the
 * time that it takes to come back. Undefined where they say nothing, or something that cannot be.
 */
export const advisedRate = (headers: IncomingHttpHeaders, now: number): number | undefined => {
  const of = (what: string) => headers[`x-ratelimit-${what}-requests`] ?? headers[`x-ratelimit-${what}`]
  const limit = numberOf(of("limit"))
  const remaining = numberOf(of("remaining"))
  if (remaining === undefined || remaining >= 1 || limit === undefined || limit < 1) return undefined
  const ms = resetMs(of("reset"), now)
  return ms === undefined || ms <= 0 || ms > longestWindowMs ? undefined : (limit * 1000) / ms
}
