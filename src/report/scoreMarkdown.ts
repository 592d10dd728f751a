import { plain } from "../domain/plain.ts"
import type { Section } from "./scoreFormat.ts"
import type { ScoreReport } from "./scoreReport.ts"
import { headLines, scoreSections } from "./scoreSections.ts"

/** Text from outside as Markdown shows it, on one line: no markup, no HTML, no table borders. */
const escaped = (text: string): string =>
  plain(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]<>|#!~]/g, (character) => `\\${character}`)

const rowText = (cells: ReadonlyArray<string | number>): string =>
  `| ${cells.map((cell) => escaped(String(cell))).join(" | ")} |`

const sectionText = ({ remarks, rows, title }: Section): string => {
  const [head, ...body] = rows
  const text =
    head === undefined ? [] : [rowText(head), `| ${head.map(() => "---").join(" | ")} |`, ...body.map(rowText), ""]
  return [`## ${escaped(title)}`, "", ...text, ...remarks.map((remark) => `- ${escaped(remark)}`), ""].join("\n")
}

/** The result as a Markdown document. */
export const scoreMarkdown = (report: ScoreReport): string =>
  [
    "# Scores of judges",
    "",
    ...headLines(report).map((line) => `${escaped(line)}\n`),
    ...scoreSections(report).map(sectionText)
  ].join("\n")
