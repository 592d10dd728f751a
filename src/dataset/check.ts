import type { Consultation } from "../domain/Dataset.ts"
import { type Problem, showValue } from "../domain/InputError.ts"
import { nearest } from "../domain/nearest.ts"

export interface Findings {
  readonly errors: ReadonlyArray<Problem>
  readonly warnings: ReadonlyArray<Problem>
}

const looksLikeId = (text: string): boolean => text.length <= 40 && !/\s/.test(text)

/** Ids that occur more than once: the place of the later one, and of the first. */
const duplicates = (ids: ReadonlyArray<string>): ReadonlyArray<{ readonly index: number; readonly first: number }> => {
  const seen = new Map<string, number>()
  return ids.flatMap((id, index) => {
    const first = seen.get(id)
    if (first === undefined) {
      seen.set(id, index)
      return []
    }
    return [{ index, first }]
  })
}

const idProblems = (
  list: "notes" | "pairs" | "facts" | "criteria",
  name: string,
  entries: ReadonlyArray<{ readonly id: string }>
) =>
  duplicates(entries.map((entry) => entry.id)).map(({ index, first }) => ({
    field: `${list}[${index}].id`,
    what: `${name} id ${showValue(entries[index]!.id)} is used twice in the consultation`,
    expected: `an id of its own: ${list}[${first}] has this one`
  }))

/**
 * What is wrong within one consultation that its schema cannot see. Problems have a `field` and no file or line.
 * Whether other consultations of the file agree with it is not seen here.
 */
export const checkConsultation = (consultation: Consultation): Findings => {
  const errors: Array<Problem> = [
    ...idProblems("notes", "note", consultation.notes),
    ...idProblems("pairs", "pair", consultation.pairs),
    ...idProblems("facts", "fact", consultation.facts ?? []),
    ...idProblems("criteria", "criterion", consultation.criteria ?? [])
  ]
  const warnings: Array<Problem> = []
  const notes = new Map(consultation.notes.map((note) => [note.id, note.text]))
  const facts = consultation.facts ?? []
  const factIds = facts.map((fact) => fact.id)

  if (consultation.transcript === null || consultation.transcript.trim() === "") {
    warnings.push({ field: "transcript", what: "there is no transcript: the notes are judged on their own" })
  }
  if (consultation.pairs.length === 0)
    warnings.push({ field: "pairs", what: "the consultation has no pairs and is not scored" })

  consultation.pairs.forEach((pair, index) => {
    const field = `pairs[${index}]`
    const side = (which: "flawed" | "clean") => {
      if (notes.has(pair[which])) return
      const close = nearest(pair[which], [...notes.keys()])
      errors.push({
        field: `${field}.${which}`,
        what: "names a note that the consultation does not have",
        found: showValue(pair[which]),
        expected: `the id of one of its ${notes.size} notes`,
        ...(close === undefined ? {} : { hint: `Did you mean ${showValue(close)}?` })
      })
    }
    side("flawed")
    side("clean")
    const flawed = notes.get(pair.flawed)
    if (pair.flawed === pair.clean) {
      errors.push({
        field,
        what: "flawed and clean name the same note",
        found: showValue(pair.flawed),
        expected: "two notes"
      })
    } else if (flawed !== undefined && flawed === notes.get(pair.clean)) {
      errors.push({
        field,
        what: `the flawed note ${showValue(pair.flawed)} and the clean note ${showValue(pair.clean)} have the same text`,
        expected: "texts that differ by the error"
      })
    }
    if (pair.trace !== undefined && pair.class !== "omission") {
      errors.push({
        field: `${field}.trace`,
        what: `a trace belongs to an omission, and this pair is an ${pair.class}`,
        found: showValue(pair.trace),
        expected: "no trace"
      })
    }
    if (pair.fact !== undefined && facts.length > 0 && !factIds.includes(pair.fact) && looksLikeId(pair.fact)) {
      const close = nearest(pair.fact, factIds)
      warnings.push({
        field: `${field}.fact`,
        what: `${showValue(pair.fact)} is no fact of the consultation and is taken as the fact's own words`,
        ...(close === undefined ? {} : { hint: `Did you mean ${showValue(close)}?` })
      })
    }
    pair.residual?.forEach((residual, at) => {
      if (flawed === undefined || flawed.includes(residual.quote)) return
      warnings.push({
        field: `${field}.residual[${at}].quote`,
        what: "the quote is not in the flawed note word for word",
        found: showValue(residual.quote)
      })
    })
  })

  const flawedIds = new Set(consultation.pairs.map((pair) => pair.flawed))
  const both = new Set(consultation.pairs.map((pair) => pair.clean).filter((id) => flawedIds.has(id)))
  for (const id of both) {
    warnings.push({ field: "pairs", what: `note ${showValue(id)} is flawed in one pair and clean in another` })
  }
  return { errors, warnings }
}
