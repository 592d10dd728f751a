import type { AnswerFigure } from "../measure/answerFigures.ts"
import type { GateChange } from "../measure/consensusGate.ts"
import type { AnswersReport } from "./answersReport.ts"
import { csvText } from "./csvText.ts"
import {
  bounds,
  fixed,
  interval,
  intervalRemarks,
  none,
  plural,
  pText,
  type Section,
  signed,
  withBounds
} from "./scoreFormat.ts"

const cell = (one: AnswerFigure): string => (one.value === null ? none : `${withBounds(one.value, one)} of ${one.n}`)

/** In the order in which tables and CSV show them. */
const kinds = [
  ["falseAnswerRate", "false answers (FAR)"],
  ["overAbstentionRate", "over-abstention (OAR)"],
  ["answerableF1", "answerable F1"],
  ["extractionF1", "extraction F1"],
  ["f1", "F1, all"],
  ["em", "exact match, all"],
  ["answerableEm", "answerable exact match"]
] as const

export const answersHead = ({ counts, settings, source, systems }: AnswersReport): ReadonlyArray<string> => [
  `${source}: ${plural(systems.length, "system")}, ${plural(counts.questions, "question")}, ${counts.answerable} of them answerable, in ${plural(counts.groups, "group")} of texts`,
  `intervals: 95 %, by a bootstrap of groups (${settings.resamples.toLocaleString("en-GB")} resamples, seed ${settings.seed})`
]

const figuresSection = ({ systems }: AnswersReport): Section => {
  const sure = systems.some(({ figures }) => figures.confidenceAuc !== null)
  const rows = [
    ["", ...systems.map(({ system }) => system)],
    ["questions", ...systems.map(({ figures }) => figures.questions)],
    ...kinds.map(([kind, heading]) => [heading, ...systems.map(({ figures }) => cell(figures[kind]))]),
    ...(sure
      ? [["AUC of confidence", ...systems.map(({ figures }) => fixed(figures.confidenceAuc?.value ?? null))]]
      : [])
  ]
  return {
    title: "Answerability",
    rows,
    remarks: [
      "FAR: share of unanswerable questions that were answered; OAR: share of answerable questions that were declined; both are better when lower",
      "answerable F1: over answerable questions, a declined one counting 0; extraction F1: over those that were answered; SQuAD 2.0's token F1",
      ...(sure ? ["AUC of confidence: answerable questions above unanswerable ones; chance 0.5"] : []),
      ...intervalRemarks(rows, "group")
    ]
  }
}

const comparisonSection = (one: AnswersReport["comparisons"][number], family: number): Section => {
  const { change, intervals, selectivity, test } = one
  const title = `${one.a} against ${one.b}`
  if (change === null) return { title, rows: [], remarks: ["share no questions, so there is nothing to compare"] }
  const term = (value: number, own: Parameters<typeof bounds>[0]) => `${signed(value)} ${bounds(own)}`
  const rows = [
    ["", ""],
    ["F1", `${fixed(change.f1B)} − ${fixed(change.f1A)} = ${term(change.delta, intervals.delta)}`],
    ["of which extraction", term(change.extraction, intervals.extraction)],
    ["answerability shift", term(change.answerabilityShift, intervals.answerabilityShift)],
    ["  answerable", signed(change.shiftAnswerable)],
    ["  unanswerable", signed(change.shiftUnanswerable)],
    ...(test === null
      ? []
      : [
          [
            "swap permutation",
            `p ${pText(test.p)}, Holm ${pText(test.holm)} (${family}), ${test.exact ? "exact" : "drawn"}`
          ]
        ]),
    [
      "newly declined",
      `${selectivity.newlyDeclined}, F1 before ${fixed(selectivity.declinedPrior)}; still answered ${selectivity.stillAnswered}, ${fixed(selectivity.answeredPrior)}`
    ],
    ["selectivity", selectivity.difference === null ? none : term(selectivity.difference, selectivity.interval)],
    ["good answers lost", selectivity.withdrawnGood === null ? none : fixed(selectivity.withdrawnGood)]
  ]
  return {
    title,
    rows,
    remarks: [
      `on ${plural(one.questions, "question")} of ${plural(one.groups, "group")} that both have an answer to; extraction: answerable questions that both answered; the shift: all others`,
      "selectivity: earlier F1 of the answerable questions newly declined, less that of those still answered; below 0 when weak answers went; good answers lost: share of them with an earlier F1 of at least 0.5",
      ...intervalRemarks(rows, "group")
    ]
  }
}

const gateSection = (one: AnswersReport["gates"][number]): Section => {
  const title = `Consensus gate${one.condition === "" ? "" : `, ${one.condition}`}`
  if (one.gate === null) return { title, rows: [], remarks: ["needs two groups of texts at least"] }
  const { chosen, falseAnswerRate, f1, overAbstentionRate, splits } = one.gate
  const change = (value: GateChange | null) =>
    value === null ? none : `${signed(value.mean)} ${interval(value.range)}`
  return {
    title,
    rows: [
      ["change", "mean [2.5 to 97.5 % of the splits]"],
      ["F1", change(f1)],
      ["false answers (FAR)", change(falseAnswerRate)],
      ["over-abstention (OAR)", change(overAbstentionRate)]
    ],
    remarks: [
      `an answer is kept when so many of the other ${one.models.length - 1} models answer too; how many is chosen on one half of the groups and measured on the other, ${splits} times; ${plural(one.questions, "question")} in ${plural(one.groups, "group")} that all ${one.models.length} models have`,
      `chosen: ${chosen.map((times, threshold) => `${threshold} of the others ${times} times`).join(", ")}`
    ]
  }
}

/** The whole result in sections, rounded. */
export const answersSections = (report: AnswersReport): ReadonlyArray<Section> => [
  figuresSection(report),
  ...report.comparisons.map((one) =>
    comparisonSection(one, report.comparisons.filter(({ test }) => test !== null).length)
  ),
  ...report.gates.map(gateSection)
]

const columns = ["system", "against", "figure", "estimate", "low", "high", "n", "groups", "p", "holm", "interval note"]

/** Every figure and test, one a row, unrounded. */
export const answersCsv = ({ comparisons, gates, systems }: AnswersReport): string =>
  csvText([
    columns,
    ...systems.flatMap(({ figures, system }) => [
      ...kinds.map(([kind, heading]) => {
        const { groups, interval: own, intervalNote, n, value } = figures[kind]
        return [system, "", heading, value, own?.[0], own?.[1], n, groups, null, null, intervalNote]
      }),
      ...(figures.confidenceAuc === null
        ? []
        : [
            [
              system,
              "",
              "AUC of confidence",
              figures.confidenceAuc.value,
              null,
              null,
              figures.confidenceAuc.answerable + figures.confidenceAuc.unanswerable
            ]
          ])
    ]),
    ...comparisons.flatMap(({ a, b, change, groups, intervals, questions, selectivity, test }) => {
      const row = (
        figure: string,
        value: number | null | undefined,
        own?: (typeof intervals)["delta"],
        tested?: typeof test
      ) => [
        a,
        b,
        figure,
        value,
        own?.interval?.[0],
        own?.interval?.[1],
        questions,
        groups,
        tested?.p,
        tested?.holm,
        own?.intervalNote
      ]
      return [
        row("F1 difference", change?.delta, intervals.delta, test),
        row("F1 difference, extraction", change?.extraction, intervals.extraction),
        row("F1 difference, answerability shift", change?.answerabilityShift, intervals.answerabilityShift),
        row("F1 difference, shift of answerable", change?.shiftAnswerable),
        row("F1 difference, shift of unanswerable", change?.shiftUnanswerable),
        row("selectivity", selectivity.difference, selectivity.interval),
        row("good answers lost", selectivity.withdrawnGood)
      ]
    }),
    ...gates.flatMap(({ condition, gate, groups, questions }) =>
      gate === null
        ? []
        : (["f1", "falseAnswerRate", "overAbstentionRate"] as const).map((name) => [
            `consensus gate${condition === "" ? "" : ` / ${condition}`}`,
            "",
            `change of ${name}`,
            gate[name]?.mean,
            gate[name]?.range[0],
            gate[name]?.range[1],
            questions,
            groups,
            null,
            null,
            "splits"
          ])
    )
  ])
