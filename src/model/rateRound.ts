/** One request that was sent: what is to be known of it when it comes back. */
export interface Ticket {
  readonly round: number
  /** Its number in the round, from 1. */
  readonly index: number
  readonly sentAt: number
  /** Requests a second when it was sent. */
  readonly rate: number
  /** Tokens that were set aside for it. */
  readonly reserved: number
  readonly estimate: number
}

/** From one lowering of the rate to the next: what was sent, and what was refused of it. */
export interface Round {
  readonly number: number
  /** When it began, and when sending began in it, after the pause that the server asked for. */
  readonly start: number
  openAt: number
  /** Requests a second at the end. Infinity as long as nothing is known. */
  rate: number
  sent: number
  served: number
  refused: number
  /** Refused so soon that it says nothing of the rate; not among the refused. */
  early: number
  firstSentAt: number
  /** Time in which nobody wanted to send. */
  idleMs: number
  firstRefused: Ticket | undefined
  lastRefused: Ticket | undefined
  retryAfterMs: number
}

export const newRound = (number: number, start: number, openAt: number): Round => ({
  number,
  start,
  openAt,
  rate: Number.POSITIVE_INFINITY,
  sent: 0,
  served: 0,
  refused: 0,
  early: 0,
  firstSentAt: start,
  idleMs: 0,
  firstRefused: undefined,
  lastRefused: undefined,
  retryAfterMs: 0
})

/** What a burst into an unknown window says: what passed lasts until the server wants the next. One a second if none did. */
export const burstRate = ({ firstSentAt, lastRefused, refused, retryAfterMs, served }: Round): number => {
  const passed = Math.max(1, served, lastRefused!.index - refused)
  return (passed * 1000) / Math.max(1000, lastRefused!.sentAt - firstSentAt + (passed === 1 ? 0 : retryAfterMs))
}

/** Served a second since the first request, with the pause that the server asks for. */
export const servedRate = ({ firstSentAt, lastRefused, refused, retryAfterMs }: Round): number =>
  ((lastRefused!.index - refused) * 1000) / Math.max(10, lastRefused!.sentAt - firstSentAt + retryAfterMs)

/** Served a second since the refusal before this round. Those under way are taken as served until they are back. */
export const cycleRate = ({ early, idleMs, lastRefused, refused, start }: Round): number =>
  ((lastRefused!.index - refused - early) * 1000) / Math.max(1, lastRefused!.sentAt - start - idleMs)

/** Served a second between the first and the last refusal: the server's rate without what it had saved up. A window that is used up serves nothing meanwhile, and the cycle tells. */
export const sustainedRate = (round: Round): number | undefined => {
  const { firstRefused, lastRefused, refused } = round
  const between = lastRefused!.index - firstRefused!.index
  return refused < 3 || between < 8
    ? undefined
    : Math.max(
        cycleRate(round),
        ((between + 1 - refused) * 1000) / Math.max(1, lastRefused!.sentAt - firstRefused!.sentAt)
      )
}
