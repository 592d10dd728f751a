import type { Charge } from "../../store/CallLog.ts"

/** A request that is to be bought: its place in the list, and what it may take. */
export interface Wanted {
  readonly index: number
  readonly charge: Charge
}

/** Requests by their keys. */
export type Pool = Map<string, Wanted>

/** A batch that the server has, with what this process waits for in it. */
export interface Job {
  /** Its mark. */
  readonly id: string
  readonly serverId: string
  /** Whether it counts against the budget of this run. */
  readonly own: boolean
  readonly submitted: number
  /** Calls by the keys of their requests; null where there is no log of them. */
  readonly calls: ReadonlyMap<string, number | null>
}

/** Fewer are asked for by single calls: a batch may take a day. */
export const smallestBatch = 20

/** What OpenAI takes in one batch, and a quarter of what it takes in one file, which lies in memory while it is sent. */
export const batchLimits = { requests: 50_000, bytes: 50_000_000 } as const

export const totalCharge = (pool: Iterable<Wanted>): Charge => {
  let tokens = 0
  let usd: number | null = 0
  for (const { charge } of pool) {
    tokens += charge.tokens
    usd = usd === null || charge.usd === null ? null : usd + charge.usd
  }
  return { tokens, usd }
}

/** The first requests, of no more than so many tokens together but one at least, and the rest. */
export const splitByTokens = (pool: Pool, most: number): { readonly first: Pool; readonly rest: Pool } => {
  const first: Pool = new Map()
  const rest: Pool = new Map()
  let tokens = 0
  for (const [key, one] of pool) {
    tokens += one.charge.tokens
    if (rest.size === 0 && (first.size === 0 || tokens <= most)) first.set(key, one)
    else rest.set(key, one)
  }
  return { first, rest }
}
