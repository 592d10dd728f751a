import type { Consultation } from "../domain/Dataset.ts"
import { PartTally } from "./counts.ts"
import { transcriptKey } from "./identity.ts"
import { type Shortcuts, ShortcutTally } from "./shortcuts.ts"

type Tally = Readonly<Record<string, number>>

/** What a dataset holds, in numbers. */
export interface DatasetSummary {
  readonly consultations: number
  /** Consultations with at least one pair: the others are not scored. */
  readonly paired: number
  readonly notes: number
  /** Distinct clean notes of pairs: the denominator of false alarms. */
  readonly cleanNotes: number
  readonly pairs: number
  readonly class: Tally
  readonly trace: Tally
  readonly severity: Tally
  readonly stratum: Tally
  readonly transcripts: {
    readonly present: number
    /** Different ones, white space and letter case aside. */
    readonly distinct: number
    readonly missing: number
    readonly medianCharacters: number | null
  }
  readonly facts: number
  readonly shortcuts: Shortcuts
}

const median = (numbers: ReadonlyArray<number>): number | null => {
  if (numbers.length === 0) return null
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Sums up consultations one after the other; of their texts, nothing is kept. */
export class SummaryTally {
  readonly #parts = new PartTally()
  readonly #shortcuts = new ShortcutTally()
  readonly #transcripts = new Set<string>()
  readonly #lengths: Array<number> = []
  #paired = 0
  #notes = 0
  #cleanNotes = 0
  #facts = 0
  #present = 0

  add(consultation: Consultation): void {
    const { facts, notes, pairs, transcript } = consultation
    this.#parts.add(consultation)
    this.#shortcuts.add(consultation)
    if (pairs.length > 0) this.#paired += 1
    this.#notes += notes.length
    const texts = new Map(notes.map((note) => [note.id, note.text]))
    this.#cleanNotes += new Set(pairs.map((pair) => texts.get(pair.clean))).size
    this.#facts += facts?.length ?? 0
    const key = transcriptKey(consultation)
    if (key !== undefined) {
      this.#present += 1
      this.#transcripts.add(key)
    }
    if (transcript !== null) this.#lengths.push(transcript.length)
  }

  /** Counts of pairs by class and so on; pairs without a severity, say, are in no severity's count. */
  get summary(): DatasetSummary {
    const { partial: _, ...counts } = this.#parts.counts
    return {
      consultations: counts.consultations,
      paired: this.#paired,
      notes: this.#notes,
      cleanNotes: this.#cleanNotes,
      pairs: counts.pairs,
      class: counts.class,
      trace: counts.trace,
      severity: counts.severity,
      stratum: counts.stratum,
      transcripts: {
        present: this.#present,
        distinct: this.#transcripts.size,
        missing: counts.consultations - this.#present,
        medianCharacters: median(this.#lengths)
      },
      facts: this.#facts,
      shortcuts: this.#shortcuts.shortcuts
    }
  }
}

/** The summary of consultations that are all there. */
export const datasetSummary = (consultations: Iterable<Consultation>): DatasetSummary => {
  const tally = new SummaryTally()
  for (const one of consultations) tally.add(one)
  return tally.summary
}
