import type { Preregistration } from "../domain/Preregistration.ts"
import type { JudgedNotes, NoteSet } from "../measure/scoredNotes.ts"
import { type MeasuredDifference, measuredDifference } from "./measured.ts"

/** One judge's replicates on one part, by contender's name. */
export interface JudgedPart {
  readonly set: NoteSet
  readonly runs: ReadonlyArray<JudgedNotes>
  /** Notes whose calls failed, by judge and replicate. */
  readonly failed: ReadonlyMap<string, ReadonlyArray<number>>
}

export interface Gate {
  readonly part: "acceptance" | "holdout"
  readonly role: "primary" | "secondary"
  readonly measured: MeasuredDifference
  /** What the difference must exceed. */
  readonly above: number
  /** Greatest p, where significance is asked for. */
  readonly alpha: number | null
  readonly met: boolean
}

export const runsOf = ({ runs }: JudgedPart, judge: string): ReadonlyArray<JudgedNotes> =>
  runs.filter((run) => run.judge === judge)

/** Differences of shares of small counts are compared with limits that were written in decimals. */
const tolerance = 1e-9

const exceeds = (difference: number | null, above: number): boolean =>
  difference !== null && difference > above + tolerance

const measure = (part: JudgedPart, document: Preregistration, which: Preregistration["primary"]) =>
  measuredDifference(part.set, runsOf(part, document.candidate.name), runsOf(part, document.baselines[0].name), which, {
    cap: document.cap,
    ...document.tests
  })

/** What must hold on the acceptance part before the holdout is opened. */
export const acceptanceGates = (part: JudgedPart, document: Preregistration): ReadonlyArray<Gate> => {
  const gate = (role: Gate["role"], which: Preregistration["primary"], above: number): Gate => {
    const measured = measure(part, document, which)
    return { part: "acceptance", role, measured, above, alpha: null, met: exceeds(measured.difference, above) }
  }
  const { acceptance } = document.gate
  return [
    gate("primary", document.primary, acceptance.primary),
    ...(document.secondary === null || acceptance.secondary === null
      ? []
      : [gate("secondary", document.secondary, acceptance.secondary)])
  ]
}

/** What must hold on the holdout for the prompt to be written out. */
export const holdoutGate = (part: JudgedPart, document: Preregistration): Gate => {
  const measured = measure(part, document, document.primary)
  const above = document.gate.holdout.primary
  const { alpha } = document.tests
  return {
    part: "holdout",
    role: "primary",
    measured,
    above,
    alpha,
    met: exceeds(measured.difference, above) && measured.p !== null && measured.p <= alpha + tolerance
  }
}
