import type { Severity } from "../domain/Dataset.ts"
import type { Finding, Outcome } from "../domain/Judgement.ts"

/** What the judge found of one thing in a flawed note and in its clean twin. */
export interface VerdictPair {
  readonly text: string
  readonly severity?: Severity
  readonly flawed: Finding["verdict"]
  readonly twin: Finding["verdict"]
}

/** How the verdicts on a flawed note differ from those on its clean twin, thing by thing. */
export interface VerdictDifference {
  /** Worse in the flawed note than in the twin: what told the two apart. */
  readonly worse: ReadonlyArray<VerdictPair>
  /** Better in the flawed note than in the twin, which no flaw can be. */
  readonly better: ReadonlyArray<VerdictPair>
  /** Held against both alike. */
  readonly both: ReadonlyArray<VerdictPair>
  /** Found in the flawed note, or in its twin, by the second look only. */
  readonly rescued: ReadonlyArray<{ readonly text: string; readonly where: "flawed" | "twin"; readonly quote?: string }>
  /** Things that could be compared, those without a difference included. */
  readonly compared: number
}

const rank: Readonly<Record<Finding["verdict"], number>> = {
  full: 2,
  present: 2,
  yes: 2,
  met: 2,
  partial: 1,
  absent: 0,
  no: 0,
  "not-met": 0
}

/** Whether the verdict is held against a note. A criterion with negative points is held against it when it is met. */
const isAgainst = ({ points, verdict }: Finding): boolean =>
  points !== undefined && points < 0 ? rank[verdict] === 2 : rank[verdict] < 2

const standingOf = ({ points, verdict }: Finding): number =>
  points !== undefined && points < 0 ? -rank[verdict] : rank[verdict]

/** What the judge itself found in a note; undefined where it says nothing of that. */
export const findingsOf = (outcome: Outcome | undefined): ReadonlyArray<Finding> | undefined =>
  outcome?._tag === "scored" && outcome.findings !== undefined && outcome.findings.length > 0
    ? outcome.findings
    : undefined

/** What was held against a note, in the judge's order. */
export const heldAgainst = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> => findings.filter(isAgainst)

/**
 * The difference of verdicts between a flawed note and its twin [method §5.4], by the id of the finding; undefined where
 * the judge gave no findings of one of them.
 */
export const verdictDifference = (
  flawed: Outcome | undefined,
  twin: Outcome | undefined
): VerdictDifference | undefined => {
  const [here, there] = [findingsOf(flawed), findingsOf(twin)]
  if (here === undefined || there === undefined) return undefined
  const ofTwin = new Map(there.map((finding) => [finding.id, finding]))
  const worse: Array<VerdictPair> = []
  const better: Array<VerdictPair> = []
  const both: Array<VerdictPair> = []
  const rescued: Array<VerdictDifference["rescued"][number]> = []
  let compared = 0
  for (const finding of here) {
    const other = ofTwin.get(finding.id)
    if (other === undefined) continue
    compared++
    const pair = {
      text: finding.text,
      ...(finding.severity === undefined ? {} : { severity: finding.severity }),
      flawed: finding.verdict,
      twin: other.verdict
    }
    const difference = standingOf(finding) - standingOf(other)
    if (difference < 0) worse.push(pair)
    else if (difference > 0) better.push(pair)
    else if (isAgainst(finding)) both.push(pair)
    for (const [where, one] of [
      ["flawed", finding],
      ["twin", other]
    ] as const) {
      if (one.rescued === true)
        rescued.push({ text: one.text, where, ...(one.quote === undefined ? {} : { quote: one.quote }) })
    }
  }
  return { worse, better, both, rescued, compared }
}
