import type { FaultKind } from "./kinds.ts"

/** What a simulated server has done since it started. A line of a batch counts as a request. */
export interface ServerStats {
  /** Requests that were let in: well formed, known model, within the rate limit. With those that got a fault. */
  readonly requests: number
  /** Different ones among them: by everything but fields that cannot change the answer. */
  readonly distinct: number
  /** Requests whose right answer was sent whole. */
  readonly answered: number
  /** Those of them that had been answered before: what a client bought twice. */
  readonly duplicates: number
  /** The most requests that were open at one moment. */
  readonly maxInFlight: number
  readonly inFlight: number
  /** Refusals by the rate limit. */
  readonly rateLimited: number
  /** Faults given, by kind. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  /** Refusals by HTTP status, those by faults and by the rate limit too. */
  readonly refused: Readonly<Record<string, number>>
  readonly perSecond: {
    /** Of the first entry below, in seconds from the start. */
    readonly from: number
    /** Requests let in during each second, the present one last. */
    readonly served: ReadonlyArray<number>
    readonly rateLimited: ReadonlyArray<number>
  }
}

export interface Counters {
  readonly opened: () => void
  readonly closed: () => void
  readonly accepted: (hash: string) => void
  readonly answered: (hash: string) => void
  readonly faulted: (kind: FaultKind) => void
  readonly rateLimited: () => void
  readonly refused: (status: number) => void
  readonly read: () => ServerStats
}

/** Seconds of which the counts are kept. */
const secondsKept = 600

interface Second {
  readonly second: number
  served: number
  rateLimited: number
}

/** `elapsedMs` is the time since the start. */
export const makeCounters = (elapsedMs: () => number): Counters => {
  let requests = 0
  let answered = 0
  let duplicates = 0
  let rateLimited = 0
  let inFlight = 0
  let maxInFlight = 0
  const seen = new Set<string>()
  const bought = new Set<string>()
  const refused = new Map<string, number>()
  const faults = new Map<FaultKind, number>()
  const seconds: Array<Second> = []
  const now = (): Second => {
    const second = Math.max(0, Math.floor(elapsedMs() / 1000))
    const last = seconds.at(-1)
    if (last !== undefined && last.second >= second) return last
    const next = { second, served: 0, rateLimited: 0 }
    seconds.push(next)
    while (seconds[0]!.second <= second - secondsKept) seconds.shift()
    return next
  }
  const perSecond = (): ServerStats["perSecond"] => {
    const last = now().second
    const from = Math.max(0, last - secondsKept + 1)
    const counts = (count: (second: Second) => number) => {
      const filled = new Array<number>(last - from + 1).fill(0)
      for (const second of seconds) if (second.second >= from) filled[second.second - from] = count(second)
      return filled
    }
    return { from, served: counts((second) => second.served), rateLimited: counts((second) => second.rateLimited) }
  }
  return {
    opened: () => {
      inFlight++
      maxInFlight = Math.max(maxInFlight, inFlight)
    },
    closed: () => {
      inFlight--
    },
    accepted: (hash) => {
      requests++
      now().served++
      seen.add(hash)
    },
    answered: (hash) => {
      answered++
      if (bought.has(hash)) duplicates++
      else bought.add(hash)
    },
    faulted: (kind) => {
      faults.set(kind, (faults.get(kind) ?? 0) + 1)
    },
    rateLimited: () => {
      rateLimited++
      now().rateLimited++
    },
    refused: (status) => {
      refused.set(String(status), (refused.get(String(status)) ?? 0) + 1)
    },
    read: () => ({
      requests,
      distinct: seen.size,
      answered,
      duplicates,
      maxInFlight,
      inFlight,
      rateLimited,
      faults: Object.fromEntries(faults),
      refused: Object.fromEntries(refused),
      perSecond: perSecond()
    })
  }
}
