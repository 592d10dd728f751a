import type { Measure } from "../domain/Campaign.ts"
import type { MeasuredDifference } from "./measured.ts"
import type { ReadOut } from "./readOut.ts"

const percent = (share: number | null): string =>
  share === null ? "an unknown share" : `${(share * 100).toFixed(1)} %`
const points = (share: number): string => `${(Math.abs(share) * 100).toFixed(1)} points`
const signed = (share: number): string => `${share < 0 ? "−" : "+"}${points(share)}`

const does: Readonly<Record<Measure["measure"], string>> = {
  "paired-discrimination": "ranks the flawed note below its faithful twin in",
  auc: "gives a flawed note a lower score than a faithful one in",
  detection: "flags"
}

const what = ({ classes }: Measure): string =>
  classes === undefined ? "errors" : classes.map((one) => `${one}s`).join(" and ")

/** What of the measure is counted. */
const cases = ({ measure, n, consultations }: MeasuredDifference): string =>
  `${n} ${measure.measure === "paired-discrimination" ? (n === 1 ? "pair" : "pairs") : `flawed ${n === 1 ? "note" : "notes"}`} of ${consultations} ${consultations === 1 ? "consultation" : "consultations"}`

/** On one chance line: how the difference compares with nothing and with asking the same judge again. */
const chance = ({ measured }: ReadOut["gates"][number], { ratio, baseline }: ReadOut["noise"]): string => {
  const { difference, interval, p } = measured
  if (difference === null || p === null) return "There was nothing to test on these notes."
  const within =
    interval !== null
      ? ` (95 % interval ${signed(interval[0])} to ${signed(interval[1])})`
      : measured.intervalNote === "few-consultations"
        ? ` (with too few consultations for an interval: ${measured.consultations})`
        : ""
  const again =
    measured.measure.measure !== "paired-discrimination" || baseline.n < 2
      ? ""
      : ratio === null
        ? ", while asking the baseline again changed nothing"
        : ratio < 1
          ? ", and it is smaller than what asking the baseline again changes by itself"
          : `, and it is ${ratio.toFixed(1)} times what asking the baseline again changes by itself`
  const likely =
    p <= 0.05
      ? `chance alone would show a difference this large in ${p < 0.001 ? "fewer than 1 of 1,000" : `${(p * 100).toFixed(1)} of 100`} such trials`
      : `chance alone would show a difference at least this large in ${Math.round(p * 100)} of 100 such trials`
  return `The difference is ${signed(difference)}${within}: ${likely}${again}.`
}

/** A p to three decimals, or to as many as show that it is above alpha: 0.0502 is not told as 0.050. */
const pAbove = (p: number, alpha: number | null): string => {
  let digits = 3
  while (alpha !== null && p > alpha && digits < 12 && Number(p.toFixed(digits)) <= alpha) digits++
  return p.toFixed(digits)
}

const decision = ({ decision, gates, opening, preregistration: { document } }: Omit<ReadOut, "verdict">): string => {
  const name = document.candidate.name
  if (decision === "passed" && (opening.number > 1 || (opening.seen ?? []).length > 0))
    return `The gate that was set beforehand is passed, and ${name} is written out; but this holdout had been opened or seen before, so that is exploratory and confirms nothing.`
  if (decision === "passed") return `The gate that was set beforehand is passed, so ${name} is written out for use.`
  const missed = gates.filter(({ met }) => !met)
  const reasons = missed.map(({ above, alpha, measured, part }) => {
    const { difference, p } = measured
    if (difference === null) return `nothing could be measured on the ${part}`
    if (difference <= above + 1e-9)
      return `the ${part} gain of ${signed(difference)} is not above the ${points(above)} that were asked for`
    return `p is ${p === null ? "unknown" : pAbove(p, alpha)} where at most ${alpha} was asked for`
  })
  return `The gate that was set beforehand is not passed (${reasons.join("; ")}), so nothing is written out and ${document.baselines[0].name} stays.`
}

/** Three sentences, from the figures alone: what each judge does on unseen notes, what chance would do, what follows. */
export const verdictOf = (found: Omit<ReadOut, "verdict">): ReadonlyArray<string> => {
  const { document } = found.preregistration
  const gate = found.gates.find(({ part }) => part === "holdout")!
  const { measured } = gate
  const verb = does[measured.measure.measure]
  const pairs = (name: string): string => {
    if (measured.measure.measure !== "paired-discrimination") return ""
    const all = found.holdout.judges.find(({ judge }) => judge === name)?.replicates ?? []
    const sum = (of: "wins" | "ties" | "losses") => all.reduce((total, { paired }) => total + paired[of], 0)
    const tried = all.length > 1 ? `, over ${all.length} replicates` : ""
    return ` (below in ${sum("wins")}, alike in ${sum("ties")}, above in ${sum("losses")}${tried})`
  }
  const half = measured.measure.measure === "paired-discrimination" ? ", an equal score counting half" : ""
  const searched = (found.opening.seen ?? []).some(({ how }) => how === "searched")
  const unseen = searched ? ", some of which an earlier search saw" : " that the search never saw"
  const first = `On ${cases(measured)}${unseen}, the evolved instruction ${document.candidate.name} ${verb} ${percent(measured.a)} of the ${what(measured.measure)}${half}${pairs(document.candidate.name)}, the baseline ${document.baselines[0].name} ${percent(measured.b)}${pairs(document.baselines[0].name)}.`
  return [first, chance(gate, found.noise), decision(found)]
}
