/** Answers that are looked back at. */
const lookBack = 32
/** Fewer say nothing. */
const fewest = 16
/** Overloaded in this share of them or more: fewer at once. */
const tooMany = 0.4
/** Failures in this share or less may be a whim; more are an overload, whatever fewer at once do about it. */
const mostWhim = 0.6
/** A whim, if a quarter at once leaves this share of the failures. */
const unhelped = 0.6
const firstWhimMs = 30_000
const longestWhimMs = 600_000

/**
 * How many requests may be under way at once at a server that cannot cope (503 without advice, timeouts): halved when
 * it fails too often, and back one by one with its answers. Failures that stay as frequent at a quarter of what was
 * at once are not about the load; then, for a time that doubles, they lower nothing.
 */
export class OverloadWindow {
  readonly #concurrency: number
  #size: number
  #step = 0
  #recent: Array<boolean> = []
  /** The size and the share of failures when it was first halved. */
  #began: { readonly size: number; readonly share: number } | undefined
  #whimUntil = Number.NEGATIVE_INFINITY
  #whimMs = firstWhimMs

  constructor(concurrency: number) {
    this.#concurrency = concurrency
    this.#size = concurrency
  }

  get size(): number {
    return this.#size
  }

  /** An answer came. */
  served(): void {
    // All of it again within as many answers as are at once, after a restart; evenly after an overload.
    this.#size = Math.min(this.#concurrency, this.#size + (this.#step || 1 / this.#size))
    if (this.#size >= this.#concurrency) {
      this.#step = 0
      this.#began = undefined
    }
    this.#remember(false)
  }

  /** Something went wrong, `overloaded` if it is of the kind that too many requests cause. */
  failed(now: number, overloaded: boolean): void {
    this.#remember(overloaded)
    const share = this.#recent.filter(Boolean).length / this.#recent.length
    if (!overloaded || now < this.#whimUntil || this.#recent.length < Math.min(fewest, this.#concurrency * 2)) return
    if (share < tooMany) return
    this.#began ??= { size: this.#size, share }
    const began = this.#began
    this.#step = 0
    this.#recent = []
    if (this.#size <= began.size / 4 && share <= mostWhim && share >= unhelped * began.share) {
      this.#size = this.#concurrency
      this.#began = undefined
      this.#whimUntil = now + this.#whimMs
      this.#whimMs = Math.min(longestWhimMs, this.#whimMs * 2)
    } else this.#size = Math.max(1, Math.floor(this.#size / 2))
  }

  /** After a time in which nothing was answered: one request at first, more with every answer. */
  restart(): void {
    this.#size = 1
    this.#step = 1
    this.#recent = []
    this.#began = undefined
  }

  #remember(overloaded: boolean): void {
    this.#recent.push(overloaded)
    if (this.#recent.length > lookBack) this.#recent.shift()
  }
}
