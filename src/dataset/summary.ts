import type { Consultation } from "../domain/Dataset.ts"
import { partCounts } from "./counts.ts"
import { transcriptKey } from "./identity.ts"
import { type Shortcuts, shortcuts } from "./shortcuts.ts"

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

/** Counts of pairs by class and so on; pairs without a severity, say, are in no severity's count. */
export const datasetSummary = (consultations: ReadonlyArray<Consultation>): DatasetSummary => {
  const { partial: _, ...counts } = partCounts(consultations)
  const keys = consultations.map(transcriptKey).filter((key) => key !== undefined)
  const cleanNotes = consultations.reduce((sum, one) => {
    const texts = new Map(one.notes.map((note) => [note.id, note.text]))
    return sum + new Set(one.pairs.map((pair) => texts.get(pair.clean))).size
  }, 0)
  return {
    consultations: counts.consultations,
    paired: consultations.filter((one) => one.pairs.length > 0).length,
    notes: consultations.reduce((sum, one) => sum + one.notes.length, 0),
    cleanNotes,
    pairs: counts.pairs,
    class: counts.class,
    trace: counts.trace,
    severity: counts.severity,
    stratum: counts.stratum,
    transcripts: {
      present: keys.length,
      distinct: new Set(keys).size,
      missing: consultations.length - keys.length,
      medianCharacters: median(consultations.flatMap((one) => (one.transcript === null ? [] : [one.transcript.length])))
    },
    facts: consultations.reduce((sum, one) => sum + (one.facts?.length ?? 0), 0),
    shortcuts: shortcuts(consultations)
  }
}
