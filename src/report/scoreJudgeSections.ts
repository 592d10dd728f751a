import type { ClusterInterval } from "../measure/clusterInterval.ts"
import { isThin } from "../measure/clusterInterval.ts"
import type { ResampledFigure } from "../measure/judgeResampling.ts"
import type { Spread } from "../measure/replicateSpread.ts"
import type { JudgeReport } from "../measure/scoreReport.ts"
import {
  fixed,
  interval,
  intervalRemarks,
  none,
  percent,
  pText,
  rate,
  rateWithBounds,
  type Section,
  threshold,
  withBounds
} from "./scoreFormat.ts"

const severalReplicates = (judges: ReadonlyArray<JudgeReport>): boolean =>
  judges.some(({ replicates }) => replicates.length > 1)

/** What to add to the title of a table whose figures are of one replicate each. */
export const ofFirst = (judges: ReadonlyArray<JudgeReport>): string =>
  severalReplicates(judges) ? ", first replicate of each judge" : ""

/** A judge's mean over replicates, with its interval. */
const headline = ({ figures, spread }: JudgeReport, name: ResampledFigure): [number | null, ClusterInterval] => [
  spread[name].mean,
  (spread.intervals ?? figures.intervals)[name]
]

export const separation = (judges: ReadonlyArray<JudgeReport>): Section => {
  const several = severalReplicates(judges)
  const rows = [
    [
      "judge",
      "paired [95 %]",
      ...(several ? ["range", "repl."] : []),
      "win/tie/loss",
      "pairs",
      "cons.",
      "AUC [95 %]",
      ""
    ],
    ...judges.map((one) => {
      const { figures, judge, replicates, spread } = one
      const total = (of: "wins" | "ties" | "losses") => replicates.reduce((sum, { paired }) => sum + paired[of], 0)
      const [auc, aucInterval] = headline(one, "auc")
      return [
        judge,
        withBounds(spread.paired.mean, spread.paired),
        ...(several
          ? [
              spread.paired.n < 2 ? none : `${fixed(spread.paired.min)} to ${fixed(spread.paired.max)}`,
              replicates.length
            ]
          : []),
        `${total("wins")}/${total("ties")}/${total("losses")}`,
        figures.paired.pairs,
        spread.paired.consultations,
        withBounds(auc, aucInterval),
        isThin({ pairs: figures.paired.pairs, consultations: spread.paired.consultations }) ? "thin" : ""
      ]
    })
  ]
  return {
    title: "Separation",
    rows,
    remarks: [
      "paired: share of pairs whose flawed note scores below its clean twin, ties half; chance 0.5; higher is better, for AUC too",
      ...(several
        ? [
            "paired, AUC: means over the replicates, with a bootstrap that draws a consultation with all of them; range: least to greatest replicate; win/tie/loss: over all replicates; pairs: of the first"
          ]
        : []),
      ...(judges.some(({ figures, spread }) =>
        isThin({ pairs: figures.paired.pairs, consultations: spread.paired.consultations })
      )
        ? ["thin: fewer than 30 pairs or 10 consultations"]
        : []),
      ...intervalRemarks(rows)
    ]
  }
}

export const scoresSection = (judges: ReadonlyArray<JudgeReport>): Section => {
  const rows = [
    ["judge", "clean [95 %]", "flawed [95 %]", "gap [95 %]"],
    ...judges.map((one) => {
      const cells = (["meanClean", "meanFlawed", "gap"] as const).map((name) =>
        withBounds(...headline(one, name), name === "gap" ? 3 : 2)
      )
      return [one.judge, ...cells]
    })
  ]
  return {
    title: `Mean scores${severalReplicates(judges) ? ", over the replicates" : ""}`,
    rows,
    remarks: ["gap: clean less flawed, in points of the judge's own scale", ...intervalRemarks(rows)]
  }
}

const fittedRemark =
  "usable has two caveats: the threshold is fitted on the notes it is tested on, and notes of one consultation are not independent, so its p is smaller than it should be; take a threshold from other notes (--threshold, --threshold-from) for an honest test"

export const detection = (judges: ReadonlyArray<JudgeReport>, cap: number): Section => {
  const fitted = judges.some(({ figures }) => figures.operating?.fitted === true)
  const fisher = judges.some(({ figures }) => figures.usable?.test === "fisher")
  const rows = [
    [
      "judge",
      "threshold",
      "detected",
      "detection [95 %]",
      "false alarms",
      "false-alarm rate [95 %]",
      "by severity [95 %]",
      fitted ? "usable (fitted)" : "usable",
      "p"
    ],
    ...judges.map(({ figures: { intervals, operating, severityWeighted, usable }, judge }) => [
      judge,
      threshold(operating?.threshold),
      rate(operating?.detection),
      rateWithBounds(operating?.detection),
      rate(operating?.falseAlarms),
      rateWithBounds(operating?.falseAlarms),
      severityWeighted.value === null
        ? none
        : `${withBounds(severityWeighted.value, intervals.severityWeighted)} of ${severityWeighted.notes}`,
      usable === null ? none : usable.usable ? "yes" : "no",
      usable === null ? none : pText(usable.p)
    ])
  ]
  return {
    title: `${fitted ? `Detection at false alarms of at most ${percent(cap)}` : "Detection at the threshold given"}${ofFirst(judges)}`,
    rows,
    remarks: [
      `a note is flagged when its score is below the threshold${fitted ? ", which is the best one for these very notes and flatters" : ""}; by severity: critical 1, supporting 0.5, peripheral 0.25`,
      `usable: detection above the judge's own false alarms, ${fisher ? "Fisher's exact test (too many notes for Boschloo's)" : "Boschloo's exact test"}, two-sided p < 0.05, at false alarms of at most 10 %`,
      fitted
        ? fittedRemark
        : "usable: notes of one consultation are not independent, so its p is smaller than it should be",
      ...intervalRemarks(rows)
    ]
  }
}

/** Figures are rows here: eleven columns with intervals fit no terminal. */
export const verdicts = (judges: ReadonlyArray<JudgeReport>): Section => {
  const deceiving = judges.filter(({ figures }) => figures.bothCorrect?.deceptionZone === true)
  const rates = (heading: string, name: "bothCorrect" | "pred1" | "pred0" | "bothWrong" | "expected") => [
    heading,
    ...judges.map(({ figures }) => withBounds(figures.bothCorrect?.rates?.[name], figures.intervals[name]))
  ]
  const pointwise = (heading: string, name: "f1" | "balancedAccuracy" | "mcc") => [
    heading,
    ...judges.map(
      ({ figures }) =>
        `${withBounds(figures.pointwise?.[name], figures.intervals[name])}${name === "f1" && figures.bothCorrect?.deceptionZone === true ? " !" : ""}`
    )
  ]
  const rows = [
    ["", ...judges.map(({ judge }) => judge)],
    rates("both right", "bothCorrect"),
    rates("both flagged", "pred1"),
    rates("neither", "pred0"),
    rates("inverted", "bothWrong"),
    ["pairs", ...judges.map(({ figures }) => figures.bothCorrect?.counts.pairs ?? 0)],
    rates("expected", "expected"),
    [
      "ratio",
      ...judges.map(({ figures }) =>
        withBounds(figures.bothCorrect?.rates?.independenceRatio, figures.intervals.independenceRatio)
      )
    ],
    pointwise("F1", "f1"),
    pointwise("balanced accuracy", "balancedAccuracy"),
    pointwise("MCC", "mcc")
  ]
  return {
    title: `Both verdicts of a pair, at the threshold above${ofFirst(judges)}`,
    rows,
    remarks: [
      "expected: what independent verdicts would give; ratio: both right over expected; intervals hold the threshold as it is",
      ...(deceiving.length === 0
        ? []
        : [
            `! deception zone: F1 of at least 0.6 while fewer than a quarter of the pairs are told apart (${deceiving.map(({ judge }) => judge).join(", ")})`
          ]),
      ...intervalRemarks(rows)
    ]
  }
}

export const failures = (judges: ReadonlyArray<JudgeReport>): ReadonlyArray<Section> => {
  const any = judges.some(
    ({ figures: { parseFailures }, origin }) =>
      parseFailures.flawed + parseFailures.clean > 0 || (origin?.failed ?? []).some((failed) => failed > 0)
  )
  if (!any) return []
  const drawn = (
    one: { readonly mean: number; readonly interval: readonly [number, number] | null } | null | undefined
  ) => (one === null || one === undefined ? none : `${fixed(one.mean)} ${interval(one.interval)}`)
  return [
    {
      title: `Judgements that could not be read${ofFirst(judges)}`,
      rows: [
        [
          "judge",
          "flawed",
          "clean",
          "pairs lost",
          "calls failed",
          "paired, imputed",
          "detection, imputed",
          "false alarms, imputed"
        ],
        ...judges.map(({ figures: { parseFailures }, judge, origin }) => [
          judge,
          parseFailures.flawed,
          parseFailures.clean,
          parseFailures.pairs,
          origin?.failed[0] ?? 0,
          drawn(parseFailures.imputed?.paired),
          drawn(parseFailures.imputed?.detection),
          drawn(parseFailures.imputed?.falseAlarms)
        ])
      ],
      remarks: [
        "in all other tables they count as not flagged, and their pairs are left out of paired figures; imputed: drawn at random with the judge's own accuracy, mean and central 95 % of 1,000 draws; failed calls are as if the note had not been judged"
      ]
    }
  ]
}

export const replicates = (judges: ReadonlyArray<JudgeReport>): Section => {
  const several = judges.filter(({ replicates: all }) => all.length > 1)
  if (several.length === 0) {
    return {
      title: "Replicates",
      rows: [],
      remarks: ["each judge has one replicate, so nothing here says what chance alone does to its figures"]
    }
  }
  const span = ({ max, mean, min }: Spread) => `${fixed(mean)} (${fixed(min)} to ${fixed(max)})`
  return {
    title: "Replicates: mean (least to greatest)",
    rows: [
      ["judge", "n", "paired", "AUC", "detection", "false alarms", "gap"],
      ...several.map(({ judge, spread }) => [
        judge,
        spread.replicates.length,
        span(spread.paired),
        span(spread.auc),
        span(spread.detection),
        span(spread.falseAlarms),
        span(spread.gap)
      ])
    ],
    remarks: [
      "detection: each replicate at an operating point of its own, unless a threshold is given; tables that say so in their title are of the first replicate"
    ]
  }
}
