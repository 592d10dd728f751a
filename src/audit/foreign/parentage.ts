import { type Problem, showValue } from "../../domain/InputError.ts"
import type { AuditCandidate } from "../AuditInput.ts"

/** A candidate as its source has it, and where that stands: a line of the file, an entry of the log. */
export interface Placed {
  readonly candidate: AuditCandidate
  readonly place: Pick<Problem, "line" | "field">
}

/**
 * The candidates without parents that the source does not have, and without those that would make a candidate its own
 * ancestor; a warning for each. What the source says first stands.
 */
export const soundParentage = (
  placed: ReadonlyArray<Placed>
): { readonly candidates: ReadonlyArray<AuditCandidate>; readonly warnings: ReadonlyArray<Problem> } => {
  const known = new Set(placed.map(({ candidate }) => candidate.id))
  const kept = new Map<string, ReadonlyArray<string>>()
  const warnings: Array<Problem> = []
  /** The way up from a candidate to another, both included; undefined where there is none. */
  const wayUp = (from: string, to: string): ReadonlyArray<string> | undefined => {
    const before = new Map<string, string | undefined>([[from, undefined]])
    const open = [from]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) {
        const way: Array<string> = []
        for (let one: string | undefined = at; one !== undefined; one = before.get(one)) way.unshift(one)
        return way
      }
      for (const parent of kept.get(at) ?? []) {
        if (before.has(parent)) continue
        before.set(parent, at)
        open.push(parent)
      }
    }
    return undefined
  }
  for (const { candidate, place } of placed) {
    const { id, parents } = candidate
    const sound: Array<string> = []
    for (const parent of parents) {
      if (!known.has(parent)) {
        warnings.push({
          ...place,
          what: `candidate ${showValue(id)} has a parent ${showValue(parent)} that is not there; the step is left out`
        })
        continue
      }
      const way = wayUp(parent, id)
      if (way === undefined) sound.push(parent)
      else {
        warnings.push({
          ...place,
          what: `candidate ${showValue(id)} would be its own ancestor, by ${[id, ...way].map((one) => showValue(one)).join(" from ")}; the step from ${showValue(parent)} is left out`
        })
      }
    }
    kept.set(id, sound)
  }
  return {
    candidates: placed.map(({ candidate }) => ({ ...candidate, parents: kept.get(candidate.id)! })),
    warnings
  }
}
