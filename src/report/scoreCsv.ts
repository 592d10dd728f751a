import type { ClusterInterval } from "../measure/clusterInterval.ts"
import type { CellFlags } from "../measure/judgeBreakdown.ts"
import type { ResampledFigure } from "../measure/judgeResampling.ts"
import type { Rate } from "../measure/operatingFigure.ts"
import type { Spread } from "../measure/replicateSpread.ts"
import type { ComparisonReport, JudgeReport, ScoreReport } from "../measure/scoreReport.ts"
import { type CsvCell, csvText } from "./csvText.ts"

/** One figure a row, unrounded. */
interface Row {
  readonly judge: string
  readonly replicate?: string
  /** The other judge of a comparison. */
  readonly against?: string
  readonly by?: string
  readonly value?: string
  readonly figure: string
  readonly estimate?: number | null | undefined
  readonly interval?: readonly [number, number] | null | undefined
  /** Why there is no interval, or which one it is in the place of the usual. */
  readonly intervalNote?: string | null | undefined
  /** Successes of a rate; wins of paired discrimination. */
  readonly count?: number | null | undefined
  readonly n?: number | null | undefined
  readonly p?: number | null | undefined
  readonly holm?: number | null | undefined
  readonly thin?: boolean
  readonly outside?: boolean
}

const columns = [
  "judge",
  "replicate",
  "against",
  "by",
  "value",
  "figure",
  "estimate",
  "low",
  "high",
  "count",
  "n",
  "p",
  "holm",
  "thin",
  "outside",
  "interval note"
]

const rateRow = (figure: string, rate: Rate | null | undefined) => ({
  figure,
  estimate: rate?.rate,
  interval: rate?.interval,
  count: rate?.count,
  n: rate?.n
})

const pairedRow = (
  paired: ClusterInterval & { readonly value: number | null; readonly pairs: number; readonly thin: boolean }
) => ({
  figure: "paired",
  estimate: paired.value,
  interval: paired.interval,
  intervalNote: paired.intervalNote,
  n: paired.pairs,
  thin: paired.thin
})

/** Of a cell's flags, by the names that the judge's own rows have. */
const cellFlagRows = (flags: CellFlags | null): ReadonlyArray<Omit<Row, "judge">> => {
  const { bothCorrect, pointwise, rates, severityWeighted } = flags ?? {}
  const notes = rates?.accuracy.n
  const pairs = bothCorrect?.counts.pairs
  return [
    { figure: "severity-weighted detection", estimate: severityWeighted?.value, n: severityWeighted?.notes },
    rateRow("both correct", rates?.bothCorrect),
    rateRow("both flagged", rates?.pred1),
    rateRow("neither flagged", rates?.pred0),
    rateRow("inverted", rates?.bothWrong),
    { figure: "both correct, expected", estimate: bothCorrect?.rates?.expected, n: pairs },
    { figure: "independence ratio", estimate: bothCorrect?.rates?.independenceRatio, n: pairs },
    {
      figure: "deception zone",
      count: bothCorrect?.deceptionZone == null ? null : Number(bothCorrect.deceptionZone)
    },
    { figure: "f1", estimate: pointwise?.f1, n: notes },
    { figure: "balancedAccuracy", estimate: pointwise?.balancedAccuracy, n: notes },
    { figure: "mcc", estimate: pointwise?.mcc, n: notes },
    rateRow("precision", rates?.precision),
    rateRow("recall", rates?.recall),
    rateRow("specificity", rates?.specificity),
    rateRow("accuracy", rates?.accuracy),
    rateRow("flagRate", rates?.flagRate)
  ]
}

const judgeRows = ({ breakdown, judge, replicates, spread }: JudgeReport): ReadonlyArray<Row> => {
  const figures = replicates.flatMap(
    ({
      auc,
      bothCorrect,
      intervals,
      means,
      operating,
      paired,
      parseFailures,
      pointwise,
      replicate,
      severityWeighted,
      usable
    }) => {
      const pairs = bothCorrect?.counts
      const counted = (figure: string, name: ResampledFigure, count: number | undefined) => ({
        figure,
        ...intervals[name],
        estimate: pairs === undefined || pairs.pairs === 0 ? null : count! / pairs.pairs,
        count,
        n: pairs?.pairs
      })
      const notes = pointwise === null ? null : pointwise.tp + pointwise.fp + pointwise.fn + pointwise.tn
      const { imputed } = parseFailures
      const rows: ReadonlyArray<Omit<Row, "judge">> = [
        pairedRow(paired),
        { figure: "wins", count: paired.wins, n: paired.pairs },
        { figure: "ties", count: paired.ties, n: paired.pairs },
        { figure: "losses", count: paired.losses, n: paired.pairs },
        { figure: "auc", estimate: auc.value, ...intervals.auc, n: auc.flawed + auc.clean },
        { figure: "threshold", estimate: operating?.threshold },
        rateRow("detection", operating?.detection),
        rateRow("false alarms", operating?.falseAlarms),
        {
          figure: "severity-weighted detection",
          estimate: severityWeighted.value,
          ...intervals.severityWeighted,
          n: severityWeighted.notes
        },
        { figure: "usable", count: usable === null ? null : Number(usable.usable), p: usable?.p },
        { figure: "mean clean", estimate: means.clean.mean, ...intervals.meanClean, n: means.clean.n },
        { figure: "mean flawed", estimate: means.flawed.mean, ...intervals.meanFlawed, n: means.flawed.n },
        { figure: "gap", estimate: means.gap, ...intervals.gap },
        counted("both correct", "bothCorrect", pairs?.bothCorrect),
        counted("both flagged", "pred1", pairs?.pred1),
        counted("neither flagged", "pred0", pairs?.pred0),
        counted("inverted", "bothWrong", pairs?.bothWrong),
        {
          figure: "both correct, expected",
          estimate: bothCorrect?.rates?.expected,
          ...intervals.expected,
          n: pairs?.pairs
        },
        {
          figure: "independence ratio",
          estimate: bothCorrect?.rates?.independenceRatio,
          ...intervals.independenceRatio,
          n: pairs?.pairs
        },
        {
          figure: "deception zone",
          count: bothCorrect?.deceptionZone == null ? null : Number(bothCorrect.deceptionZone)
        },
        ...(["f1", "balancedAccuracy", "precision", "recall", "specificity", "mcc", "flagRate"] as const).map(
          (figure) => ({
            figure,
            estimate: pointwise?.[figure],
            ...intervals[figure],
            n: notes
          })
        ),
        { figure: "unreadable flawed", count: parseFailures.flawed, n: means.flawed.n + parseFailures.flawed },
        { figure: "unreadable clean", count: parseFailures.clean, n: means.clean.n + parseFailures.clean },
        ...(imputed === null
          ? []
          : (["paired", "detection", "falseAlarms"] as const).map((name) => ({
              figure: `imputed ${name === "falseAlarms" ? "false alarms" : name}`,
              estimate: imputed[name]?.mean,
              interval: imputed[name]?.interval,
              n: imputed[name]?.n
            })))
      ]
      return rows.map((row) => ({ judge, replicate, ...row }))
    }
  )
  const cells = breakdown.flatMap(({ auc, by, detection, flags, outside, ownPoint, paired, thin, value }) => {
    const rows: ReadonlyArray<Omit<Row, "judge">> = [
      pairedRow(paired),
      { figure: "wins", count: paired.wins, n: paired.pairs },
      { figure: "ties", count: paired.ties, n: paired.pairs },
      { figure: "losses", count: paired.losses, n: paired.pairs },
      rateRow("detection", detection),
      rateRow("detection at the cell's own point", ownPoint?.detection),
      { figure: "auc", estimate: auc.value, n: auc.flawed + auc.clean },
      ...cellFlagRows(flags)
    ]
    return rows.map((row) => ({ judge, replicate: replicates[0]!.replicate, by, value, ...row, thin, outside }))
  })
  const over = (name: string, { max, mean, min, n, sd }: Spread, interval?: ClusterInterval): ReadonlyArray<Row> => [
    {
      judge,
      figure: `${name}, mean over replicates`,
      estimate: mean,
      interval: interval?.interval,
      intervalNote: interval?.intervalNote,
      n
    },
    { judge, figure: `${name}, least of replicates`, estimate: min, n },
    { judge, figure: `${name}, greatest of replicates`, estimate: max, n },
    { judge, figure: `${name}, standard deviation over replicates`, estimate: sd, n }
  ]
  return [
    ...figures,
    ...cells,
    ...(replicates.length < 2
      ? []
      : [
          ...over("paired", spread.paired, spread.paired),
          ...over("auc", spread.auc, spread.intervals?.auc),
          ...over("mean clean", spread.meanClean, spread.intervals?.meanClean),
          ...over("mean flawed", spread.meanFlawed, spread.intervals?.meanFlawed),
          ...over("detection", spread.detection),
          ...over("false alarms", spread.falseAlarms),
          ...over("gap", spread.gap, spread.intervals?.gap)
        ])
  ]
}

const comparisonRows = (one: ComparisonReport): ReadonlyArray<Row> => {
  const { detection, paired } = one
  const rows: ReadonlyArray<Omit<Row, "judge">> = [
    {
      figure: "paired difference",
      estimate: paired.difference,
      interval: paired.interval,
      intervalNote: paired.intervalNote,
      n: one.pairs,
      thin: one.thin
    },
    { figure: "sign test", count: paired.better, n: paired.better + paired.worse, ...paired.signTest },
    ...paired.replicates.map(({ a, b, difference, pairs }) => ({
      figure: `paired difference of replicate ${a === b ? a : `${a} and ${b}`}`,
      estimate: difference,
      n: pairs
    })),
    {
      figure: "cluster sign flip",
      estimate: paired.signFlip?.statistic,
      n: paired.signFlip?.clusters,
      p: paired.signFlip?.p,
      holm: paired.signFlip?.holm
    },
    {
      figure: "swap permutation",
      estimate: paired.swap?.statistic,
      n: paired.swap?.clusters,
      p: paired.swap?.p,
      holm: paired.swap?.holm
    },
    {
      figure: "detection difference",
      estimate: detection?.difference,
      interval: detection?.interval,
      intervalNote: detection?.intervalNote,
      n: detection?.mcnemar.notes
    },
    {
      figure: "detection swap",
      estimate: detection?.swap?.statistic,
      n: detection?.swap?.clusters,
      p: detection?.swap?.p,
      holm: detection?.swap?.holm
    },
    ...(detection === null
      ? []
      : (["mcnemar", "falseAlarms"] as const).map((name) => ({
          figure: name === "mcnemar" ? "McNemar, flawed notes" : "McNemar, clean notes",
          count: detection[name].onlyA,
          n: detection[name].onlyA + detection[name].onlyB,
          p: detection[name].p,
          holm: detection[name].holm
        }))),
    { figure: "pairs left out, not judged by both", count: one.leftOut.notJudged },
    { figure: "pairs left out, not readable", count: one.leftOut.unparsed }
  ]
  return rows.map((row) => ({ judge: one.a.judge, replicate: one.a.replicate, against: one.b.judge, ...row }))
}

/** Every figure and test in one long table: one figure a row, unrounded, with its n. */
export const scoreCsv = (
  { comparisons, judges }: ScoreReport,
  more: ReadonlyArray<Readonly<Record<string, CsvCell>>> = []
): string => {
  const rows: ReadonlyArray<Row> = [...judges.flatMap(judgeRows), ...comparisons.flatMap(comparisonRows)]
  return csvText([
    columns,
    ...rows.map((row) => [
      row.judge,
      row.replicate,
      row.against,
      row.by,
      row.value,
      row.figure,
      row.estimate,
      row.interval?.[0],
      row.interval?.[1],
      row.count,
      row.n,
      row.p,
      row.holm,
      row.thin,
      row.outside,
      row.intervalNote
    ]),
    ...more.map((row) => columns.map((column) => row[column]))
  ])
}
