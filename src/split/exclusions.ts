import type { Consultation } from "../domain/Dataset.ts"
import { type Problem, showValue } from "../domain/InputError.ts"
import { itemId } from "../domain/Item.ts"
import { nearest } from "../domain/nearest.ts"
import type { SplitManifest } from "../domain/Split.ts"
import type { Outline } from "./outline.ts"
import { tiedGroups } from "./units.ts"

/** Consultation ids, and pair ids as `consultation/pair`, as `pairId` writes them. */
export type Exclusions = SplitManifest["exclusions"]

export const noExclusions: Exclusions = { consultations: [], pairs: [] }

/** How a manifest names a pair: pair ids are unique within their consultation only. */
export const pairId = (consultation: { readonly id: string }, pair: { readonly id: string }): string =>
  itemId(consultation.id, pair.id)

/**
 * The exclusions as a manifest holds them: pairs by their full name (a bare pair id will do where one consultation
 * alone has it), and with each excluded consultation those that are the same encounter.
 */
export const resolveExclusions = (
  consultations: ReadonlyArray<Outline>,
  asked: Exclusions
): { readonly exclusions: Exclusions; readonly problems: ReadonlyArray<Problem> } => {
  const problems: Array<Problem> = []
  const ids = new Set(consultations.map((one) => one.id))
  const pairs = consultations.flatMap((one) => one.pairs.map((pair) => ({ bare: pair.id, full: pairId(one, pair) })))
  const full = new Set(pairs.map((pair) => pair.full))
  const byBare = Map.groupBy(pairs, (pair) => pair.bare)

  const unknown = (what: "consultation" | "pair", id: string, known: Iterable<string>) => {
    const close = nearest(id, [...known])
    problems.push({
      what: `the exclusions name a ${what} that the dataset does not have`,
      found: showValue(id),
      ...(close === undefined ? {} : { hint: `Did you mean ${showValue(close)}?` })
    })
  }
  for (const id of asked.consultations) if (!ids.has(id)) unknown("consultation", id, ids)
  const named = asked.pairs.flatMap((id) => {
    if (full.has(id)) return [id]
    const matches = byBare.get(id) ?? []
    if (matches.length === 1) return [matches[0]!.full]
    if (matches.length === 0) unknown("pair", id, full)
    else {
      problems.push({
        what: `the exclusions name a pair that ${matches.length} consultations have`,
        found: showValue(id),
        expected: `its full name, such as ${showValue(matches[0]!.full)}`
      })
    }
    return []
  })
  const excluded = new Set(asked.consultations)
  const together = tiedGroups(consultations)
    .filter((group) => group.some((one) => excluded.has(one.id)))
    .flatMap((group) => group.map((one) => one.id))
  return {
    exclusions: { consultations: [...new Set(together)].sort(), pairs: [...new Set(named)].sort() },
    problems
  }
}

/** The consultation without its excluded pairs, and without the notes that only those use. */
export const withoutPairs = <C extends Consultation>(consultation: C, excluded: ReadonlySet<string>): C => {
  const pairs = consultation.pairs.filter((pair) => !excluded.has(pairId(consultation, pair)))
  if (pairs.length === consultation.pairs.length) return consultation
  const kept = new Set(pairs.flatMap((pair) => [pair.flawed, pair.clean]))
  const dropped = new Set(consultation.pairs.flatMap((pair) => [pair.flawed, pair.clean]).filter((id) => !kept.has(id)))
  return { ...consultation, pairs, notes: consultation.notes.filter((note) => !dropped.has(note.id)) }
}
