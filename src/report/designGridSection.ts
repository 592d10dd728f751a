import type { GridRow, PerNote } from "../measure/designGrid.ts"
import type { Rate } from "../measure/operatingFigure.ts"
import type { PairedFigure } from "../measure/pairedFigure.ts"
import type { CsvCell } from "./csvText.ts"
import { rescuesRemark, rescuesText } from "./rescuesText.ts"
import {
  intervalRemarks,
  none,
  percent,
  plural,
  rate,
  rateWithBounds,
  type Section,
  withBounds
} from "./scoreFormat.ts"

const paired = (figure: PairedFigure | null): string =>
  figure === null ? none : `${withBounds(figure.value, figure)} of ${figure.pairs}`

const perNote = (figure: PerNote | null, digits: number): string =>
  figure === null ? "unknown" : withBounds(figure.mean, figure, digits)

const ownRate = (one: Rate | undefined): string => (one === undefined ? none : `${rateWithBounds(one)} of ${one.n}`)

/** The comparison of designs: each against the classes of error, with what it takes. */
export const designGridSection = (grid: ReadonlyArray<GridRow>, cap: number): Section => {
  const looked = grid.some(({ rescues }) => rescues !== null)
  const rows = [
    [
      "design",
      "omissions [95 %]",
      "commissions [95 %]",
      grid.some(({ operating }) => operating?.fitted === false)
        ? "detection at the threshold given [95 %]"
        : `detection at ${percent(cap)} [95 %]`,
      "false alarms",
      "own flag [95 %]",
      "its false alarms [95 %]",
      "unread",
      ...(looked ? ["rescues refused [95 %]"] : []),
      "calls a note [95 %]",
      "$ a note [95 %]"
    ],
    ...grid.map(({ calls, commissions, judge, omissions, operating, own, rescues, unparsed, usd }) => [
      judge,
      paired(omissions),
      paired(commissions),
      operating === null ? none : `${rateWithBounds(operating.detection)} of ${operating.detection.n}`,
      rate(operating?.falseAlarms),
      ownRate(own?.detection),
      ownRate(own?.falseAlarms),
      unparsed,
      ...(looked ? [rescuesText(rescues)] : []),
      perNote(calls, 2),
      perNote(usd, 5)
    ])
  ]
  const [first] = grid
  return {
    title: "Designs",
    rows,
    remarks: [
      "omissions, commissions: paired discrimination, and of how many pairs; chance 0.5",
      "own flag: flawed notes that the design's own rule flags (a critical fact absent; a majority of YES), and clean ones; unread: notes without a score, which count as not flagged",
      ...(looked ? [rescuesRemark] : []),
      ...(first === undefined
        ? []
        : [
            `calls, $: answers that the judgements rest on over ${plural(first.calls.notes, "note")} of ${plural(first.calls.consultations, "consultation")}, at what they cost when they were bought; one that the notes of a consultation share counts once`
          ]),
      ...(grid.some(({ usd }) => usd === null) ? ["unknown: a model's price is not known"] : []),
      ...intervalRemarks(rows)
    ]
  }
}

/** The same as rows of the table of figures: judge, figure, estimate, low, high, count, n, note. */
export const designGridRows = (grid: ReadonlyArray<GridRow>): ReadonlyArray<Readonly<Record<string, CsvCell>>> =>
  grid.flatMap(({ calls, judge, own, rescues, usd }) => [
    ...(rescues === null
      ? []
      : [
          {
            judge,
            figure: "rescues refused",
            estimate: rescues.share,
            low: rescues.interval?.[0],
            high: rescues.interval?.[1],
            count: rescues.refused,
            n: rescues.tried,
            "interval note": rescues.intervalNote
          }
        ]),
    ...(own === null
      ? []
      : (["detection", "falseAlarms"] as const).map((name) => ({
          judge,
          figure: name === "detection" ? "own flag, flawed notes" : "own flag, clean notes",
          estimate: own[name].rate,
          low: own[name].interval?.[0],
          high: own[name].interval?.[1],
          count: own[name].count,
          n: own[name].n
        }))),
    ...(
      [
        ["calls a note", calls],
        ["usd a note", usd]
      ] as const
    ).map(([figure, one]) => ({
      judge,
      figure,
      estimate: one?.mean,
      low: one?.interval?.[0],
      high: one?.interval?.[1],
      n: one?.notes,
      "interval note": one === null ? "price unknown" : one.intervalNote
    }))
  ])
