import type { CandidateId } from "../domain/Candidate.ts"
import type { HumanEvent } from "../domain/RunEvent.ts"

/** Who did something to a candidate, and why. */
export type Remark = Pick<HumanEvent, "author" | "reason">

/** What people did to a run: a fold over its human events. */
export class Remarks {
  /** In order, each with the last iteration before it. */
  readonly all: Array<{ readonly iteration: number; readonly event: HumanEvent }> = []
  readonly #pins = new Map<CandidateId, Remark>()
  readonly #vetoes = new Map<CandidateId, Remark>()

  apply(event: HumanEvent, iteration: number): void {
    this.all.push({ iteration, event })
    if (event._tag !== "pinned" && event._tag !== "vetoed") return
    const remarks = event._tag === "pinned" ? this.#pins : this.#vetoes
    if (event.on) remarks.set(event.candidate, { author: event.author, reason: event.reason })
    else remarks.delete(event.candidate)
  }

  /** Who keeps the candidate among the parents, and why; undefined where nobody does. */
  pinOf(id: CandidateId): Remark | undefined {
    return this.#pins.get(id)
  }

  /** Who ruled the candidate out, and why; undefined where nobody did. */
  vetoOf(id: CandidateId): Remark | undefined {
    return this.#vetoes.get(id)
  }

  /** Who wrote the candidate, and why; undefined for one that the search made. */
  authorOf(id: CandidateId): Remark | undefined {
    const added = this.all.find(({ event }) => event._tag === "added" && event.candidate.id === id)?.event
    return added === undefined ? undefined : { author: added.author, reason: added.reason }
  }
}
