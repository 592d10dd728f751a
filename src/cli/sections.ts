import type { Section } from "../report/scoreFormat.ts"
import { colourWanted, paint, plain, table } from "./output.ts"

/** Sections as the terminal shows them: head lines, then titled tables with their remarks. */
export const sectionsText = (head: ReadonlyArray<string>, sections: ReadonlyArray<Section>): string => {
  const { bold, dim } = paint(colourWanted())
  return [
    ...head.map(plain),
    ...sections.flatMap(({ remarks, rows, title }) => [
      "",
      bold(plain(title)),
      ...(rows.length === 0 ? [] : [table(rows)]),
      ...remarks.map((remark) => (rows.length === 0 ? plain(remark) : dim(plain(remark))))
    ])
  ].join("\n")
}
