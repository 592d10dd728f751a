import { count } from "../../domain/count.ts"
import { firstThatFits } from "../fitted.ts"
import { detectionCounts, integer, interval, percent, record, share } from "../format.ts"
import type { FrontierRow } from "../frontierRows.ts"
import { type Line, span } from "../line.ts"
import type { RunView } from "../RunView.ts"
import { whereOf, windowOf } from "../scrolling.ts"
import type { Ui } from "../ui.ts"
import { cell } from "../width.ts"
import type { PaneFrame } from "./PaneFrame.ts"

interface Column {
  readonly head: string
  /** 0 takes what is left. */
  readonly width: number
  readonly side: "left" | "right"
  readonly show: (row: FrontierRow) => string
}

const columns = {
  name: { head: "candidate", width: 0, side: "left", show: ({ name, winner }) => `${winner ? "★" : " "} ${name}` },
  from: { head: "from", width: 14, side: "left", show: ({ from }) => from },
  leads: { head: "leads", width: 5, side: "right", show: ({ leads }) => (leads === 0 ? "–" : String(leads)) },
  discrimination: {
    head: "discrimination",
    width: 18,
    side: "left",
    show: ({ discrimination }) => `${share(discrimination.value)} ${interval(discrimination.interval)}`
  },
  pairs: { head: "n", width: 4, side: "right", show: ({ discrimination }) => String(discrimination.pairs) },
  record: { head: "win/tie/loss", width: 12, side: "right", show: ({ discrimination }) => record(discrimination) },
  detection: { head: "detection", width: 17, side: "left", show: ({ detection }) => detectionCounts(detection) },
  primary: { head: "primary", width: 9, side: "left", show: ({ primary }) => share(primary) },
  length: { head: "length", width: 6, side: "right", show: ({ length }) => integer(length) }
} satisfies Record<string, Column>

const columnsFor = (view: RunView, width: number): ReadonlyArray<Column> => {
  const { detection, discrimination, from, leads, length, name, pairs, primary, record } = columns
  const other = view.measure !== "paired-discrimination" && view.measure !== ""
  const measure = other ? [{ ...primary, head: view.measure }] : []
  if (width >= 99) return [name, from, leads, ...measure, discrimination, pairs, record, detection, length]
  if (width >= 78) return [name, leads, ...measure, discrimination, pairs, ...(other ? [] : [record]), detection]
  return [name, discrimination, pairs, ...(width >= 56 ? [other ? measure[0]! : detection] : [])]
}

const rowLine = (shown: ReadonlyArray<Column>, width: number, text: (column: Column) => string): string => {
  const fixed = shown.reduce((sum, column) => sum + column.width, 0) + shown.length - 1
  return shown
    .map((column) =>
      cell(text(column), column.width === 0 ? Math.min(60, Math.max(8, width - fixed)) : column.width, column.side)
    )
    .join(" ")
    .trimEnd()
}

/** The frontier as a table of at most `height` lines, heading and column heads included; in its own pane to choose from. */
export const frontierPane = (view: RunView, ui: Ui, width: number, height: number): PaneFrame => {
  const own = ui.pane === "frontier"
  const page = Math.max(1, height - 2)
  const chosen = own ? view.frontier.findIndex(({ id }) => id === ui.chosen) : -1
  const seen = windowOf(view.frontier.length, page, ui.scroll[ui.pane], chosen)
  const rows = view.frontier.slice(seen.first, seen.first + page)
  const room = own ? width - 1 : width
  const shown = columnsFor(view, room)
  const cap = view.cap === null ? "" : `, false alarms ≤ ${percent(view.cap)}`
  const others = view.unlisted === 0 ? "" : `, ${view.unlisted} more in the pool`
  const title = `Frontier${whereOf(seen, view.frontier.length)}`
  const { notes } = view.acceptance
  const part = firstThatFits(width - title.length - 2, [
    `${count(notes, "acceptance note")}${cap}${others}, 95 % intervals`,
    `${count(notes, "note")}${cap}${others}, 95 % intervals`,
    `${count(notes, "note")}${cap}, 95 % intervals`,
    `${count(notes, "note")}${cap}, 95 % CI`
  ])
  const margin = own ? " " : ""
  const lines: ReadonlyArray<Line> = [
    [span(title, "bold"), span(`  ${part}`, "dim")],
    ...(rows.length === 0
      ? [[span("  the seeds are being judged", "dim")]]
      : [
          [span(margin + rowLine(shown, room, ({ head }) => (head === "candidate" ? `  ${head}` : head)), "dim")],
          ...rows.map((row, at): Line => {
            const text = rowLine(shown, room, ({ show }) => show(row))
            if (seen.first + at === chosen) return [span(`>${text}`, "inverse")]
            return [row.winner ? span(margin + text, "good") : span(margin + text)]
          })
        ])
  ]
  const scrolling = { max: seen.max, page }
  return { lines, scrolling: own ? { ...scrolling, candidates: view.frontier.map(({ id }) => id), chosen } : scrolling }
}
