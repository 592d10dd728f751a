import { count } from "../../domain/count.ts"
import { firstThatFits } from "../fitted.ts"
import { integer, interval, share } from "../format.ts"
import { type Line, span } from "../line.ts"
import type { LineageRow } from "../lineageRows.ts"
import type { RunView } from "../RunView.ts"
import { whereOf, windowOf } from "../scrolling.ts"
import type { Ui } from "../ui.ts"
import { cell } from "../width.ts"
import type { PaneFrame } from "./PaneFrame.ts"

interface Column {
  readonly head: string
  readonly width: number
  readonly side: "left" | "right"
  readonly show: (row: LineageRow) => string
}

const columns = {
  iteration: {
    head: "iter",
    width: 4,
    side: "right",
    show: ({ iteration }) => (iteration === 0 ? "–" : String(iteration))
  },
  leads: { head: "leads", width: 5, side: "right", show: ({ leads }) => (leads === 0 ? "–" : String(leads)) },
  primary: { head: "primary", width: 7, side: "left", show: ({ primary }) => share(primary) },
  discrimination: {
    head: "discrimination",
    width: 18,
    side: "left",
    show: ({ discrimination }) => `${share(discrimination.value)} ${interval(discrimination.interval)}`
  },
  pairs: { head: "n", width: 4, side: "right", show: ({ discrimination }) => String(discrimination.pairs) },
  children: {
    head: "kept/tried",
    width: 10,
    side: "right",
    show: ({ accepted, tried }) => (tried === 0 ? "–" : `${accepted}/${tried}`)
  },
  length: { head: "length", width: 6, side: "right", show: ({ length }) => integer(length) }
} satisfies Record<string, Column>

const columnsFor = (view: RunView, width: number): ReadonlyArray<Column> => {
  const { children, discrimination, iteration, leads, length, pairs, primary } = columns
  const other = view.measure !== "paired-discrimination" && view.measure !== "" ? [primary] : []
  if (width >= 99) return [iteration, leads, ...other, discrimination, pairs, children, length]
  if (width >= 78) return [iteration, leads, ...other, discrimination, pairs, ...(other.length > 0 ? [] : [children])]
  return [iteration, leads, ...(other.length > 0 ? other : [discrimination]), pairs]
}

/** The branches that lead to a row. Where they would take more than `room`, the nearest, after the number of the rest. */
const tree = ({ branches, depth }: LineageRow, room: number): string => {
  if (depth === 0) return ""
  const parts = branches.map((more, at) => {
    if (at < branches.length - 1) return more ? "| " : "  "
    return more ? "|-" : "`-"
  })
  const levels = Math.max(1, Math.floor(room / 2))
  if (parts.length <= levels) return parts.join("")
  const kept = Math.max(1, levels - 3)
  return `(${parts.length - kept})`.padEnd(6) + parts.slice(-kept).join("")
}

const nameOf = (row: LineageRow): string => {
  const from = row.alsoFrom.length === 0 ? "" : ` + ${row.alsoFrom.join(" + ")}`
  const modules = row.modules.length === 0 ? "" : ` [${row.modules.join(", ")}]`
  return `${row.winner ? "★ " : ""}${row.name}${modules}${from}`
}

/** Who comes from whom. */
export const lineagePane = (view: RunView, ui: Ui, width: number, room: number): PaneFrame => {
  const rows = view.lineage()
  const page = Math.max(1, room - 2)
  const chosen = rows.findIndex(({ id }) => id === ui.chosen)
  const seen = windowOf(rows.length, page, ui.scroll.lineage, chosen)
  const shown = columnsFor(view, width)
  const fixed = shown.reduce((sum, { width }) => sum + width + 1, 1)
  const forName = Math.min(60, Math.max(12, width - fixed))
  const figures = (text: (column: Column) => string) =>
    shown.map((column) => ` ${cell(text(column), column.width, column.side)}`).join("")
  const generations = rows.reduce((most, { depth }) => Math.max(most, depth), 0)
  const title = `Lineage${whereOf(seen, rows.length)}`
  const counts = `${rows.length} candidates, ${generations} ${generations === 1 ? "generation" : "generations"}`
  const about = firstThatFits(width - title.length - 2, [
    `${counts}; ★ winner, + merged with, leads – is off the frontier`,
    `${counts}; ★ winner, + merged with, – off frontier`,
    `${count(rows.length, "candidate")}; ★ winner, + merged, – off frontier`
  ])
  const lines: ReadonlyArray<Line> = [
    [span(title, "bold"), span(`  ${about}`, "dim")],
    ...(rows.length === 0
      ? [[span("  the seeds are being judged", "dim")]]
      : [[span(` ${cell("candidate", forName)}${figures(({ head }) => head)}`, "dim")]]),
    ...rows.slice(seen.first, seen.first + page).map((row, at): Line => {
      const branch = tree(row, Math.floor(forName / 2))
      const text = `${cell(branch + nameOf(row), forName)}${figures(({ show }) => show(row))}`
      if (seen.first + at === chosen) return [span(`>${text}`, "inverse")]
      return [span(` ${text}`, row.winner ? "good" : row.leads === 0 ? "dim" : undefined)]
    })
  ]
  return { lines, scrolling: { max: seen.max, page, candidates: rows.map(({ id }) => id), chosen } }
}
