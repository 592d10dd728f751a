import type { Cell } from "../measure/judgeBreakdown.ts"
import type { JudgeReport } from "../measure/scoreReport.ts"
import { intervalRemarks, rate, rateWithBounds, type Section, withBounds } from "./scoreFormat.ts"
import { ofFirst } from "./scoreJudgeSections.ts"

/** The judges' figures by class, trace, severity and stratum, the judges of one label together. */
export const breakdown = (judges: ReadonlyArray<JudgeReport>): Section => {
  const keys = [
    ...new Map(
      judges.flatMap(({ breakdown: cells }) => cells.map((cell) => [`${cell.by} ${cell.value}`, cell] as const))
    ).values()
  ]
  const rank = (by: Cell["by"]) => ["class", "trace", "severity", "stratum"].indexOf(by)
  const body = keys
    .toSorted((one, other) => rank(one.by) - rank(other.by))
    .flatMap(({ by, value }) =>
      judges.flatMap(({ breakdown: cells, judge }) => {
        const cell = cells.find((one) => one.by === by && one.value === value)
        if (cell === undefined) return []
        const { paired } = cell
        return [
          [
            `${by} ${value}`,
            judge,
            withBounds(paired.value, paired),
            `${paired.wins}/${paired.ties}/${paired.losses}`,
            paired.pairs,
            paired.consultations,
            rate(cell.detection),
            rateWithBounds(cell.detection),
            [...(cell.outside ? ["outside"] : []), ...(cell.thin ? ["thin"] : [])].join(", ")
          ]
        ]
      })
    )
  const outside = keys.some((cell) => cell.outside)
  return {
    title: `Breakdown${ofFirst(judges)}`,
    keys: 2,
    rows:
      body.length === 0
        ? []
        : [["", "judge", "paired [95 %]", "win/tie/loss", "pairs", "cons.", "detected", "rate [95 %]", ""], ...body],
    remarks:
      body.length === 0
        ? ["the pairs have no class, trace, severity or stratum"]
        : [
            "detected: at the judge's threshold above; thin: fewer than 30 pairs or 10 consultations",
            ...(outside ? ["outside: of classes that the other tables leave out (--classes)"] : []),
            ...intervalRemarks(body)
          ]
  }
}
