import { count } from "../../domain/count.ts"
import { firstThatFits } from "../fitted.ts"
import { share } from "../format.ts"
import { type HeatMap, type HeatRow, heatMarks, unansweredMark, unreadableMark } from "../heatMap.ts"
import { type Line, type Span, span, type Tone } from "../line.ts"
import type { RunView } from "../RunView.ts"
import { whereOf, windowOf } from "../scrolling.ts"
import type { Ui } from "../ui.ts"
import { cell, fit, widthOf } from "../width.ts"
import type { PaneFrame } from "./PaneFrame.ts"

/** What is to be found at a glance, and no more: Ink composes each change of colour anew with every drawing. */
const tones: Readonly<Record<string, Tone>> = {
  ".": "bad",
  [unreadableMark]: "inverse",
  [unansweredMark]: "inverse"
}

/** Marks with their tones, as few pieces as will do. */
const toned = (marks: string): ReadonlyArray<Span> =>
  [...marks.matchAll(/[#+\- ]+|(.)\1*/g)].map(([run]) => span(run, tones[run[0]!]))

/** Names of consultations over their first columns, as many as have room. */
const axis = (map: HeatMap, first: number, width: number): string => {
  let text = ""
  for (const { label, start } of map.groups) {
    const column = start - first
    if (column < 0) continue
    if (column >= width) break
    // A name that would run into the one before is left out, not the other way about.
    if (column > 0 && column <= widthOf(text)) continue
    const next = map.groups.find((group) => group.start > start)
    const most = Math.max((next?.start ?? map.width) - start - 1, 8)
    text = text.padEnd(text.length + column - widthOf(text)) + fit(label, Math.min(most, width - column))
  }
  return text
}

const legend: Line = [
  span("reward ", "dim"),
  ...heatMarks.flatMap(({ mark, means }) => [span(mark, tones[mark]), span(` ${means}  `, "dim")]),
  span(unreadableMark, "inverse"),
  span(" unread  ", "dim"),
  span(unansweredMark, "inverse"),
  span(" failed", "dim")
]

/** Where the chosen candidate, or else the best, does worst. */
const worst = (view: RunView, { id, name }: HeatRow, width: number): Line => {
  const parts: Array<string> = []
  let used = 0
  const head = `${fit(name, 16)} is weakest on `
  for (const { consultation, n, reward } of view.weaknesses(id).slice(0, 20)) {
    const part = `${fit(consultation, 16)} ${share(reward)} (n ${n})`
    used += widthOf(part) + 2
    if (used > width - widthOf(head)) break
    parts.push(part)
  }
  return parts.length === 0 ? [] : [span(head, "dim"), span(parts.join(", "))]
}

/** Rewards of every note, candidate by candidate: who is good where. */
export const heatPane = (view: RunView, ui: Ui, width: number, room: number): PaneFrame => {
  const map = view.heat()
  if (map === undefined || map.rows.length === 0)
    return {
      lines: [[span("Heat map", "bold")], [span("  the seeds are being judged", "dim")]],
      scrolling: { max: 0, page: 1 }
    }
  const forName = width < 99 ? 14 : 26
  const forMarks = Math.max(1, width - forName - 9)
  // Title, axis, the best of all, what is weakest, and the legend.
  const page = Math.max(1, room - 5)
  const chosen = map.rows.findIndex(({ id }) => id === ui.chosen)
  const seen = windowOf(map.rows.length, page, ui.scroll.heat, chosen)
  const maxAcross = Math.max(0, map.width - forMarks)
  const first = Math.min(maxAcross, ui.across)
  const cut = (marks: string) => marks.slice(first, first + forMarks)
  const title = `Heat map${whereOf(seen, map.rows.length)}`
  const columns =
    maxAcross === 0 ? "" : `, columns ${first + 1}–${Math.min(map.width, first + forMarks)} of ${map.width}`
  const about = firstThatFits(width - title.length - columns.length - 2, [
    `${map.instances} pairs and clean notes in ${count(map.groups.length, "consultation")}`,
    `${count(map.instances, "instance")}, ${count(map.groups.length, "consultation")}`,
    count(map.instances, "instance")
  ])
  const lines: ReadonlyArray<Line> = [
    [span(title, "bold"), span(`  ${about}${columns}`, "dim")],
    [span(`${cell("", forName + 1)}primary ${axis(map, first, forMarks)}`, "dim")],
    [span(` ${cell("best of all", forName + 8)}`, "dim"), ...toned(cut(map.best))],
    ...map.rows.slice(seen.first, seen.first + page).map((row, at): Line => {
      const isChosen = seen.first + at === chosen
      const name = `${isChosen ? ">" : " "}${cell(`${row.winner ? "★ " : ""}${row.name}`, forName)}`
      return [
        span(name, isChosen ? "inverse" : row.winner ? "good" : undefined),
        span(` ${share(row.primary)}`.padEnd(8), "dim"),
        ...toned(cut(row.marks))
      ]
    }),
    worst(view, map.rows[Math.max(0, chosen)]!, width),
    legend
  ]
  return {
    lines,
    scrolling: {
      max: seen.max,
      page,
      candidates: map.rows.map(({ id }) => id),
      chosen,
      across: { max: maxAcross, page: Math.max(1, Math.floor(forMarks / 2)) }
    }
  }
}
