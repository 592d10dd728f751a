import { isPartialOmission, type Pair, stratumOf } from "../domain/Dataset.ts"
import type { PartCounts } from "../domain/Split.ts"

class Tally {
  readonly #counts = new Map<string, number>()

  add(value: string | undefined): void {
    if (value !== undefined) this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Of a consultation, what is counted. */
export interface Countable {
  readonly stratum?: string
  readonly pairs: ReadonlyArray<Pick<Pair, "class" | "trace" | "severity" | "stratum">>
}

/** Counts what consultations hold, one after the other. */
export class PartTally {
  #consultations = 0
  #pairs = 0
  #partial = 0
  readonly #class = new Tally()
  readonly #trace = new Tally()
  readonly #severity = new Tally()
  readonly #stratum = new Tally()

  add(consultation: Countable): void {
    this.#consultations += 1
    this.#pairs += consultation.pairs.length
    for (const pair of consultation.pairs) {
      if (isPartialOmission(pair)) this.#partial += 1
      this.#class.add(pair.class)
      this.#trace.add(pair.trace)
      this.#severity.add(pair.severity)
      this.#stratum.add(stratumOf(consultation, pair))
    }
  }

  get counts(): PartCounts {
    return {
      consultations: this.#consultations,
      pairs: this.#pairs,
      partial: this.#partial,
      class: this.#class.counts,
      trace: this.#trace.counts,
      severity: this.#severity.counts,
      stratum: this.#stratum.counts
    }
  }
}

/** What some consultations hold, counted by pair; pairs without a severity, say, are in no severity's count. */
export const partCounts = (consultations: Iterable<Countable>): PartCounts => {
  const tally = new PartTally()
  for (const one of consultations) tally.add(one)
  return tally.counts
}
