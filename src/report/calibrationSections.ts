import type { CalibratedThreshold, Calibration, DriftCheck } from "../confirm/calibration.ts"
import {
  bounds,
  fixed,
  interval,
  intervalRemarks,
  percent,
  plural,
  pText,
  rate,
  type Section,
  threshold
} from "./scoreFormat.ts"

const row = (name: string, { clustered, falseAlarms, threshold: value }: CalibratedThreshold) => [
  name,
  threshold(value),
  rate(falseAlarms),
  fixed(falseAlarms.rate),
  interval(falseAlarms.interval),
  bounds(clustered)
]

const share = (value: number | null): string =>
  value === null ? "an unknown share" : percent(Number(value.toFixed(4)))

/** A calibration as people read it. */
export const calibrationSections = (
  { around, chosen, consultations, needed, notes, safe, target, unparsed }: Calibration,
  drift: DriftCheck | null
): ReadonlyArray<Section> => {
  const several = notes > consultations
  const [low, high] = (several ? chosen.clustered.interval : null) ?? chosen.falseAlarms.interval ?? [0, 1]
  const rows = [
    row("at most the target", chosen),
    ...(safe === null ? [] : [row("interval below the target", safe)]),
    ...around.filter((one) => one.threshold !== chosen.threshold).map((one) => row("beside it", one))
  ]
  return [
    {
      title: "In words",
      rows: [],
      remarks: [
        `Flag a note when its score is below ${threshold(chosen.threshold)}: on these ${plural(notes, "clean note")} of ${plural(consultations, "consultation")} that flags ${share(chosen.falseAlarms.rate)}; the true share may be anything from ${share(low)} to ${share(high)}.`,
        safe === null
          ? `No threshold keeps its whole interval below ${percent(target)}: that takes more ${several ? "consultations" : "notes"}.`
          : `A threshold of ${threshold(safe.threshold)} keeps its whole interval below ${percent(target)}.`,
        `To know a false-alarm rate of ${percent(target)} to within ${percent(needed.precision)} to either side takes ${needed.notes.toLocaleString("en-GB")} clean notes${notes >= needed.notes ? ", which these are" : ""}.`,
        ...(drift === null ? [] : [driftSentence(drift)])
      ]
    },
    {
      title: `Thresholds for a false-alarm target of ${percent(target)}`,
      rows: [["", "flag below", "false alarms", "rate", "95 % Wilson", "95 % consultations"], ...rows],
      remarks: [
        ...(unparsed === 0
          ? []
          : [`${plural(unparsed, "note")} could not be read by the judge; they count as not flagged`]),
        ...(several
          ? ["several notes are of one consultation: the interval that resamples consultations is the honest one"]
          : []),
        ...intervalRemarks(rows)
      ]
    }
  ]
}

const driftSentence = ({ here, p, promised, threshold: value }: DriftCheck): string => {
  const found = `${rate(here)} = ${share(here.rate)} ${interval(here.interval)}`
  if (promised.n === 0) return `The threshold ${threshold(value)} that was given flags ${found} of these clean notes.`
  const than = `${rate(promised)} = ${share(promised.rate)} ${interval(promised.interval)}`
  const verdict =
    p !== null && p < 0.05
      ? here.rate! > promised.rate!
        ? "it does not keep its promise here: use a threshold of your own"
        : "it flags less here than it did there: it misses errors that it need not miss"
      : "that these notes are different is not shown"
  return `The threshold ${threshold(value)} promised ${than} false alarms where it was calibrated and gives ${found} here (p ${p === null ? "-" : pText(p)}): ${verdict}.`
}
