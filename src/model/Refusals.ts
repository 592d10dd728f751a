/** Answers that are remembered. */
const mostAnswers = 200
const latestAnswers = 20
/** Below this share of the latest answers, refusals may be a whim. */
const someRefused = 0.3
/** Answers right after refusals, among the latest: requests are refused one by one, and not all from a moment on. */
const interleaved = 3
/** Of all answers that are remembered, this share is too much even one by one. */
const oftenRefused = 0.05

/** A refusal at less than this share of what was served not long ago may not be about the rate. */
const lowShare = 0.5
/** It is not, if as large a share is refused as this of the share then. */
const unrelieved = 0.6
/** Nor is it, after having been lowered so many times in a row for one that came soon. */
const manyShort = 5
/** In which time half of what was served is forgotten. */
const forgetMs = 300_000
/** Requests that a round must have for what was served in it to say something. */
const tellingRound = 20

/** A whim is believed for so long, doubled each time. */
const firstWhimMs = 30_000
const longestWhimMs = 600_000
/** How much faster each second meanwhile. */
const searching = 1.5
/** Refused in this share of so many answers, whatever was believed: the rate is to blame. */
const tooManyRefused = 0.65
const fewAnswers = 40
/** Or in so much larger a share of more of them than at the lower rate. */
const moreRefused = 1.5
const clearlyMore = 0.05
const manyAnswers = 100

const shareOf = (answers: ReadonlyArray<boolean>) => answers.filter(Boolean).length / Math.max(1, answers.length)

/** A round that ended with a refusal. */
export interface Ended {
  /** Requests a second that were served in it. */
  readonly served: number
  /** Requests a second when the refused one was sent. Infinity as long as nothing was known. */
  readonly most: number
  /** Ended sooner than it should have. */
  readonly short: boolean
  readonly sent: number
  readonly refused: number
}

/**
 * Whether refusals are about the rate. Those that stay as frequent at a fraction of the rate are the server's whim: for
 * a time that doubles they hold up their own request and not the model, while the rate goes back to what was served
 * before and up, unless that shows that it was the rate after all.
 */
export class Refusals {
  #answers: Array<boolean> = []
  /** The most that was served a second, of late, when that was last looked at, and what share was refused then. */
  #best = 0
  #bestAt = 0
  #bestShare = 0
  /** Rounds in a row that ended soon. */
  #spell = { rounds: 0, sent: 0, refused: 0 }
  #whim: { readonly from: number; readonly until: number; readonly rate: number; readonly share: number } | undefined
  #whimMs = firstWhimMs

  /** What became of a request: refused, or served. */
  remember(refused: boolean): void {
    this.#answers.push(refused)
    if (this.#answers.length > mostAnswers) this.#answers.shift()
  }

  /** While all is sent that there is: a refusal now and then holds up its own request alone. */
  get single(): boolean {
    const latest = this.#answers.slice(-latestAnswers)
    const refused = latest.filter(Boolean).length
    if (refused >= 2 && refused >= someRefused * latest.length) return false
    return this.#answers.length < mostAnswers || shareOf(this.#answers) < oftenRefused
  }

  /** So little has been answered that nobody knows whether a refusal means one request or all. */
  get early(): boolean {
    return this.#answers.length < latestAnswers
  }

  /** Nothing has been served yet. */
  get only(): boolean {
    return this.#answers.every(Boolean)
  }

  /** Others are served between those that are refused. */
  get between(): boolean {
    const latest = this.#answers.slice(-latestAnswers)
    const again = latest.filter((refused, at) => !refused && latest[at - 1] === true).length
    return again >= interleaved || shareOf(latest) < someRefused
  }

  get whim(): boolean {
    return this.#whim !== undefined
  }

  /** Requests a second in a whim: what they have come to, and whether it has been believed for long enough. */
  reached(now: number): { readonly rate: number; readonly over: boolean } | undefined {
    if (this.#whim === undefined) return undefined
    const { from, rate, until } = this.#whim
    return { rate: rate * searching ** ((now - from) / 1000), over: now >= until }
  }

  /** What a refusal in a whim shows: that the rate is to blame, or that it may be. */
  get disproved(): "surely" | "perhaps" | undefined {
    if (this.#whim === undefined) return undefined
    const latest = this.#answers.slice(-fewAnswers)
    if (latest.length === fewAnswers && shareOf(latest) >= tooManyRefused) return "surely"
    const more = moreRefused * this.#whim.share + clearlyMore
    return this.#answers.length >= manyAnswers && shareOf(this.#answers) >= more ? "perhaps" : undefined
  }

  /** What was believed to be served is forgotten where it is sure that less is: `rate` requests a second. */
  endWhim(rate?: number): void {
    if (rate !== undefined) this.#best = rate
    else this.#bestShare = Math.max(this.#bestShare, shareOf(this.#answers))
    this.#whim = undefined
  }

  /** The rate was lowered for a refusal. True if it is not to blame: a whim begins. */
  lowered(now: number, { most, refused, sent, served, short }: Ended): boolean {
    this.#best *= 0.5 ** ((now - this.#bestAt) / forgetMs)
    this.#bestAt = now
    const first = most === Number.POSITIVE_INFINITY
    if (served > this.#best && (first || sent >= tellingRound)) {
      this.#best = served
      this.#bestShare = first ? shareOf(this.#answers) : refused / sent
    }
    const { rounds, refused: before, sent: asked } = this.#spell
    this.#spell = short
      ? { rounds: rounds + 1, sent: asked + sent, refused: before + refused }
      : { rounds: 0, sent, refused }
    const share = this.#spell.refused / this.#spell.sent
    if (first || most > this.#best * lowShare) return false
    if (share < this.#bestShare * unrelieved && this.#spell.rounds < manyShort) return false
    this.#whim = { from: now, until: now + this.#whimMs, rate: this.#best, share: Math.max(share, this.#bestShare) }
    this.#whimMs = Math.min(longestWhimMs, this.#whimMs * 2)
    this.#answers = []
    return true
  }
}
