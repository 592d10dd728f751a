import { count } from "../domain/count.ts"
import { thinBelow } from "../measure/clusterInterval.ts"
import type { RunState } from "../optimise/RunState.ts"
import { holderWords } from "../store/lockHolder.ts"
import { type Columns, tableOr, wrapLine } from "./fitted.ts"
import {
  approximately,
  duration,
  integer,
  interval,
  percent,
  pValue,
  record,
  share,
  signed,
  spent,
  type Usage
} from "./format.ts"
import { nextSteps, stepsMeanwhile } from "./nextSteps.ts"
import { type MemberSummary, type SummaryExtra, type SummaryFigures, summaryFigures } from "./summaryFigures.ts"
import { usageRemarks, usageRows } from "./usageTable.ts"
import { cell, fit, oneLine, widthOf } from "./width.ts"
import { embeddedLabel, stopWords } from "./words.ts"

const nameWidth = 26

/** The summary with every figure unrounded and its n, for `--json`. */
export const summaryJson = (
  state: RunState,
  extra: SummaryExtra
): SummaryFigures & { readonly next: ReadonlyArray<{ readonly command: string; readonly does: string }> } => {
  const figures = summaryFigures(state, extra)
  const next =
    figures.status === "running"
      ? stepsMeanwhile(extra.runId)
      : nextSteps(state.stopped?.reason, { ...extra, seedWins: state.winner?.candidate.origin === "seed" })
  return { ...figures, next: extra.next ?? next }
}

/**
 * What stays in the scrollback after a run: why it stopped, what came of it, what that is worth, what to do next. On a
 * terminal of `columns` no line is wider, but for a word or a command that is.
 */
export const summary = (state: RunState, extra: SummaryExtra, columns?: Columns): string => {
  const figures = summaryJson(state, extra)
  return `${[
    ...heading(figures),
    "",
    ...discriminationTable(figures, columns),
    ...detectionTable(figures, columns),
    ...comparisonTable(figures, columns),
    ...search(figures, columns),
    ...humanLines(figures),
    ...cautions(figures, extra.confirmed),
    "",
    "Next:",
    ...figures.next.flatMap(({ command, does }) => [`  ${command}`, `    ${does}`])
  ]
    .flatMap((line) => wrapLine(line, columns))
    .join("\n")}\n`
}

const heading = (figures: SummaryFigures): ReadonlyArray<string> => [
  `Run ${oneLine(figures.run)} of campaign ${oneLine(figures.campaign)}`,
  ...(figures.label === null ? [] : [`[${embeddedLabel}]`]),
  standing(figures),
  `Judge ${figures.models.judge}; reflection ${figures.models.reflection}`
]

/** Whether it runs, has ended and why, or was cut off. */
const standing = ({ host, process, since, status, stopped }: SummaryFigures): string => {
  if (status === "running") {
    const holder = process === null ? null : { pid: process, host: host ?? "", since: since ?? "" }
    return `Running now: ${oneLine(holderWords(holder))}. The figures are those so far.`
  }
  if (stopped !== null)
    return `${stopped.finished ? "Finished" : "Stopped"}: ${stopWords[stopped.reason]}. ${sentence(oneLine(stopped.detail))}`
  return status === "never-begun"
    ? "Never begun: it was refused or ended before its first call."
    : "Interrupted: it has not ended, and no process is running it."
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`

const fromOf = (member: MemberSummary): string =>
  member.from === "seed" ? " (seed)" : ` (from ${member.from}, iteration ${member.iteration})`

const wholeLabel = (member: MemberSummary): string =>
  `${member.winner ? "★ " : "  "}${fit(oneLine(member.name), 60)}${fromOf(member)}`

const label = (member: MemberSummary): string => {
  const from = fromOf(member)
  const mark = member.winner ? "★ " : "  "
  const name = oneLine(member.name)
  return cell(mark + (widthOf(name) + from.length + 2 <= nameWidth ? name + from : name), nameWidth)
}

const discriminationTable = (figures: SummaryFigures, columns: Columns): ReadonlyArray<string> => {
  const { acceptance, members, primary } = figures
  if (members.length === 0) return ["No candidate has been evaluated."]
  const other = primary === "paired-discrimination" ? undefined : primary
  const valueOf = ({ discrimination }: MemberSummary) =>
    `${share(discrimination.value)} ${interval(discrimination.interval)}`
  const aligned = [
    `${cell("", nameWidth)}  pairs  wins/ties/losses  paired discrimination${other === undefined ? "" : `  ${other}`}`,
    ...members.map((member) => {
      const { discrimination, primary } = member
      return [
        label(member),
        cell(String(discrimination.pairs), 5, "right"),
        cell(record(discrimination), 16, "right"),
        valueOf(member),
        ...(other === undefined ? [] : [`  ${share(primary)}`])
      ].join("  ")
    })
  ]
  const entries = members.map((member) => ({
    label: wholeLabel(member),
    figures: [
      ["paired discrimination", valueOf(member)],
      ["pairs", String(member.discrimination.pairs)],
      ["wins/ties/losses", record(member.discrimination)],
      ...(other === undefined ? [] : [[other, share(member.primary)] as const])
    ] as const
  }))
  return [
    `Acceptance part: ${count(acceptance.notes, "note")}, ${count(acceptance.pairs, "pair")}, ${count(acceptance.consultations, "consultation")}. ★ is the winner.`,
    "",
    ...tableOr(aligned, entries, columns)
  ]
}

const rate = (k: number, n: number, bounds: readonly [number, number] | null): string =>
  n === 0 ? "–" : `${k}/${n} ${percent(k / n)} ${interval(bounds)}`

const detectionTable = ({ members }: SummaryFigures, columns: Columns): ReadonlyArray<string> => {
  const cap = members.find(({ detection }) => detection !== null)?.detection?.cap
  if (cap === undefined) return []
  const headings = ["detection", `false alarms (≤ ${percent(cap)})`] as const
  const ratesOf = ({ detection }: MemberSummary): readonly [string, string] =>
    detection === null
      ? ["–", "–"]
      : [
          rate(detection.detected, detection.flawed, detection.detectedInterval),
          rate(detection.falseAlarms, detection.clean, detection.falseAlarmInterval)
        ]
  const aligned = [
    `${cell("", nameWidth)}  ${headings.map((one) => cell(one, 24)).join("  ")}  length`,
    ...members.map((member) =>
      [label(member), ...ratesOf(member).map((one) => cell(one, 24)), cell(integer(member.length), 6, "right")].join(
        "  "
      )
    )
  ]
  const entries = members.map((member) => ({
    label: wholeLabel(member),
    figures: [
      ...ratesOf(member).map((one, at) => [headings[at]!, one] as const),
      ["length", integer(member.length)] as const
    ]
  }))
  return ["", ...tableOr(aligned, entries, columns)]
}

const comparisonTable = ({ comparisons, members }: SummaryFigures, columns: Columns): ReadonlyArray<string> => {
  const winner = members.find(({ winner }) => winner)
  if (winner === undefined) return []
  if (comparisons.length === 0) return ["", `The winner ${oneLine(winner.name)} is the only seed.`]
  return [
    "",
    `${winner.from === "seed" ? "No proposal beats the best seed. " : ""}${fit(oneLine(winner.name), 40)} against each ${winner.from === "seed" ? "other " : ""}seed, on the same pairs:`,
    ...tableOr(
      comparisons.map((one) => `${cell(`  ${oneLine(one.seed)}`, nameWidth)}  ${comparisonCells(one).join("  ")}`),
      comparisons.map((one) => ({
        label: `  ${fit(oneLine(one.seed), 60)}`,
        figures: [["gain", comparisonCells(one).join("; ").replace(/ +;/g, ";")]]
      })),
      columns
    )
  ]
}

const comparisonCells = (one: SummaryFigures["comparisons"][number]): ReadonlyArray<string> =>
  one.difference === null
    ? ["no pair that both could rank"]
    : [
        cell(`${signed(one.difference)} ${signedInterval(one.interval)}`, 21),
        `n ${one.n}`,
        `${one.better} better, ${one.worse} worse`,
        `sign test ${pValue(one.p)}`
      ]

const signedInterval = (bounds: readonly [number, number] | null): string =>
  bounds === null ? "[–]" : `[${signed(bounds[0], 2)}, ${signed(bounds[1], 2)}]`

const search = (figures: SummaryFigures, columns: Columns): ReadonlyArray<string> => {
  const { held, iterations, merges, raced, usage } = figures
  const reasons = Object.entries(figures.rejections)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${reason} ${count}`)
  return [
    "",
    `Iterations ${iterations.done}${iterations.asked === null ? "" : ` of ${iterations.asked}`}: ${figures.accepted} accepted, ${figures.rejected} rejected${reasons.length === 0 ? "" : ` (${reasons.join(", ")})`}. Pool: ${count(figures.candidates, "candidate")}.`,
    ...(merges.drawn === 0 ? [] : [`Merges: ${merges.drawn} tried, ${merges.accepted} accepted.`]),
    ...(raced === 0
      ? []
      : [
          `Cut short by racing: ${raced} accepted ${raced === 1 ? "candidate" : "candidates"}, not in the pool and not among the figures above.`
        ]),
    ...hypervolumeLine(figures),
    `Acceptance evaluations of all candidates: notes without a readable reply ${figures.unparsed}, with failed calls ${figures.failed}.`,
    judgementsLine(figures),
    ...(held === null || held === undefined || held.times === 0
      ? []
      : [
          `Held ${held.times === 1 ? "once" : `${held.times} times`} because a model answered nothing; paused for ${duration(held.seconds)} in all, which no budget counts.`
        ]),
    ...(usage === null ? [] : boughtLines(usage, columns))
  ]
}

const judgementsLine = ({ judgements, sitting }: SummaryFigures): string => {
  const { failed, scored, unparsed } = judgements
  const all = scored + unparsed + failed
  const here = sitting === null ? all : sitting.scored + sitting.unparsed + sitting.failed
  return `Judgements: ${integer(scored)} scored, ${integer(unparsed)} unreadable, ${integer(failed)} failed${here === all ? "" : `; ${integer(here)} of them in this sitting`}.`
}

const hypervolumeLine = ({ hypervolume }: SummaryFigures): ReadonlyArray<string> => {
  if (hypervolume === null) return []
  const { clean, commissions, now, omissions, seeds } = hypervolume
  return [
    `Hypervolume of the pool, from 0 to 1: ${share(seeds)} with the seeds, ${share(now)} now (${[...(omissions === 0 ? [] : [`paired discrimination on ${count(omissions, "omission")}`]), ...(commissions === 0 ? [] : [`paired discrimination on ${count(commissions, "commission")}`]), `1 − false alarms on ${count(clean, "clean note")}`].join(", ")}). It tells how far the search has come, and is no measure of one judge.`
  ]
}

/** What people did to the run, and where it was branched from. */
const humanLines = ({ branch, human }: SummaryFigures): ReadonlyArray<string> => [
  ...(branch === null
    ? []
    : [
        "",
        oneLine(
          `Branched from run ${branch.run}, ${branch.candidates.join(", ")}, by ${branch.author}: ${branch.reason}`
        )
      ]),
  ...(human.length === 0
    ? []
    : ["", "What people did:", ...human.map(({ did, iteration }) => `  after iteration ${iteration}: ${oneLine(did)}`)])
]

/** All that was bought in one line, then by role, then what went wrong. */
const boughtLines = (usage: Usage, columns: Columns): ReadonlyArray<string> => {
  const { answered, calls, estimated, failed = 0, roles = [], tokens, unreached = 0 } = usage
  const sent =
    answered === undefined || (answered === calls && failed === 0)
      ? count(calls, "call", "calls", integer)
      : `${count(answered, "call", "calls", integer)} answered of ${integer(calls)} sent`
  const lost = unreached === 0 ? "" : `; ${count(unreached, "attempt", "attempts", integer)} found no server`
  const rows = roles.length === 0 ? [] : usageRows(roles)
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at]!))))
  const [headings = [], ...figures] = rows
  const aligned = rows.map((row) =>
    `  ${row.map((text, at) => cell(text, widths[at]!, at === 0 || at === row.length - 1 ? "left" : "right")).join("  ")}`.trimEnd()
  )
  return [
    `Bought: ${sent}, ${approximately((estimated?.calls ?? 0) > 0, count(tokens, "token", "tokens", integer))}, cost ${spent(usage)}, in ${duration(usage.seconds)}${lost}.`,
    ...tableOr(
      aligned,
      figures.map(([role = "", ...values]) => ({
        label: `  ${role}`,
        figures: values.map((value, at) => [headings[at + 1]!, value] as const)
      })),
      columns
    ),
    ...usageRemarks(roles)
  ]
}

/** Why comparisons have no interval where the acceptance part would have allowed for one. */
const missingIntervals = ({ comparisons }: SummaryFigures): ReadonlyArray<string> => {
  const without = comparisons.filter(({ interval, n }) => n > 0 && interval === null)
  const few = without.some(({ consultations }) => consultations < thinBelow.consultations)
  const alike = without.some(({ consultations }) => consultations >= thinBelow.consultations)
  return [
    ...(few ? ["[–]: fewer than ten consultations have pairs that both could rank, too few for an interval."] : []),
    ...(alike ? ["[–]: every consultation says the same, so resampling them shows no spread."] : [])
  ]
}

const cautions = (figures: SummaryFigures, confirmed = false): ReadonlyArray<string> => [
  "",
  "Intervals are 95 %: bootstrap of consultations for discrimination and differences, Wilson for rates.",
  "The sign test takes pairs as independent.",
  "The acceptance numbers picked the winner, so they are optimistic about it:",
  confirmed
    ? "what counts as evidence is the run's confirmation on its holdout."
    : "only a confirmation on the sealed holdout counts as evidence.",
  ...(figures.acceptance.consultations < thinBelow.consultations
    ? ["[–]: fewer than ten consultations are too few for an interval."]
    : missingIntervals(figures)),
  ...(figures.label === null ? [] : [`Models: ${embeddedLabel}.`])
]
