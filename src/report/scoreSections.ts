import type { Cell } from "../measure/judgeBreakdown.ts"
import type { Rate } from "../measure/judgeFigures.ts"
import type { Spread } from "../measure/replicateSpread.ts"
import type { ComparisonReport, JudgeReport, ScoreReport } from "./scoreReport.ts"

/** A part of the result as people read it: a table, the headings first, and remarks. */
export interface Section {
  readonly title: string
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
  readonly remarks: ReadonlyArray<string>
}

const none = "-"
const fixed = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? none : value.toFixed(digits).replace("-", "−")
const signed = (value: number | null): string => (value === null ? none : `${value < 0 ? "" : "+"}${fixed(value)}`)
const interval = (bounds: readonly [number, number] | null): string =>
  bounds === null ? none : `[${fixed(bounds[0])}, ${fixed(bounds[1])}]`
const pText = (p: number): string => (p < 0.0001 ? "<.0001" : p.toFixed(4))
const rate = (one: Rate | null | undefined): string =>
  one === null || one === undefined ? none : `${one.count}/${one.n}`
/** A threshold as it is, up to the decimals that are compared. */
const threshold = (value: number | null | undefined): string =>
  value === null || value === undefined ? none : String(Number(value.toFixed(6)))
const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`
const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

const separation = (judges: ReadonlyArray<JudgeReport>): Section => ({
  title: "Separation",
  rows: [
    ["judge", "paired", "95 %", "win/tie/loss", "pairs", "AUC", "clean", "flawed", "gap"],
    ...judges.map(({ figures, judge }) => [
      judge,
      fixed(figures.paired.value),
      interval(figures.paired.interval),
      `${figures.paired.wins}/${figures.paired.ties}/${figures.paired.losses}`,
      figures.paired.pairs,
      fixed(figures.auc.value),
      fixed(figures.means.clean.mean, 2),
      fixed(figures.means.flawed.mean, 2),
      fixed(figures.means.gap)
    ])
  ],
  remarks: ["paired: share of pairs whose flawed note scores below its clean twin, ties half; chance 0.5"]
})

const detection = (judges: ReadonlyArray<JudgeReport>, cap: number): Section => ({
  title: `Detection at false alarms of at most ${percent(cap)}`,
  rows: [
    ["judge", "threshold", "detected", "rate", "95 %", "false alarms", "rate", "95 %", "by severity", "usable", "p"],
    ...judges.map(({ figures: { operating, severityWeighted, usable }, judge }) => [
      judge,
      threshold(operating?.threshold),
      rate(operating?.detection),
      fixed(operating?.detection.rate),
      interval(operating?.detection.interval ?? null),
      rate(operating?.falseAlarms),
      fixed(operating?.falseAlarms.rate),
      interval(operating?.falseAlarms.interval ?? null),
      severityWeighted.value === null ? none : `${fixed(severityWeighted.value)} of ${severityWeighted.notes}`,
      usable === null ? none : usable.usable ? "yes" : "no",
      usable === null ? none : pText(usable.p)
    ])
  ],
  remarks: [
    "a note is flagged when its score is below the threshold, which is the best one for these very notes; by severity: critical 1, supporting 0.5, peripheral 0.25",
    `usable: detection above the judge's own false alarms, ${judges.some(({ figures }) => figures.usable?.test === "fisher") ? "Fisher's exact test (too many notes for Boschloo's)" : "Boschloo's exact test"}, two-sided p < 0.05, at false alarms of at most 10 %`
  ]
})

const verdicts = (judges: ReadonlyArray<JudgeReport>): Section => {
  const deceiving = judges.filter(({ figures }) => figures.bothCorrect?.deceptionZone === true)
  return {
    title: "Both verdicts of a pair, at the operating point",
    rows: [
      [
        "judge",
        "both right",
        "both flagged",
        "neither",
        "inverted",
        "pairs",
        "expected",
        "ratio",
        "F1",
        "bal. acc.",
        "MCC"
      ],
      ...judges.map(({ figures: { bothCorrect, pointwise }, judge }) => [
        judge,
        fixed(bothCorrect?.rates?.bothCorrect),
        fixed(bothCorrect?.rates?.pred1),
        fixed(bothCorrect?.rates?.pred0),
        fixed(bothCorrect?.rates?.bothWrong),
        bothCorrect?.counts.pairs ?? 0,
        fixed(bothCorrect?.rates?.expected),
        fixed(bothCorrect?.rates?.independenceRatio),
        `${fixed(pointwise?.f1)}${bothCorrect?.deceptionZone === true ? " !" : ""}`,
        fixed(pointwise?.balancedAccuracy),
        fixed(pointwise?.mcc)
      ])
    ],
    remarks: [
      "expected: what independent verdicts would give; ratio: both right over expected",
      ...(deceiving.length === 0
        ? []
        : [
            `! deception zone: F1 of at least 0.6 while fewer than a quarter of the pairs are told apart (${deceiving.map(({ judge }) => judge).join(", ")})`
          ])
    ]
  }
}

const failures = (judges: ReadonlyArray<JudgeReport>): ReadonlyArray<Section> => {
  const any = judges.some(
    ({ figures: { parseFailures }, origin }) =>
      parseFailures.flawed + parseFailures.clean > 0 || (origin?.failed ?? []).some((failed) => failed > 0)
  )
  if (!any) return []
  const drawn = (one: { readonly mean: number; readonly interval: readonly [number, number] } | null | undefined) =>
    one === null || one === undefined ? none : `${fixed(one.mean)} ${interval(one.interval)}`
  return [
    {
      title: "Judgements that could not be read",
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

const replicates = (judges: ReadonlyArray<JudgeReport>): Section => {
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
      ["judge", "n", "paired", "95 % of the mean", "AUC", "detection", "false alarms", "gap"],
      ...several.map(({ judge, spread }) => [
        judge,
        spread.replicates.length,
        span(spread.paired),
        interval(spread.paired.interval),
        span(spread.auc),
        span(spread.detection),
        span(spread.falseAlarms),
        span(spread.gap)
      ])
    ],
    remarks: [
      "all other tables are of the first replicate of each judge; each replicate has an operating point of its own"
    ]
  }
}

const breakdown = (judges: ReadonlyArray<JudgeReport>): Section => {
  const keys = [
    ...new Map(
      judges.flatMap(({ breakdown: cells }) => cells.map((cell) => [`${cell.by} ${cell.value}`, cell] as const))
    ).values()
  ]
  const rank = (by: Cell["by"]) => ["class", "trace", "severity", "stratum"].indexOf(by)
  const rows = keys
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
            fixed(paired.value),
            interval(paired.interval),
            `${paired.wins}/${paired.ties}/${paired.losses}`,
            paired.pairs,
            rate(cell.detection),
            fixed(cell.detection?.rate),
            cell.thin ? "thin" : ""
          ]
        ]
      })
    )
  return {
    title: "Breakdown",
    rows:
      rows.length === 0
        ? []
        : [["", "judge", "paired", "95 %", "win/tie/loss", "pairs", "detected", "rate", ""], ...rows],
    remarks:
      rows.length === 0
        ? ["the pairs have no class, trace, severity or stratum"]
        : ["detected: at the judge's threshold above; thin: fewer than 30 pairs"]
  }
}

const comparisonRows = (one: ComparisonReport): ReadonlyArray<ReadonlyArray<string | number>> => {
  const { detection: flags, paired } = one
  const test = (name: string, what: string, result: { readonly p: number; readonly holm: number } | null) =>
    result === null ? [] : [[name, what, pText(result.p), pText(result.holm)]]
  return [
    ["", "", "p", "Holm"],
    [
      "paired",
      `${fixed(one.a.paired.value)} against ${fixed(one.b.paired.value)}: ${signed(paired.difference)} ${interval(paired.interval)}`,
      "",
      ""
    ],
    ...test("sign test", `${paired.better} better, ${paired.worse} worse, ${paired.same} alike`, paired.signTest),
    ...test(
      "cluster sign flip",
      `mean over consultations ${signed(paired.signFlip?.statistic ?? null)}, ${paired.signFlip?.exact === true ? "exact" : "drawn"}`,
      paired.signFlip
    ),
    ...test(
      "swap permutation",
      `mean over pairs ${signed(paired.swap?.statistic ?? null)}, ${paired.swap?.exact === true ? "exact" : "drawn"}`,
      paired.swap
    ),
    ...(flags === null
      ? []
      : [
          [
            "detection",
            `${rate(one.a.operating?.detection)} against ${rate(one.b.operating?.detection)}: ${signed(flags.difference)} ${interval(flags.interval)}`,
            "",
            ""
          ],
          ...test(
            "McNemar, flawed notes",
            `${flags.mcnemar.onlyA} flagged by the first only, ${flags.mcnemar.onlyB} by the second only`,
            flags.mcnemar
          ),
          ...test(
            "McNemar, clean notes",
            `${flags.falseAlarms.onlyA} flagged by the first only, ${flags.falseAlarms.onlyB} by the second only`,
            flags.falseAlarms
          )
        ])
  ]
}

const comparison = (one: ComparisonReport, family: number): Section => {
  const out = one.leftOut.notJudged + one.leftOut.unparsed
  const { noise } = one
  return {
    title: `${one.a.judge} against ${one.b.judge}`,
    rows: comparisonRows(one),
    remarks: [
      `on ${plural(one.pairs, "pair")} of ${plural(one.consultations, "consultation")} that both could rank; ${out === 0 ? "none left out" : `${out} left out: ${one.leftOut.notJudged} not judged by both, ${one.leftOut.unparsed} not readable`}`,
      `each side's flags at its own threshold (${threshold(one.a.operating?.threshold)}, ${threshold(one.b.operating?.threshold)}); false alarms ${rate(one.a.operating?.falseAlarms)} against ${rate(one.b.operating?.falseAlarms)}; Holm: each test over ${plural(family, "comparison")}`,
      ...(noise === null
        ? ["without replicates there is no noise floor to hold the difference against"]
        : [
            `replicates of one judge differ by up to ${fixed(Math.max(noise.rangeA ?? 0, noise.rangeB ?? 0))} paired${noise.ratio === null ? "" : `; the difference is ${fixed(noise.ratio, 1)} times that`}`
          ])
    ]
  }
}

/** The head: what was measured, on how much. */
export const headLines = ({ counts, judges, settings, source }: ScoreReport): ReadonlyArray<string> => {
  const standIn = judges.filter(({ origin }) => origin?.embedded === true)
  const { classes } = settings
  return [
    `${source}: ${plural(judges.length, "judge")}, ${plural(counts.consultations, "consultation")}, ${plural(counts.clean, "clean note")}, ${plural(counts.pairs, "pair")}${classes === null ? "" : `, of which ${counts.measured} of the classes measured (${classes.join(", ")})`}`,
    `intervals: 95 %; of paired figures by a bootstrap of consultations (${settings.resamples.toLocaleString("en-GB")} resamples, seed ${settings.seed}), of rates Wilson's`,
    ...(standIn.length === 0
      ? []
      : [
          `the embedded model is a stand-in for learning the tool: ${standIn.length === judges.length ? "these figures" : `the figures of ${standIn.map(({ judge }) => judge).join(", ")}`} say nothing about real models`
        ])
  ]
}

/** The whole result in sections, rounded. */
export const scoreSections = (report: ScoreReport): ReadonlyArray<Section> => [
  separation(report.judges),
  detection(report.judges, report.settings.cap),
  verdicts(report.judges),
  ...failures(report.judges),
  replicates(report.judges),
  breakdown(report.judges),
  ...report.comparisons.map((one) => comparison(one, report.comparisons.length))
]
