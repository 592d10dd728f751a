import {
  budgetBlock,
  budgetLine,
  iterationLine,
  judgementLines,
  leftLine,
  rejectionLine,
  standingLine,
  stepLine,
  tabLine,
  titleLines
} from "./frameParts.ts"
import { help, keysNow, quitQuestion } from "./keys.ts"
import { cut, type Line, lineWidth, padded, span } from "./line.ts"
import { diffPane } from "./pane/diff.ts"
import { frontierPane } from "./pane/frontier.ts"
import { heatPane } from "./pane/heat.ts"
import { lineagePane } from "./pane/lineage.ts"
import { logPane } from "./pane/log.ts"
import { overviewPane } from "./pane/overview.ts"
import type { PaneFrame } from "./pane/PaneFrame.ts"
import type { Pane } from "./panes.ts"
import type { RunView } from "./RunView.ts"
import { type Scrolling, still } from "./scrolling.ts"
import type { Ui } from "./ui.ts"

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Frame {
  /** At most rows - 1 lines, each at most columns - 1 wide. */
  readonly lines: ReadonlyArray<Line>
  readonly scrolling: Scrolling
}

export const smallest: Size = { columns: 60, rows: 16 }

const drawPane: Readonly<Record<Pane, (view: RunView, ui: Ui, width: number, room: number) => PaneFrame>> = {
  overview: overviewPane,
  frontier: frontierPane,
  lineage: lineagePane,
  heat: heatPane,
  diff: diffPane,
  log: logPane
}

/** The screen for a view. A row and a column stay free: terminals differ in what the last cell does. */
export const frame = (view: RunView, ui: Ui, size: Size): Frame => {
  const width = Math.max(1, size.columns - 1)
  const height = Math.max(1, size.rows - 1)
  if (size.columns < smallest.columns || size.rows < smallest.rows) {
    const { done, total } = view.iteration
    const lines = [
      [span("enlarge the terminal", "bold")],
      [span(`to ${smallest.columns} × ${smallest.rows}, from ${size.columns} × ${size.rows}`)],
      [span(`${view.status} ${done}${total === null ? "" : `/${total}`}`)]
    ]
    return { lines: lines.slice(0, height).map((line) => cut(line, width)), scrolling: still }
  }
  const asksHelp = ui.overlay === "help"
  const top = asksHelp ? titleLines(view, width, false) : topLines(view, ui.pane, width, height)
  const room = height - top.length - 1
  const pane = drawPane[ui.pane](view, ui, width, room)
  const body = asksHelp ? helpLines(view, room) : pane.lines
  const filled = [...body.slice(0, room), ...Array.from({ length: Math.max(0, room - body.length) }, (): Line => [])]
  const lines = [...top, ...filled, footer(view, ui, width, pane.scrolling)]
  return { lines: lines.map((line) => cut(line, width)), scrolling: pane.scrolling }
}

const topLines = (view: RunView, pane: Pane, width: number, height: number): ReadonlyArray<Line> => {
  const title = titleLines(view, width, height >= 19)
  const over = view.status === "stopped"
  if (pane !== "overview") return [...title, standingLine(view, width), tabLine(pane), ...(height >= 23 ? [[]] : [])]
  if (width < 99) {
    const tall = height >= 19
    return [
      ...title,
      iterationLine(view, width),
      ...(tall ? [rejectionLine(view), ...judgementLines(view)] : []),
      ...(over ? [] : [stepLine(view, width)]),
      budgetLine(view, width),
      ...(tall && !over ? [leftLine(view, width)] : []),
      tabLine(pane)
    ]
  }
  const half = Math.floor((width - 3) / 2)
  const left = [iterationLine(view, half), rejectionLine(view), stepLine(view, half), ...judgementLines(view)]
  const right = budgetBlock(view, width - half - 3)
  const both = Array.from(
    { length: Math.max(left.length, right.length) },
    (_, at): Line => [...padded(left[at] ?? [], half), span(" | ", "dim"), ...(right[at] ?? [])]
  )
  return [...title, [], ...both, [], tabLine(pane), ...(height >= 23 ? [[]] : [])]
}

/** All keys; without what can be done without where there is no room for it. */
const helpLines = (view: RunView, room: number): ReadonlyArray<Line> => {
  const rows = help(view.watching)
  const shown =
    rows.length + 1 <= room ? [["Keys", ""] as const, ...rows] : rows.filter(([key]) => key !== "" && key !== "?")
  return shown.map(([key, does]) => [span(` ${key.padEnd(9)} `, "accent"), span(does)])
}

/** As many of the keys as have room, most wanted first: none is cut in the middle. */
const footer = (view: RunView, ui: Ui, width: number, scrolling: Scrolling): Line => {
  if (ui.overlay === "quit") return [span(quitQuestion, "inverse")]
  const keys: Array<Line[number]> = []
  for (const [key, does] of keysNow(ui, view, scrolling)) {
    const next = [...(keys.length === 0 ? [] : [span("  ")]), span(key, "accent"), span(` ${does}`, "dim")]
    if (lineWidth([...keys, ...next]) > width) continue
    keys.push(...next)
  }
  return keys
}
