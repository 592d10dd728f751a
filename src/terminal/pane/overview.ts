import { outcomeLine } from "../frameParts.ts"
import { span } from "../line.ts"
import type { RunView } from "../RunView.ts"
import type { Ui } from "../ui.ts"
import { frontierPane } from "./frontier.ts"
import type { PaneFrame } from "./PaneFrame.ts"

/** The frontier, and below it what became of the last proposals. */
export const overviewPane = (view: RunView, ui: Ui, width: number, room: number): PaneFrame => {
  const wanted = Math.min(view.outcomes.length, Math.max(2, Math.floor(room / 3)))
  const forTable = room - (wanted === 0 ? 0 : wanted + 1)
  const table = frontierPane(view, ui, width, Math.max(3, forTable))
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
