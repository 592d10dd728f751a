import type { Audit, Separation } from "../audit/Audit.ts"
import { changeCell, shownCandidates } from "./auditCells.ts"
import { namesOf } from "./auditNames.ts"
import { intervalRemarks, none, plural, rateWithBounds, type Section, threshold } from "./scoreFormat.ts"

const separationRow = (name: (id: string) => string, one: Separation) => [
  name(one.candidate),
  name(one.seed),
  one.verdict,
  changeCell(one.paired),
  changeCell(one.auc),
  changeCell(one.meanScore.clean, 2),
  changeCell(one.meanScore.flawed, 2),
  changeCell(one.flagRate.clean),
  changeCell(one.flagRate.flawed),
  `${one.paired.n} of ${one.paired.consultations}`
]

export const separation = (audit: Audit): ReadonlyArray<Section> => {
  if (audit.separation === null || audit.separation.length === 0) return []
  const name = namesOf(audit)
  const shown = audit.separation.slice(0, shownCandidates)
  const rows = shown.map((one) => separationRow(name, one))
  const more = audit.separation.length - shown.length
  const thresholds = [...new Set(shown.map(({ flagRate }) => threshold(flagRate.threshold)))]
  return [
    {
      title: "Separation or relocation: changes against the seed",
      rows: [
        [
          "candidate",
          "seed",
          "verdict",
          "paired",
          "AUC",
          "clean score",
          "flawed score",
          "clean flagged",
          "flawed flagged",
          "pairs of consultations"
        ],
        ...rows
      ],
      remarks: [
        ...intervalRemarks(rows),
        `flagged: below the seed's own operating point, ${thresholds.join(", ")}, for both`,
        "verdicts by the intervals alone: a gain is one of paired discrimination or AUC above zero (together at most 5 % by chance); with a gain the clean notes must have stayed for separation; without one, any score or flag rate that moved is relocation",
        ...(audit.subject.kind === "run"
          ? [
              "the acceptance part chose the candidate, so its gain is flattered: see the selection optimism, and confirm on the holdout"
            ]
          : []),
        ...(audit.separation.length > 1
          ? [`not adjusted for looking at ${plural(audit.separation.length, "candidate")}`]
          : []),
        ...(more > 0 ? [`${plural(more, "more candidate")} in --json`] : [])
      ]
    }
  ]
}

export const wall = (audit: Audit): ReadonlyArray<Section> => {
  const { wall } = audit
  if (wall === null) return []
  const name = namesOf(audit)
  const wanted = new Set([audit.subject.candidate, audit.subject.seed, wall.bestFixed, wall.bestOwn])
  const shown = [
    ...wall.points.filter(({ candidate }) => wanted.has(candidate)),
    ...wall.points.filter(({ candidate }) => !wanted.has(candidate))
  ].slice(0, shownCandidates)
  return [
    {
      title: "The wall: detection against false alarms",
      rows: [
        [
          "candidate",
          "detected",
          "false alarms",
          `≤ ${wall.cap * 100} %`,
          "own threshold",
          "detected there",
          "false alarms there"
        ],
        ...shown.map(({ candidate, fixed, own }) => [
          name(candidate),
          rateWithBounds(fixed?.detection),
          rateWithBounds(fixed?.falseAlarms),
          fixed === null ? none : fixed.feasible ? "yes" : "no",
          threshold(own?.threshold),
          rateWithBounds(own?.detection),
          rateWithBounds(own?.falseAlarms)
        ])
      ],
      remarks: [
        `at one threshold for all, ${threshold(wall.threshold)}, the seed's operating point: ${wall.feasible} of ${plural(wall.of, "candidate")} keep false alarms within ${wall.cap * 100} %${wall.bestFixed === null ? "" : `; of them ${name(wall.bestFixed)} detects most`}`,
        ...(wall.bestOwn === null
          ? []
          : [`each at its own best threshold under the cap: ${name(wall.bestOwn)} detects most`]),
        ...(wall.points.length > shown.length
          ? [`${plural(wall.points.length - shown.length, "more point")} in --json`]
          : [])
      ]
    }
  ]
}
