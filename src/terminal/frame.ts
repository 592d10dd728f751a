import {
  budgetBlock,
  budgetLine,
  iterationLine,
  judgementLine,
  leftLine,
  outcomeLine,
  rejectionLine,
  stepLine,
  titleLines
} from "./frameParts.ts"
import { frontierTable } from "./frameTable.ts"
import { help, keysNow, quitQuestion, type Scrolling, type Ui } from "./keys.ts"
import { cut, type Line, lineWidth, padded, span } from "./line.ts"
import type { RunView } from "./RunView.ts"

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Frame {
  /** At most rows - 1 lines, each at most columns - 1 wide. */
  readonly lines: ReadonlyArray<Line>
  readonly scrolling: Scrolling
}

const smallest: Size = { columns: 40, rows: 10 }

/** The screen for a view. A row and a column stay free: terminals differ in what the last cell does. */
export const frame = (view: RunView, ui: Ui, size: Size): Frame => {
  const width = Math.max(1, size.columns - 1)
  const height = Math.max(1, size.rows - 1)
  if (size.columns < smallest.columns || size.rows < smallest.rows) {
    const { done, total } = view.iteration
    const lines = [[span("enlarge the terminal", "bold")], [span(`${view.status} ${done}/${total}`)]]
    return { lines: lines.slice(0, height).map((line) => cut(line, width)), scrolling: { max: 0, page: 1 } }
  }
  const top = topLines(view, width, height)
  const room = height - top.length - 1
  const { lines: body, scrolling } =
    ui.overlay === "help" ? { lines: helpLines(), scrolling: { max: 0, page: 1 } } : bodyLines(view, ui, width, room)
  const filled = [...body.slice(0, room), ...Array.from({ length: Math.max(0, room - body.length) }, (): Line => [])]
  const lines = [...top, ...filled, footer(view, ui, width, scrolling.max > 0)]
  return { lines: lines.map((line) => cut(line, width)), scrolling }
}

const topLines = (view: RunView, width: number, height: number): ReadonlyArray<Line> => {
  const title = titleLines(view, width, height >= 19)
  if (width < 99) {
    const tall = height >= 19
    return [
      ...title,
      iterationLine(view, width),
      ...(tall ? [rejectionLine(view), judgementLine(view)] : []),
      stepLine(view, width),
      budgetLine(view, width),
      ...(tall ? [leftLine(view), []] : [])
    ]
  }
  const half = Math.floor((width - 3) / 2)
  const left = [iterationLine(view, half), rejectionLine(view), stepLine(view, half), judgementLine(view)]
  const right = budgetBlock(view, width - half - 3)
  const both = Array.from(
    { length: Math.max(left.length, right.length) },
    (_, at): Line => [...padded(left[at] ?? [], half), span(" | ", "dim"), ...(right[at] ?? [])]
  )
  return [...title, [], ...both, []]
}

const bodyLines = (view: RunView, ui: Ui, width: number, room: number): Pick<Frame, "lines" | "scrolling"> => {
  const outcomesWanted = Math.min(view.outcomes.length, Math.max(2, Math.floor(room / 3)))
  const forTable = room - (outcomesWanted === 0 ? 0 : outcomesWanted + 1)
  const table = frontierTable(view, ui.scroll, width, Math.max(3, forTable))
  const left = room - table.lines.length
  const spaced = left > view.outcomes.length + 1 || left > 8
  const outcomes =
    view.outcomes.length === 0 || left < 2
      ? []
      : [
          ...(spaced ? [[]] : []),
          [span("Last outcomes", "bold")],
          ...view.outcomes.slice(0, left - (spaced ? 2 : 1)).map((row) => outcomeLine(row, width))
        ]
  return { lines: [...table.lines, ...outcomes], scrolling: table.scrolling }
}

const helpLines = (): ReadonlyArray<Line> => [
  [span("Keys", "bold")],
  ...help.map(([key, does]): Line => [span(`  ${key.padEnd(8)}`, "accent"), span(does)])
]

/** As many of the keys as have room, most wanted first: none is cut in the middle. */
const footer = (view: RunView, ui: Ui, width: number, canScroll: boolean): Line => {
  if (ui.overlay === "quit") return [span(quitQuestion, "inverse")]
  const keys: Array<Line[number]> = []
  for (const label of keysNow(ui, view, canScroll)) {
    const [key = "", ...does] = label.split(" ")
    const next = [...(keys.length === 0 ? [] : [span("  ")]), span(key, "accent"), span(` ${does.join(" ")}`, "dim")]
    if (lineWidth([...keys, ...next]) > width) break
    keys.push(...next)
  }
  return keys
}
