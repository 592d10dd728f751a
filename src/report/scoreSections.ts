import type { ScoreReport } from "../measure/scoreReport.ts"
import { breakdown } from "./scoreBreakdownSection.ts"
import { comparison } from "./scoreComparisonSection.ts"
import { plural, type Section } from "./scoreFormat.ts"
import { detection, failures, replicates, scoresSection, separation, verdicts } from "./scoreJudgeSections.ts"

/** The head: what was measured, on how much. */
export const headLines = ({ counts, judges, settings, source }: ScoreReport): ReadonlyArray<string> => {
  const standIn = judges.filter(({ origin }) => origin?.embedded === true)
  const chosen = judges.flatMap(({ judge, origin }) =>
    origin?.chosenBy == null ? [] : [`${judge} (run ${origin.chosenBy})`]
  )
  const { classes } = settings
  return [
    `${source}: ${plural(judges.length, "judge")}, ${plural(counts.consultations, "consultation")}, ${plural(counts.clean, "clean note")}, ${plural(counts.pairs, "pair")}${classes === null ? "" : `, of which ${counts.measured} of the classes measured (${classes.join(", ")})`}`,
    `intervals: 95 %; of rates (detected, false alarms) Wilson's, of all other figures by a bootstrap of consultations (${settings.resamples.toLocaleString("en-GB")} resamples, seed ${settings.seed})`,
    ...(standIn.length === 0
      ? []
      : [
          `the embedded model is a stand-in for learning the tool: ${standIn.length === judges.length ? "these figures" : `the figures of ${standIn.map(({ judge }) => judge).join(", ")}`} say nothing about real models`
        ]),
    ...(chosen.length === 0
      ? []
      : [
          `the acceptance part chose ${chosen.join(", ")} for doing well on these very notes: ${chosen.length === 1 ? "its figure is" : "their figures are"} flattered`
        ])
  ]
}

/** The whole result in sections, rounded. */
export const scoreSections = (report: ScoreReport): ReadonlyArray<Section> => [
  separation(report.judges),
  scoresSection(report.judges),
  detection(report.judges, report.settings.cap),
  verdicts(report.judges),
  ...failures(report.judges),
  replicates(report.judges),
  breakdown(report.judges),
  ...report.comparisons.map((one) => comparison(one, report.families))
]
