/** The share of one core that drawing may take: Ink composes each cell anew, so a large screen is dear. */
const share = 0.01
/** Keys are answered at once all the same. */
const longestMs = 2000

/** Spaces drawings so that they take a small share of the time, however slow the machine and large the screen. */
export class DrawPace {
  /** When the drawing under way was asked for. */
  asked: number | undefined
  #costMs = 0

  /** A drawing took so long. */
  took(ms: number): void {
    this.asked = undefined
    // A single slow one, such as the first, shall not set the pace.
    this.#costMs += (Math.min(ms, 50) - this.#costMs) / 4
  }

  /** How long to wait before the next. */
  get pauseMs(): number {
    return Math.min(longestMs, this.#costMs / share)
  }
}
