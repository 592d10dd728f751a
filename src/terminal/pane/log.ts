import { type Line, span } from "../line.ts"
import type { LogRow } from "../RunLog.ts"
import type { RunView } from "../RunView.ts"
import { whereOf, windowOf } from "../scrolling.ts"
import type { Ui } from "../ui.ts"
import { fit, widthOf } from "../width.ts"
import type { PaneFrame } from "./PaneFrame.ts"

const indent = "         "

const wrapText = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const next = line === "" ? word : `${line} ${word}`
    if (line !== "" && widthOf(next) > width) {
      lines.push(line)
      line = word
    } else line = next
  }
  return [...lines, line].map((one) => fit(one, width))
}

const wrapped = new WeakMap<LogRow, { readonly width: number; readonly lines: ReadonlyArray<Line> }>()

const linesOf = (row: LogRow, width: number): ReadonlyArray<Line> => {
  const known = wrapped.get(row)
  if (known?.width === width) return known.lines
  const lines = wrapText(row.text, width - indent.length).map(
    (text, at): Line => [span(at === 0 ? `${row.time} ` : indent, "dim"), span(text)]
  )
  wrapped.set(row, { width, lines })
  return lines
}

/** What has happened, newest last; stays at the end unless somebody scrolls up. */
export const logPane = (view: RunView, ui: Ui, width: number, room: number): PaneFrame => {
  const lines = view.log.flatMap((row) => linesOf(row, width))
  const page = Math.max(1, room - 1)
  const seen = windowOf(lines.length, page, ui.scroll.log)
  const follows = seen.first === seen.max
  return {
    lines: [
      [
        span(`Log${whereOf(seen, lines.length)}`, "bold"),
        span(follows ? "  newest last" : "  held here; G goes on to the newest", "dim")
      ],
      ...(lines.length === 0 ? [[span("  nothing yet", "dim")]] : lines.slice(seen.first, seen.first + page))
    ],
    scrolling: { max: seen.max, page }
  }
}
