import type { Section } from "../report/scoreFormat.ts"
import { wrapText } from "../terminal/wrap.ts"
import { colourWanted, paint, plain, terminalColumns } from "./output.ts"
import { table } from "./table.ts"

/** Sections for a terminal of so many columns: head lines, then titled tables with their remarks. */
export const sectionsText = (
  head: ReadonlyArray<string>,
  sections: ReadonlyArray<Section>,
  width = terminalColumns()
): string => {
  const { bold, dim } = paint(colourWanted())
  const wrapped = (text: string) => wrapText(plain(text), width)
  return [
    ...head.map(wrapped),
    ...sections.flatMap(({ keys, remarks, rows, title }) => [
      "",
      bold(wrapped(title)),
      ...(rows.length === 0 ? [] : [table(rows, { keys: keys ?? 1, width })]),
      ...remarks.map((remark) => (rows.length === 0 ? wrapped(remark) : dim(wrapped(remark))))
    ])
  ].join("\n")
}
