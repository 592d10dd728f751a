import type { Finding, Outcome } from "../domain/Judgement.ts"
import { fixed, none } from "./scoreFormat.ts"

type Cell = string | number

/** An outcome in words: its score, its flag, what was counted on the way. */
export const outcomeWords = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return "not judged"
  if (outcome._tag === "failed") return `not judged: ${outcome.cause}`
  if (outcome._tag === "unparsed") return "no answer that could be read"
  const { details = {}, flagged, score } = outcome
  return [
    `score ${Number(score.toFixed(6))}`,
    ...(flagged === undefined ? [] : [flagged ? "flagged" : "not flagged"]),
    ...Object.entries(details).map(([name, value]) => `${name} ${Number(value.toFixed(6))}`)
  ].join(", ")
}

const findingsOf = (outcome: Outcome | undefined): ReadonlyArray<Finding> =>
  outcome?._tag === "scored" ? (outcome.findings ?? []) : []

const verdictWords = (finding: Finding | undefined): string =>
  finding === undefined ? none : `${finding.verdict}${finding.rescued === true ? " (rescued)" : ""}`

/** What a score is made of, as a table, the headings first; empty where the judge says nothing of it. */
export const findingsRows = (outcome: Outcome | undefined): ReadonlyArray<ReadonlyArray<Cell>> => {
  const findings = findingsOf(outcome)
  if (findings.length === 0) return []
  const graded = findings.some(({ severity }) => severity !== undefined)
  const pointed = findings.some(({ points }) => points !== undefined)
  return [
    ["id", "verdict", ...(graded ? ["severity"] : []), ...(pointed ? ["points"] : []), "what", "the note's words"],
    ...findings.map((finding) => [
      finding.id,
      verdictWords(finding),
      ...(graded ? [finding.severity ?? none] : []),
      ...(pointed ? [finding.points === undefined ? none : fixed(finding.points, 0)] : []),
      finding.text,
      finding.quote ?? ""
    ])
  ]
}

/**
 * A note and its clean twin side by side: the findings on which they differ first, marked, then the others. Empty where
 * neither says what its score is made of.
 */
export const twinRows = (
  clean: Outcome | undefined,
  flawed: Outcome | undefined
): ReadonlyArray<ReadonlyArray<Cell>> => {
  const [left, right] = [findingsOf(clean), findingsOf(flawed)]
  // Facts go by id; questions are each note's own, and the same only if they say the same.
  const nameOf = ({ id, text }: Finding) => JSON.stringify([id, text])
  const byName = new Map(right.map((finding) => [nameOf(finding), finding]))
  const rows = [
    ...left.map((finding) => ({ clean: finding, flawed: byName.get(nameOf(finding)) })),
    ...right
      .filter((finding) => !left.some((other) => nameOf(other) === nameOf(finding)))
      .map((finding) => ({ clean: undefined, flawed: finding }))
  ]
  if (rows.length === 0) return []
  const differs = ({ clean: one, flawed: other }: (typeof rows)[number]) => one?.verdict !== other?.verdict
  const sorted = [...rows.filter(differs), ...rows.filter((row) => !differs(row))]
  return [
    ["", "id", "clean note", "flawed note", "severity", "what"],
    ...sorted.map((row) => {
      const { id, severity, text } = (row.clean ?? row.flawed)!
      return [differs(row) ? "≠" : "", id, verdictWords(row.clean), verdictWords(row.flawed), severity ?? none, text]
    })
  ]
}
