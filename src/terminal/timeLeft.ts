import { type Budget, durationMs } from "../domain/Campaign.ts"
import { duration, type Usage } from "./format.ts"

export interface Left {
  readonly seconds: number
  /** US dollars yet to be spent, at the same pace; null where a price is unknown. */
  readonly usd: number | null
  /** What the estimate rests on. */
  readonly basis: string
  /** What will end the run first at this pace. */
  readonly endsBy: "iterations" | "money" | "calls" | "tokens" | "time"
}

interface Mark {
  readonly iteration: number
  readonly seconds: number
  readonly usage: Usage
}

const window = 10

/** Remembers when the last iterations of this sitting were decided. */
export class Pace {
  readonly #marks: Array<Mark> = []

  /** To be called now and then, as a view is drawn; more often than iterations are decided is best. */
  observe(iteration: number, usage: Usage): void {
    if (this.#marks.at(-1)?.iteration === iteration) return
    this.#marks.push({ iteration, seconds: usage.seconds, usage })
    if (this.#marks.length > window + 1) this.#marks.shift()
  }

  /** First and last mark, once at least one iteration lies between them. */
  get span(): { readonly first: Mark; readonly last: Mark } | undefined {
    const first = this.#marks[0]
    const last = this.#marks.at(-1)
    return first === undefined || last === undefined || first === last ? undefined : { first, last }
  }
}

/**
 * A rough guess at the seconds that are left, at the pace of the last iterations, until the first of the limits: an
 * accepted proposal costs far more than a rejected one, so it wavers. Null before an iteration of this sitting is over.
 */
export const timeLeft = (
  iteration: number,
  meta: { readonly iterations?: number; readonly limits: Budget; readonly usage: Usage; readonly pace?: Pace }
): Left | null => {
  const span = meta.pace?.span
  if (span === undefined) return null
  const { first, last } = span
  const count = last.iteration - first.iteration
  const seconds = last.seconds - first.seconds
  if (count <= 0 || seconds <= 0) return null
  const { limits, usage } = meta
  const until = (limit: number | undefined, used: number | null, before: number | null, after: number | null) => {
    if (limit === undefined || used === null || before === null || after === null || after <= before) return Infinity
    return Math.max(0, ((limit - used) / (after - before)) * seconds)
  }
  const since = Math.max(0, usage.seconds - last.seconds)
  const ends: ReadonlyArray<readonly [Left["endsBy"], number]> = [
    [
      "iterations",
      meta.iterations === undefined ? Infinity : Math.max(0, ((meta.iterations - iteration) * seconds) / count - since)
    ],
    ["money", until(limits.usd, usage.usd, first.usage.usd, last.usage.usd)],
    ["calls", until(limits.calls, usage.calls, first.usage.calls, last.usage.calls)],
    ["tokens", until(limits.tokens, usage.tokens, first.usage.tokens, last.usage.tokens)],
    [
      "time",
      limits.wallClock === undefined ? Infinity : Math.max(0, durationMs(limits.wallClock) / 1000 - usage.seconds)
    ]
  ]
  const [endsBy, left] = ends.reduce((soonest, end) => (end[1] < soonest[1] ? end : soonest))
  if (left === Infinity) return null
  const spent =
    usage.usd === null || first.usage.usd === null || last.usage.usd === null || usage.unpriced > 0
      ? null
      : last.usage.usd - first.usage.usd
  return {
    seconds: left,
    usd: spent === null ? null : (spent / seconds) * left,
    endsBy,
    basis: `${count === 1 ? "the last iteration" : `the last ${count} iterations`}, ${duration(seconds / count)} each`
  }
}
