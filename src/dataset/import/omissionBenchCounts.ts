import type { ImportReport } from "./Importer.ts"
import { severityOf } from "./omissionBenchLabels.ts"
import type { Entry } from "./omissionBenchPairs.ts"

export const inEvaluation = (entry: Entry): boolean => entry.value.eval_set !== false

/** The stated figures, over all pairs of the file and over those of the evaluation set. */
export const expectedCounts = (entries: ReadonlyArray<Entry>, transcripts: number): ImportReport["expected"] => {
  const used = entries.filter(inEvaluation)
  const keys = (some: ReadonlyArray<Entry>) => new Set(some.map((entry) => entry.key)).size
  const count = (test: (entry: Entry) => boolean) => used.filter(test).length
  const couples = new Set(
    entries.flatMap(({ pairId, value }) =>
      (value.matched_pair_ids ?? []).map((other) => JSON.stringify([pairId, other].sort()))
    )
  )
  const levels = [
    { trace: "complete", pairs: 150, by: { critical: 85, supporting: 36, peripheral: 29 } },
    { trace: "fragment", pairs: 86, by: { critical: 44, supporting: 34, peripheral: 8 } },
    { trace: "restated", pairs: 57, by: { critical: 22, supporting: 33, peripheral: 2 } }
  ] as const
  return [
    { what: "pairs", expected: 500, found: entries.length },
    { what: "pairs of the evaluation set", expected: 495, found: used.length },
    { what: "consultations", expected: 117, found: keys(entries) },
    { what: "consultations of the evaluation set", expected: 112, found: keys(used) },
    { what: "transcripts", expected: 161, found: transcripts },
    { what: "matched couples", expected: 45, found: couples.size },
    { what: "evaluation: additions", expected: 95, found: count((one) => one.labels?.class === "addition") },
    { what: "evaluation: alterations", expected: 107, found: count((one) => one.labels?.class === "alteration") },
    ...levels.flatMap(({ by, pairs, trace }) => [
      { what: `evaluation: omissions, ${trace}`, expected: pairs, found: count((one) => one.labels?.trace === trace) },
      ...Object.entries(by).map(([severity, expected]) => ({
        what: `evaluation: omissions, ${trace}, ${severity}`,
        expected,
        found: count((one) => one.labels?.trace === trace && severityOf(one.value.severity) === severity)
      }))
    ])
  ]
}
