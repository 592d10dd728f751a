import { type Consultation, isPartialOmission, stratumOf } from "../domain/Dataset.ts"
import type { PartCounts } from "../domain/Split.ts"

const tally = (values: ReadonlyArray<string | undefined>): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What some consultations hold, counted by pair; pairs without a severity, say, are in no severity's count. */
export const partCounts = (consultations: ReadonlyArray<Consultation>): PartCounts => {
  const pairs = consultations.flatMap((one) => one.pairs)
  return {
    consultations: consultations.length,
    pairs: pairs.length,
    partial: pairs.filter(isPartialOmission).length,
    class: tally(pairs.map((pair) => pair.class)),
    trace: tally(pairs.map((pair) => pair.trace)),
    severity: tally(pairs.map((pair) => pair.severity)),
    stratum: tally(consultations.flatMap((one) => one.pairs.map((pair) => stratumOf(one, pair))))
  }
}
