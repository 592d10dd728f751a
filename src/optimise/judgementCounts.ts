import type { Outcomes } from "../domain/Judgement.ts"
import type { RunEvent } from "../domain/RunEvent.ts"

/** Judgements by what became of them. */
export interface Judgements {
  readonly scored: number
  readonly unparsed: number
  readonly failed: number
}

export const plus = (one: Judgements, other: Judgements): Judgements => ({
  scored: one.scored + other.scored,
  unparsed: one.unparsed + other.unparsed,
  failed: one.failed + other.failed
})

/** Counts the judgements that a log tells of: those of evaluations, of minibatches with their repeats, and of failed notes again. */
export class JudgementCounts implements Judgements {
  scored = 0
  unparsed = 0
  failed = 0
  readonly #failedOf = new Map<string, ReadonlySet<string>>()

  apply(event: RunEvent): void {
    if (!("outcomes" in event)) return
    if (event._tag === "evaluated" || event._tag === "rejudged") {
      // Only notes whose calls had failed were judged again; the event has all of them.
      const before = this.#failedOf.get(event.candidate)
      this.#count(event.outcomes, event._tag === "rejudged" ? before : undefined)
      const failed = Object.keys(event.outcomes).filter((id) => event.outcomes[id]!._tag === "failed")
      this.#failedOf.set(event.candidate, new Set(failed))
      return
    }
    this.#count(event.outcomes)
    for (const again of ("repeats" in event && event.repeats) || []) this.#count(again)
  }

  /** With `once`, of these notes alone those that have not failed. */
  #count(outcomes: Outcomes, once?: ReadonlySet<string>): void {
    for (const id in outcomes) {
      const { _tag } = outcomes[id]!
      if (once === undefined || (once.has(id) && _tag !== "failed")) this[_tag]++
    }
  }
}

export const countJudgements = (events: Iterable<RunEvent>): Judgements => {
  const counts = new JudgementCounts()
  for (const event of events) counts.apply(event)
  return counts
}
