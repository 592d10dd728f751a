import { OverloadWindow } from "./OverloadWindow.ts"
import { Refusals } from "./Refusals.ts"
import { burstRate, cycleRate, newRound, type Round, servedRate, sustainedRate, type Ticket } from "./rateRound.ts"

/** What a campaign allows. */
export interface RateLimits {
  readonly concurrency: number
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
}

/** What became of a request, as far as the rate is concerned. */
export type RateOutcome =
  | { readonly _tag: "served"; readonly tokens?: number | undefined }
  /** The server said that it is too much: 429, or any answer with the advice when to come back. */
  | { readonly _tag: "refused"; readonly retryAfterMs?: number | undefined }
  /** The server could not cope, or did not answer in time. */
  | { readonly _tag: "overloaded" }
  | { readonly _tag: "other" }

/** A slot that comes late by less than this is made up for, so that timers do not eat into the rate. */
const slackMs = 35
/** A rate just after it was lowered below what it was measured to be, as a share of that. */
const cautious = 0.97
/** Seconds of sending until the rate is back at what was measured; probing goes on from there. */
const firstPlateau = 8
const longestPlateau = 32
/** How much faster each second beyond as much above what was measured. */
const probing = 1.05
/** A refusal above this share of what was measured says that other things are allowed now. */
const farShare = 1.2
const leastPerSecond = 0.1
/** How much faster each second, or each time an answer takes if that is longer, while the measure is a first guess. */
const searching = 1.5
/** What a search that ends in a refusal has gone too far by: buckets save up meanwhile. */
const overshoot = 1.05
/** Requests that the last seconds must have for what was served in them to say something. */
const tellingCount = 5
/** A refusal sooner than this after sending began says nothing of the rate yet. */
const shortestRoundMs = 1000
/** Refused in this share of a round or less. */
const fewRefused = 0.2

/**
 * When the next request to one model may be sent. A state machine without a clock: times are milliseconds of any clock
 * that never goes back.
 *
 * It sends as fast as the campaign allows until the server refuses. Then it measures what the server serves, from one
 * refusal to the next, pauses included, so that any kind of window or bucket shows its long-run rate; goes on at 97 % of
 * that, evenly spaced; and comes back to it and probes beyond along a cubic, slowly near what was measured (as TCP CUBIC does,
 * RFC 9438), and then by 5 % a second, by time spent sending. Refusals that come as often at a fraction of the rate
 * are the server's whim: they hold up their own request and not the model. Overload (503 without advice, timeouts)
 * lowers the number of requests at once.
 */
export class RateController {
  readonly #limits: RateLimits
  readonly #spacingMs: number
  readonly #tokensPerMs: number
  #inFlight = 0
  readonly #window: OverloadWindow
  #nextRequest = Number.NEGATIVE_INFINITY
  #nextConfigured = Number.NEGATIVE_INFINITY
  #nextToken = Number.NEGATIVE_INFINITY
  #tokenRatio = 1
  #closedUntil = Number.NEGATIVE_INFINITY
  /** Requests a second, as measured; the rate moves around it. */
  #measured = Number.POSITIVE_INFINITY
  #plateau = firstPlateau
  #search = true
  /** Milliseconds that an answer takes, of late. */
  #latencyMs = 0
  /** Seconds spent sending since the rate was lowered. */
  #grown = 0
  #lastSent: number | undefined
  /** Times of the requests of the last seconds that were not refused. */
  readonly #sentLately: Array<number> = []
  #round: Round
  #previous: Round | undefined
  readonly #refusals = new Refusals()

  constructor(limits: RateLimits) {
    this.#limits = limits
    this.#window = new OverloadWindow(limits.concurrency)
    this.#spacingMs = limits.requestsPerMinute === undefined ? 0 : 60_000 / limits.requestsPerMinute
    this.#tokensPerMs =
      limits.tokensPerMinute === undefined ? Number.POSITIVE_INFINITY : limits.tokensPerMinute / 60_000
    this.#round = newRound(0, 0, 0)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** How many requests may be under way at once now; at most the campaign's concurrency. */
  get window(): number {
    return this.#window.size
  }

  /** When the server will be asked again, if it asked for a pause. */
  get closedUntil(): number {
    return this.#closedUntil
  }

  /** Requests a second that are sent at most now. Infinity while the server has refused none. */
  rate(now: number): number {
    const whim = this.#refusals.reached(now)
    if (whim !== undefined) {
      if (!whim.over) return whim.rate
      // So fast that nothing is held up is the same as not limited.
      this.#endWhim(now, whim.rate > this.#limits.concurrency * 20 ? Number.POSITIVE_INFINITY : whim.rate)
    }
    if (this.#measured === Number.POSITIVE_INFINITY) return this.#measured
    if (this.#search)
      return this.#measured * cautious * searching ** (this.#grown / Math.max(1, this.#latencyMs / 1000))
    const away = this.#grown - this.#plateau
    const share = 1 + (1 - cautious) * Math.min(1, away / this.#plateau) ** 3
    // What was measured is not what is allowed now.
    const beyond = probing ** Math.max(0, away - this.#plateau)
    return Math.max(leastPerSecond, this.#measured * share * beyond)
  }

  /** When the next request may be sent; now or earlier: at once. Infinity: not before one comes back. */
  readyAt(now: number): number {
    if (this.#inFlight >= Math.floor(this.#window.size)) return Number.POSITIVE_INFINITY
    const learned = this.rate(now) === Number.POSITIVE_INFINITY ? now : this.#nextRequest
    return Math.max(learned, this.#nextConfigured, this.#nextToken, this.#closedUntil)
  }

  /** Takes the slot of a request with about so many tokens. */
  send(now: number, estimate = 0): Ticket {
    const rate = this.rate(now)
    const spacing = 1000 / rate
    if (rate !== Number.POSITIVE_INFINITY) {
      const late = now - this.#nextRequest
      if (late > Math.max(slackMs, spacing) && this.#lastSent !== undefined)
        this.#round.idleMs += Math.min(late, now - Math.max(this.#lastSent, this.#round.openAt))
      if (this.#lastSent !== undefined) this.#grown += Math.min(now - this.#lastSent, 2 * spacing) / 1000
    }
    const slack = Math.min(slackMs, spacing / 2)
    this.#nextRequest = Math.max(this.#nextRequest, now - slack) + spacing
    this.#nextConfigured = Math.max(this.#nextConfigured, now) + this.#spacingMs
    const reserved = estimate * this.#tokenRatio
    this.#nextToken = Math.max(this.#nextToken, now) + reserved / this.#tokensPerMs
    this.#lastSent = now
    this.#sentLately.push(now)
    while (now - this.#sentLately[0]! > 3000 + 2 * this.#latencyMs) this.#sentLately.shift()
    this.#inFlight++
    if (this.#round.sent === 0) {
      this.#round.firstSentAt = now
      this.#round.openAt = Math.max(this.#round.openAt, now)
    }
    this.#round.rate = rate
    return { round: this.#round.number, index: ++this.#round.sent, sentAt: now, rate, reserved, estimate }
  }

  /** A slot that was taken and is not used after all. */
  cancel(ticket: Ticket): void {
    this.#inFlight--
    this.#correctTokens(ticket, 0)
  }

  settle(now: number, ticket: Ticket, outcome: RateOutcome): void {
    this.#inFlight--
    this.#latencyMs += (now - ticket.sentAt - this.#latencyMs) / 8
    if (outcome._tag === "served") this.#window.served()
    else if (outcome._tag !== "refused") this.#window.failed(now, outcome._tag === "overloaded")
    if (outcome._tag === "served" || outcome._tag === "refused") this.#refusals.remember(outcome._tag === "refused")
    if (outcome._tag === "served" && outcome.tokens !== undefined) {
      this.#correctTokens(ticket, outcome.tokens)
      if (ticket.estimate > 0) this.#tokenRatio += (outcome.tokens / ticket.estimate - this.#tokenRatio) / 8
    }
    if (outcome._tag === "served" && ticket.round === this.#round.number) this.#round.served++
    if (outcome._tag === "served" && ticket.round === this.#previous?.number) this.#previous.served++
    if (outcome._tag === "refused") {
      this.#correctTokens(ticket, 0)
      const at = this.#sentLately.lastIndexOf(ticket.sentAt)
      if (at !== -1) this.#sentLately.splice(at, 1)
      this.#refused(now, ticket, outcome.retryAfterMs ?? 0)
    }
  }

  /** The server says that it allows so many requests a second: a first guess where it has refused none. */
  advise(now: number, perSecond: number): void {
    if (this.#measured !== Number.POSITIVE_INFINITY || this.#refusals.whim) return
    this.#restartAt(now, Math.max(leastPerSecond, perSecond))
    this.#grown = 0
  }

  /** After a time in which nothing was answered: one request at first, more with every answer. */
  restart(): void {
    this.#window.restart()
  }

  #correctTokens(ticket: Ticket, used: number): void {
    if (this.#nextToken !== Number.NEGATIVE_INFINITY) this.#nextToken += (used - ticket.reserved) / this.#tokensPerMs
  }

  #refused(now: number, ticket: Ticket, retryAfterMs: number): void {
    if (this.#refusals.whim) {
      const { disproved } = this.#refusals
      if (disproved === undefined) return
      this.#refusals.endWhim(disproved === "surely" ? this.#measured : undefined)
      this.#restartAt(now, this.#measured)
    }
    const single = this.#measured === Number.POSITIVE_INFINITY && this.#refusals.single
    if (!single || this.#refusals.early) this.#closedUntil = Math.max(this.#closedUntil, now + retryAfterMs)
    // Nobody knows yet how many it takes.
    if (single && this.#refusals.only) this.#window.restart()
    const round =
      ticket.round === this.#round.number
        ? this.#round
        : ticket.round === this.#previous?.number
          ? this.#previous
          : undefined
    if (round === undefined) return
    round.retryAfterMs = Math.max(round.retryAfterMs, retryAfterMs)
    if (round.rate !== Number.POSITIVE_INFINITY && ticket.sentAt - round.openAt < shortestRoundMs) {
      // What was sent before still weighs on the server.
      round.early++
      return
    }
    round.refused++
    if (round.firstRefused === undefined || ticket.index < round.firstRefused.index) round.firstRefused = ticket
    if (round.lastRefused === undefined || ticket.index > round.lastRefused.index) round.lastRefused = ticket
    if (single) return
    if (round === this.#previous) {
      // More of that round is known now: what it measured may only have been too much.
      const more = round.rate === Number.POSITIVE_INFINITY ? this.#measuredByFirst(round) : sustainedRate(round)
      if (round.rate === Number.POSITIVE_INFINITY && this.#search) this.#measured = Math.max(leastPerSecond, more!)
      else if (more !== undefined) this.#measured = Math.max(leastPerSecond, Math.min(this.#measured, more))
      return
    }
    this.#endRound(now, round)
  }

  #endRound(now: number, round: Round): void {
    const known = round.rate !== Number.POSITIVE_INFINITY
    const sendingMs = round.lastRefused!.sentAt - round.openAt - round.idleMs
    const short = known && !this.#search && sendingMs < this.#plateau * 1000
    const most = round.firstRefused!.rate
    const far = this.#search || most > farShare * this.#measured
    this.#measured = Math.max(
      leastPerSecond,
      known ? this.#measuredBy(round, far ? "far" : short ? "short" : "long") : this.#measuredByFirst(round)
    )
    this.#plateau = !known || far || short ? firstPlateau : Math.min(longestPlateau, this.#plateau * 2)
    this.#search = !known
    this.#grown = 0
    this.#nextRequest = Math.max(this.#closedUntil, now)
    this.#previous = round
    this.#round = newRound(round.number + 1, now, this.#nextRequest)
    const { early, lastRefused, refused } = round
    const served = known ? cycleRate(round) : this.#measured
    const ended = { served, most, short, sent: lastRefused!.index, refused: refused + early }
    if (this.#refusals.lowered(now, ended)) this.#closedUntil = now
  }

  /** What a round says that ended far above what was known before, sooner than it should have, or as expected. */
  #measuredBy(round: Round, ended: "far" | "short" | "long"): number {
    const most = round.firstRefused!.rate
    const cycle = Math.min(most, cycleRate(round))
    // What was served is the least that it can be, and what was refused the most.
    if (ended === "long") return (cycle + most) / 2
    const { sentAt } = round.firstRefused!
    // A search grows too fast for a longer look back, and a pause is no part of it.
    const seconds = this.#search ? 1 : Math.max(1, Math.min(3, (sentAt - round.openAt) / 1000))
    const count = this.#servedBefore(sentAt, seconds)
    const lately = count < tellingCount ? most : count / seconds
    if (ended === "far") return Math.min(most / overshoot, Math.max(most / 3, lately))
    // One refusal among many answers may be no more than an unlucky moment.
    const least = (round.refused + round.early) / round.sent < fewRefused ? 0.88 : 1 / 3
    return most * Math.max(least, Math.min(0.97, (cycle + 2 * lately) / 3 / most))
  }

  /** What the first refusals say: hardly anything, as long as others are served between them. */
  #measuredByFirst(round: Round): number {
    return this.#refusals.between ? Math.max(burstRate(round), servedRate(round)) : burstRate(round)
  }

  /** Those not back yet are taken as served. */
  #servedBefore(time: number, seconds: number): number {
    return this.#sentLately.filter((sentAt) => sentAt > time - seconds * 1000 && sentAt < time).length
  }

  #endWhim(now: number, rate: number): void {
    this.#refusals.endWhim()
    this.#restartAt(now, rate)
  }

  #restartAt(now: number, rate: number): void {
    this.#measured = rate
    this.#plateau = firstPlateau
    this.#search = false
    this.#grown = firstPlateau
    this.#nextRequest = now
    this.#previous = undefined
    this.#round = newRound(this.#round.number + 1, now, now)
  }
}
