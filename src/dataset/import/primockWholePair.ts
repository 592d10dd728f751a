import type { Pair } from "../../domain/Dataset.ts"
import { factOf, type Statement, severityOf } from "./primockPairs.ts"

/** Of a pair that differs in all that a clinician listed; its errors are of several kinds. */
export const mixed = "mixed: omission and incorrect statement"

/**
 * Class and labels of a whole edited note against the note as it was, by the clinician's lists. Both kinds in one note
 * are an alteration, marked as mixed, so that the omissions of a dataset are omissions only. Undefined without an item.
 */
export const wholePair = (input: {
  readonly omissions: ReadonlyArray<Statement>
  readonly incorrect: ReadonlyArray<Statement>
  /** The clean note was made by removing the incorrect statements, and says nothing in their place. */
  readonly onlyRemoved: boolean
}): Pick<Pair, "class" | "severity" | "fact" | "errorType"> | undefined => {
  const { incorrect, omissions } = input
  const all = [...omissions, ...incorrect]
  const fact = factOf(all)
  if (fact === "") return undefined
  const labels = { ...severityOf(all), fact }
  if (incorrect.length === 0) return { class: "omission", ...labels }
  if (omissions.length > 0) return { class: "alteration", ...labels, errorType: mixed }
  return { class: input.onlyRemoved ? "addition" : "alteration", ...labels }
}

export const wholePairRemarks: ReadonlyArray<string> = [
  `post-edits: class "omission" where only omissions are listed, else "alteration"; error type "${mixed}" where both are`,
  'severity: "critical" if any listed item is, else "supporting"'
]
