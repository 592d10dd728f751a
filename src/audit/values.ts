import type { Measure, Objective } from "../domain/Campaign.ts"
import type { AuditCandidate } from "./AuditInput.ts"
import { type Judged, judgedOf, type Measured, ofClasses } from "./judged.ts"
import { type WeightedValue, weightedValue } from "./weightedValue.ts"

/** A candidate's measures as functions of how often each consultation counts. */
export interface Values {
  readonly primary: WeightedValue
  readonly secondary?: WeightedValue
}

/** The objective's measures of each candidate that was judged. */
export const valuesOf = (
  measured: Measured,
  judged: ReadonlyMap<string, Judged>,
  objective: Objective
): ReadonlyMap<string, Values> => {
  const by = (measure: Measure) => {
    const own = ofClasses(measured, measure.classes)
    return ({ candidate }: Judged): WeightedValue =>
      weightedValue(own, judgedOf(own, candidate, candidate.outcomes ?? {}), measure)
  }
  const primary = by(objective.primary)
  const secondary = objective.secondary === undefined ? undefined : by(objective.secondary)
  return new Map(
    [...judged].map(([id, own]) => [
      id,
      { primary: primary(own), ...(secondary === undefined ? {} : { secondary: secondary(own) }) }
    ])
  )
}

/** Primary and secondary of a candidate; null where there is nothing to measure. */
export interface Objectives {
  readonly primary: number | null
  readonly secondary: number | null
}

/** The objective's measures on all the consultations; of a source without judgements its own figures. */
export const objectivesOf = (
  candidates: ReadonlyArray<AuditCandidate>,
  values: ReadonlyMap<string, Values>,
  consultations: number
): ReadonlyMap<string, Objectives> => {
  const once = new Float64Array(consultations).fill(1)
  const at = (value: WeightedValue | undefined): number | null => {
    const known = value?.(once) ?? Number.NaN
    return Number.isNaN(known) ? null : known
  }
  return new Map(
    candidates.map(({ id, primary, secondary }) => {
      const own = values.get(id)
      return [
        id,
        own === undefined
          ? { primary: primary ?? null, secondary: secondary ?? null }
          : { primary: at(own.primary), secondary: at(own.secondary) }
      ] as const
    })
  )
}
