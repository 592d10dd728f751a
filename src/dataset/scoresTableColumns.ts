import { type Problem, showValue } from "../domain/InputError.ts"
import { nearest } from "../domain/nearest.ts"
import { mandatoryColumns, type ScoreColumn, scoreColumns } from "./scoresTable.ts"

const known: ReadonlySet<string> = new Set(scoreColumns)

/** Columns or fields that a table has and nobody reads. A misspelt one is worth a word. */
export const unusedColumns = (names: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const unused = names.filter((name) => !known.has(name))
  if (unused.length === 0) return []
  const missing = scoreColumns.filter((name) => !names.includes(name))
  const close = unused.flatMap((name) => {
    const meant = nearest(name, missing)
    return meant === undefined ? [] : [`${showValue(name)} may be meant as ${meant}`]
  })
  return [
    {
      what: `the columns ${unused.map((name) => showValue(name, 40)).join(", ")} are not used`,
      ...(close.length === 0 ? {} : { hint: close.join("; ") })
    }
  ]
}

/** The mandatory columns that a table lacks. */
export const missingColumns = (names: ReadonlyArray<string>): ReadonlyArray<Problem> =>
  mandatoryColumns
    .filter((name) => !names.includes(name))
    .map((name) => {
      const close = nearest(
        name,
        names.filter((one) => !known.has(one))
      )
      return {
        field: name,
        what: `there is no column ${name}`,
        found: showValue(names.join(", "), 200),
        expected: `${mandatoryColumns.join(", ")}, and optionally ${scoreColumns.filter((one) => !(mandatoryColumns as ReadonlyArray<ScoreColumn>).includes(one)).join(", ")}`,
        ...(close === undefined ? {} : { hint: `Did you mean ${showValue(close)}?` })
      }
    })

/** What other tools write for a value that is not there. */
export const isAbsent = (text: string): boolean => /^(?:n\/?a|null)$/i.test(text.trim())

/** Squares of these, and their sums, are still numbers. */
const greatestScore = 1e150

/** What is wrong with a score that no mean could be made of; undefined for others. */
export const tooLargeScore = (score: number): Problem | undefined =>
  Math.abs(score) <= greatestScore
    ? undefined
    : { what: "the score is too large to reckon with", found: String(score), expected: "a number from -1e150 to 1e150" }

const verdict = /^(?:pass(?:ed)?|fail(?:ed)?|true|false|yes|no)$/i

/** What to do about a score that is a verdict in words; undefined for anything else. */
export const verdictHint = (value: unknown): string | undefined =>
  typeof value === "boolean" || (typeof value === "string" && verdict.test(value.trim()))
    ? "A score is a number, higher for a better note: write 1 for a note that passes and 0 for one that is flagged"
    : undefined
