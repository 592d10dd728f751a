import { isExploratory } from "../../confirm/seenBefore.ts"
import type { ClusterInterval } from "../../measure/clusterInterval.ts"
import { duration, integer, interval, pValue, record, share, signed, spent, type Usage } from "../../terminal/format.ts"
import type { SummaryFigures } from "../../terminal/summaryFigures.ts"
import { stopWords } from "../../terminal/words.ts"
import { confirmationRow, type KnownConfirmation } from "../confirmationsTable.ts"
import { pText } from "../scoreFormat.ts"
import { foreign, type Html, html, nothing, table } from "./markup.ts"

const rate = (k: number, n: number): string => (n === 0 ? "–" : `${k}/${n} = ${((100 * k) / n).toFixed(1)} %`)

const measureWords: Readonly<Record<string, string>> = {
  "paired-discrimination": "paired discrimination",
  auc: "AUC",
  detection: "detection"
}
export const measureName = (measure: string): string => measureWords[measure] ?? measure

interface Tile {
  readonly title: string
  readonly value: string
  readonly lines: ReadonlyArray<string>
}

const tile = ({ lines, title, value }: Tile): Html =>
  html`<div class="tile"><dt>${title}</dt><dd><b>${foreign(value)}</b>${lines.map((line) => html`<span>${foreign(line)}</span>`)}</dd></div>`

const winnerTile = (figures: SummaryFigures): ReadonlyArray<Tile> => {
  const winner = figures.members.find((member) => member.winner)
  if (winner === undefined) return []
  const { discrimination } = winner
  const other =
    figures.primary === "paired-discrimination" ? [] : [`paired discrimination ${share(discrimination.value)}`]
  return [
    {
      title: `Winner’s ${measureName(figures.primary)}`,
      value: share(winner.primary),
      lines: [
        ...other,
        `95 % ${interval(discrimination.interval)}${other.length === 0 ? "" : " of the latter"}`,
        `n = ${discrimination.pairs} pairs: ${record(discrimination)} won, tied, lost`,
        "flattered: these notes chose it"
      ]
    }
  ]
}

const gainTile = (figures: SummaryFigures, baseline: string | undefined): ReadonlyArray<Tile> => {
  const one = figures.comparisons.find(({ seedId }) => seedId === baseline)
  if (one === undefined || one.difference === null) return []
  return [
    {
      title: `Gain over ${one.seed}, acceptance`,
      value: signed(one.difference),
      lines: [
        `95 % ${one.interval === null ? "[–]" : `[${signed(one.interval[0], 2)}, ${signed(one.interval[1], 2)}]`}`,
        `n = ${one.n} pairs: ${one.better} better, ${one.worse} worse`,
        `sign test ${pValue(one.p)}`
      ]
    }
  ]
}

const detectionTile = (figures: SummaryFigures): ReadonlyArray<Tile> => {
  const detection = figures.members.find((member) => member.winner)?.detection
  if (detection === null || detection === undefined) return []
  return [
    {
      title: `Detection at ≤ ${Math.round(detection.cap * 100)} % false alarms`,
      value: rate(detection.detected, detection.flawed),
      lines: [
        `95 % ${interval(detection.detectedInterval)}`,
        `false alarms ${rate(detection.falseAlarms, detection.clean)}, 95 % ${interval(detection.falseAlarmInterval)}`
      ]
    }
  ]
}

/** An interval of a difference, or why there is none. */
const differenceBounds = ({ interval, intervalNote }: ClusterInterval): string =>
  interval !== null
    ? `95 % [${signed(interval[0], 2)}, ${signed(interval[1], 2)}]`
    : intervalNote === "few-consultations"
      ? "no interval: fewer than 10 consultations"
      : intervalNote === "all-alike"
        ? "no interval: every consultation says the same"
        : "no interval"

const holdoutTile = (confirmations: ReadonlyArray<KnownConfirmation>): Tile => {
  const [newest] = confirmations
  if (newest === undefined)
    return { title: "Holdout", value: "sealed", lines: ["not confirmed: nothing here is evidence yet"] }
  const { against, decision, measured, status } = confirmationRow(newest)
  return {
    title: `Gain over ${against}, holdout`,
    value: measured.difference === null ? "–" : signed(measured.difference),
    lines: [
      `${differenceBounds(measured)}${measured.p === null ? "" : `, p ${measured.p < 0.0001 ? "" : "= "}${pText(measured.p)}`}`,
      `n = ${measured.n} of ${measured.consultations} consultations`,
      `${decision}; ${status}`
    ]
  }
}

const searchTile = (figures: SummaryFigures): Tile => ({
  title: "Search",
  value: `${figures.iterations.done} iterations`,
  lines: [
    `${figures.accepted} proposals accepted, ${figures.rejected} rejected; ${figures.candidates} in the pool`,
    figures.stopped === null ? "has not ended" : `${stopWords[figures.stopped.reason]}`
  ]
})

const costTile = (usage: Usage): Tile => ({
  title: "Cost",
  value: spent(usage).replace(/, .*$/, ""),
  lines: [
    ...(usage.unpriced > 0 ? [`${integer(usage.unpriced)} calls of unknown price`] : []),
    `${integer(usage.calls)} calls, ${integer(usage.tokens)} tokens`,
    `${duration(usage.seconds)} at work`
  ]
})

interface Verdict {
  readonly tone: "good" | "bad" | "open"
  readonly sign: string
  readonly head: string
  readonly sentences: ReadonlyArray<string>
}

const searchSentence = (figures: SummaryFigures, baseline: string | undefined): string => {
  const winner = figures.members.find((member) => member.winner)
  if (winner === undefined) return "No candidate has been evaluated."
  if (winner.from === "seed") return `No proposal did better than the seed ${winner.name} on the acceptance part.`
  const one = figures.comparisons.find(({ seedId }) => seedId === baseline)
  if (one === undefined || one.difference === null)
    return `The search ended with ${winner.name}; there is no seed with pairs to hold it against.`
  return `On the acceptance part ${winner.name} orders ${one.better} pairs better than the best seed ${one.seed}, and ${one.worse} worse (n = ${one.n}, sign test ${pValue(one.p)}).`
}

const verdictOf = (
  figures: SummaryFigures,
  confirmations: ReadonlyArray<KnownConfirmation>,
  baseline: string | undefined
): Verdict => {
  const [newest] = confirmations
  if (newest === undefined) {
    return {
      tone: "open",
      sign: "○",
      head: "Not on trial yet",
      sentences: [
        searchSentence(figures, baseline),
        "Those notes picked the winner, so they flatter it. Only a confirmation on the sealed holdout can say whether the gain is real: assize confirm."
      ]
    }
  }
  const { openings, readOut } = newest
  const seen = isExploratory(readOut, 1)
  const exploratory = openings === null || isExploratory(readOut, openings)
  const passed = readOut.decision === "passed"
  const standIn = readOut.model.embedded
  return {
    tone: passed && !exploratory && !standIn ? "good" : passed ? "open" : "bad",
    sign: passed ? "✓" : "✗",
    head: `${passed ? "The gate was passed" : "The gate was not passed"}${exploratory ? (seen ? "; exploratory, since notes of the holdout were no news when it was opened" : openings === null ? "; whether the holdout was opened once only is not known" : "; exploratory, since the holdout was opened more than once") : " on the holdout, which was opened once"}`,
    sentences: [
      ...readOut.verdict,
      ...(standIn ? ["It was judged by the stand-in, so none of this says anything about a real model."] : [])
    ]
  }
}

const verdictCard = ({ head, sentences, sign, tone }: Verdict): Html =>
  html`<div class="verdict ${tone}"><p class="head"><span aria-hidden="true">${sign}</span> ${foreign(head)}</p>${sentences.map((one) => html`<p>${foreign(one)}</p>`)}</div>`

const membersTable = (figures: SummaryFigures): Html =>
  figures.members.length === 0
    ? nothing
    : table(
        [
          [
            "",
            "from",
            "pairs",
            "won/tied/lost",
            "paired discrimination 95 %",
            ...(figures.primary === "paired-discrimination" ? [] : [measureName(figures.primary)]),
            "detected 95 %",
            "false alarms 95 %",
            "characters"
          ],
          ...figures.members.map((member) => [
            `${member.winner ? "★ " : ""}${member.name}`,
            member.from === "seed" ? "seed" : `${member.from}, iteration ${member.iteration}`,
            member.discrimination.pairs,
            record(member.discrimination),
            `${share(member.discrimination.value)} ${interval(member.discrimination.interval)}`,
            ...(figures.primary === "paired-discrimination" ? [] : [share(member.primary)]),
            ...(member.detection === null
              ? ["–", "–"]
              : [
                  `${rate(member.detection.detected, member.detection.flawed)} ${interval(member.detection.detectedInterval)}`,
                  `${rate(member.detection.falseAlarms, member.detection.clean)} ${interval(member.detection.falseAlarmInterval)}`
                ]),
            integer(member.length)
          ])
        ],
        {
          caption: "Seeds and winner on the acceptance part",
          marked: new Set([figures.members.findIndex(({ winner }) => winner)])
        }
      )

const comparisons = (figures: SummaryFigures): Html => {
  const winner = figures.members.find((member) => member.winner)
  if (winner === undefined || figures.comparisons.length === 0) return nothing
  return table(
    [
      [`${winner.name} against`, "difference", "95 %", "pairs", "better", "worse", "alike", "sign test p"],
      ...figures.comparisons.map((one) => [
        one.seed,
        one.difference === null ? "–" : signed(one.difference),
        one.interval === null ? "[–]" : `[${signed(one.interval[0], 3)}, ${signed(one.interval[1], 3)}]`,
        one.n,
        one.better,
        one.worse,
        one.same,
        pValue(one.p).slice(2).replace("= ", "")
      ])
    ],
    { caption: "The winner against each seed, on the same pairs" }
  )
}

/** The first screen: what came of the run, and what that is worth. */
export const summaryPart = (
  figures: SummaryFigures,
  usage: Usage,
  confirmations: ReadonlyArray<KnownConfirmation>,
  baseline: string | undefined
): Html => {
  const tiles = [
    ...winnerTile(figures),
    ...gainTile(figures, baseline),
    holdoutTile(confirmations),
    ...detectionTile(figures),
    searchTile(figures),
    costTile(usage)
  ]
  const { acceptance } = figures
  return html`${verdictCard(verdictOf(figures, confirmations, baseline))}<dl class="tiles">${tiles.map(tile)}</dl>
<p class="note">Acceptance part: ${acceptance.notes} notes, ${acceptance.pairs} pairs, ${acceptance.consultations} consultations. Intervals are 95 %: a bootstrap of consultations for discrimination and differences, Wilson’s for rates. The sign test takes pairs for independent.</p>
${membersTable(figures)}${comparisons(figures)}`
}
