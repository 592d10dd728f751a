/** What a simulated server has done since it started. */
export interface ServerStats {
  /** Chat requests that were answered with a completion, or are being answered. */
  readonly requests: number
  /** Different ones among them: by everything but fields that cannot change the answer. */
  readonly distinct: number
  /** The most chat requests that were open at one moment. */
  readonly maxInFlight: number
  readonly inFlight: number
  /** Refusals by HTTP status. */
  readonly refused: Readonly<Record<string, number>>
}

export interface Counters {
  readonly opened: () => void
  readonly closed: () => void
  readonly accepted: (hash: string) => void
  readonly refused: (status: number) => void
  readonly read: () => ServerStats
}

export const makeCounters = (): Counters => {
  let requests = 0
  let inFlight = 0
  let maxInFlight = 0
  const seen = new Set<string>()
  const refused = new Map<string, number>()
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
      seen.add(hash)
    },
    refused: (status) => {
      refused.set(String(status), (refused.get(String(status)) ?? 0) + 1)
    },
    read: () => ({ requests, distinct: seen.size, maxInFlight, inFlight, refused: Object.fromEntries(refused) })
  }
}
