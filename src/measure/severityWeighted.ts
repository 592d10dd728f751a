import type { Severity } from "../domain/Dataset.ts"
import { requireSameLength } from "../statistics/arguments.ts"

/** What a detected fact counts, by the severity of what is missing or wrong. */
export const severityWeights: Readonly<Record<Severity, number>> = { critical: 1, supporting: 0.5, peripheral: 0.25 }

export interface SeverityWeighted {
  /** Weight of the flagged notes over weight of all, in [0, 1]; null when no note has a severity. */
  readonly value: number | null
  /** Notes with a severity. */
  readonly notes: number
  /** Sums of weights, for a ratio of sums over clusters. */
  readonly flaggedWeight: number
  readonly totalWeight: number
}

/**
 * Severity-weighted detection of flawed notes: `flagged[i]` says whether note i was flagged, `severities[i]` how grave its
 * flaw is. Notes without a severity are left out; a note that could not be judged counts as not flagged. Throws a
 * RangeError for unequal lengths. Method §3.
 */
export const severityWeightedDetection = (
  flagged: ReadonlyArray<boolean>,
  severities: ReadonlyArray<Severity | undefined>
): SeverityWeighted => {
  requireSameLength("flags and severities", flagged, severities)
  return tallySeverities(
    flagged.length,
    (note) => flagged[note]!,
    (note) => severities[note]
  )
}

/** `severityWeightedDetection` of the notes from 0 to `count`, asked for one by one: a million need no list. */
export const tallySeverities = (
  count: number,
  isFlagged: (note: number) => boolean,
  severityOf: (note: number) => Severity | undefined
): SeverityWeighted => {
  let notes = 0
  let flaggedWeight = 0
  let totalWeight = 0
  for (let note = 0; note < count; note++) {
    const severity = severityOf(note)
    if (severity === undefined) continue
    notes++
    totalWeight += severityWeights[severity]
    if (isFlagged(note)) flaggedWeight += severityWeights[severity]
  }
  return { value: notes === 0 ? null : flaggedWeight / totalWeight, notes, flaggedWeight, totalWeight }
}
