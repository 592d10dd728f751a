import { count } from "../domain/count.ts"
import type { Detection, Discrimination } from "../domain/RunEvent.ts"
import type { RoleUsage } from "../store/roleUsage.ts"

/** `12,345`. */
export const integer = (value: number): string => Math.round(value).toLocaleString("en-GB")

/** A share with three decimals; a dash where there is none. */
export const share = (value: number | null): string => (value === null ? "–" : value.toFixed(3))

/** A share as `34 %`. */
export const percent = (value: number): string => `${Math.round(value * 100)} %`

export const interval = (bounds: readonly [number, number] | null): string =>
  bounds === null ? "[–]" : `[${bounds[0].toFixed(2)}, ${bounds[1].toFixed(2)}]`

/** `9 s`, `4 min 05 s`, `1 h 05 min`. */
export const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const two = (value: number) => String(value).padStart(2, "0")
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`
}

/** `09:05:07`, local time. */
export const clockOf = (time: Date): string =>
  [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":")

/** `+1:05:09`: hours, minutes and seconds at work. */
export const elapsedMark = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, "0")
  return `+${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`
}

/** Wins, ties and losses. */
export const record = ({ losses, ties, wins }: Pick<Discrimination, "wins" | "ties" | "losses">): string =>
  `${wins}/${ties}/${losses}`

/** `14/60 at 3/40`: detected flawed notes at false alarms among clean ones. */
export const detectionCounts = (detection: Detection | null): string =>
  detection === null ? "–" : `${detection.detected}/${detection.flawed} at ${detection.falseAlarms}/${detection.clean}`

/** A p-value as papers print it. */
export const pValue = (p: number): string => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`)

/** `+0.042`, `−0.010`. */
export const signed = (value: number, digits = 3): string =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`

/** `$12.30`; four decimals below a dollar. */
export const money = (usd: number): string => `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2)}`

/** `≈ 1,234` for what is estimated. */
export const approximately = (estimated: boolean, text: string): string => (estimated ? `≈ ${text}` : text)

/** What was bought so far in this run, by this sitting and those before it. */
export interface Usage {
  /** Requests sent, as a budget counts them. */
  readonly calls: number
  readonly tokens: number
  /** US dollars of the calls with a known price; null when no price is known. */
  readonly usd: number | null
  /** Answered calls whose price is unknown. */
  readonly unpriced: number
  /** Seconds that the run has been at work. */
  readonly seconds: number
  readonly answered?: number
  /** Requests that were sent and not answered. */
  readonly failed?: number
  /** Attempts that found no server. */
  readonly unreached?: number
  /** What of the above rests on counted tokens. */
  readonly estimated?: { readonly calls: number; readonly tokens: number; readonly usd: number | null }
  readonly roles?: ReadonlyArray<RoleUsage>
}

/** Money spent; never $0 for a price that nobody knows, and marked where a part of it is estimated. */
export const spent = ({
  estimated,
  unpriced,
  usd
}: Pick<Usage, "usd" | "unpriced"> & { readonly estimated?: { readonly usd: number | null } }): string => {
  if (usd === null) return "unknown"
  if (usd === 0 && unpriced > 0) return `unknown, ${calls(unpriced)} without a price`
  const amount = approximately((estimated?.usd ?? 0) > 0, money(usd))
  return unpriced === 0 ? amount : `at least ${amount}, ${calls(unpriced)} of unknown price`
}

const calls = (n: number): string => count(n, "call", "calls", integer)

/** Money in a column of a log: `$1.20`, `≈$1.20` with an estimated part, `≥$1.20` with a part of unknown price, `$?`. */
export const costMark = ({ estimated, unpriced, usd }: Pick<Usage, "usd" | "unpriced" | "estimated">): string => {
  if (usd === null || (usd === 0 && unpriced > 0)) return "$?"
  return `${unpriced > 0 ? "≥" : (estimated?.usd ?? 0) > 0 ? "≈" : ""}${money(usd)}`
}
