import type { JudgeVerdicts } from "../dataset/verdicts.ts"
import { type AgreementName, type LabelAgreement, labelAgreement } from "../measure/labelAgreement.ts"
import { version } from "../version.ts"
import { csvText } from "./csvText.ts"
import { fixed, intervalRemarks, plural, type Section, withBounds } from "./scoreFormat.ts"

export interface LabelsReport {
  readonly format: "assize-labels/1"
  readonly version: string
  readonly source: string
  readonly settings: { readonly seed: number; readonly resamples: number }
  /** Criteria with labels. */
  readonly labelled: number
  readonly judges: ReadonlyArray<{
    readonly judge: string
    readonly unreadable: number
    readonly agreement: LabelAgreement
  }>
}

export const labelsReport = (
  {
    judges,
    labelled,
    source
  }: { readonly source: string; readonly labelled: number; readonly judges: ReadonlyArray<JudgeVerdicts> },
  settings: LabelsReport["settings"]
): LabelsReport => ({
  format: "assize-labels/1",
  version,
  source,
  settings,
  labelled,
  judges: judges.map(({ judge, unreadable, verdicts }) => ({
    judge,
    unreadable,
    agreement: labelAgreement(verdicts, settings)
  }))
})

const figures: ReadonlyArray<readonly [AgreementName, string]> = [
  ["rawAgreement", "raw agreement"],
  ["kappa", "Cohen's κ"],
  ["f1Met", "F1, met"],
  ["f1NotMet", "F1, not met"],
  ["macroF1", "F1, mean of both"]
]

export const labelsHead = ({ labelled, settings, source }: LabelsReport): ReadonlyArray<string> => [
  `${source}: ${plural(labelled, "criterion with labels", "criteria with labels")}`,
  `intervals: 95 %, by a bootstrap of consultations (${settings.resamples.toLocaleString("en-GB")} resamples, seed ${settings.seed})`
]

/** The whole result in sections, rounded. */
export const labelsSections = ({ judges }: LabelsReport): ReadonlyArray<Section> =>
  (["pairwise", "majority"] as const).map((against) => {
    const rows = [
      ["", ...judges.map(({ judge }) => judge)],
      ...figures.map(([name, heading]) => [
        heading,
        ...judges.map(({ agreement }) => withBounds(agreement[against][name], agreement[against].intervals[name]))
      ]),
      [against === "pairwise" ? "labels" : "verdicts", ...judges.map(({ agreement }) => agreement[against].cases)],
      ...(against === "pairwise"
        ? [
            ["physicians among themselves", ...judges.map(({ agreement }) => fixed(agreement.physicians.rawAgreement))],
            ["verdicts that could not be read", ...judges.map(({ unreadable }) => unreadable)]
          ]
        : [["ties left out", ...judges.map(({ agreement }) => agreement.majority.ties)]])
    ]
    return {
      title: against === "pairwise" ? "Against each physician's label" : "Against the majority of physicians",
      rows,
      remarks: [
        ...(against === "pairwise"
          ? [
              "each label is a case; F1, mean of both: of met and not met, as HealthBench's meta-evaluation has it; physicians among themselves: raw agreement of two labels of one criterion"
            ]
          : []),
        ...intervalRemarks(rows)
      ]
    }
  })

/** Every figure, one a row, unrounded. */
export const labelsCsv = ({ judges }: LabelsReport): string =>
  csvText([
    ["judge", "against", "figure", "estimate", "low", "high", "n", "consultations", "interval note"],
    ...judges.flatMap(({ agreement, judge }) => [
      ...(["pairwise", "majority"] as const).flatMap((against) =>
        figures.map(([name, heading]) => {
          const { interval, intervalNote } = agreement[against].intervals[name]
          const { cases } = agreement[against]
          return [
            judge,
            against === "pairwise" ? "each label" : "majority",
            heading,
            agreement[against][name],
            interval?.[0],
            interval?.[1],
            cases,
            agreement.clusters,
            intervalNote
          ]
        })
      ),
      [
        judge,
        "",
        "physicians among themselves",
        agreement.physicians.rawAgreement,
        null,
        null,
        agreement.physicians.pairs
      ]
    ])
  ])
