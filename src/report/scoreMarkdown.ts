import { plain } from "../domain/plain.ts"
import type { ScoreReport } from "../measure/scoreReport.ts"
import type { Section } from "./scoreFormat.ts"
import { headLines, scoreSections } from "./scoreSections.ts"

/** Brackets that would make a link, an image, a footnote or a definition; those of an interval stay as they are. */
const linkLike = /\]\s*[([:]|!\[|\[\^/

/** Text from outside as Markdown shows it, on one line: no markup, no HTML, no table borders. */
const escaped = (text: string): string => {
  const line = plain(text).replace(/\s+/g, " ").trim()
  const marked = line
    .replace(/[\\`*<|]/g, (character) => `\\${character}`)
    .replace(/~(?=~)|(?<=~)~/g, "\\~")
    // Within a word an underscore is no emphasis.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/^(?:[#>+-](?= )|[#>])/, (character) => `\\${character}`)
    .replace(/^(\d+)([.)])(?= )/, "$1\\$2")
  return linkLike.test(line) ? marked.replace(/[[\]]/g, (character) => `\\${character}`) : marked
}

const rowText = (cells: ReadonlyArray<string | number>): string =>
  `| ${cells.map((cell) => escaped(String(cell))).join(" | ")} |`

const sectionText = ({ remarks, rows, title }: Section): string => {
  const [head, ...body] = rows
  const text =
    head === undefined ? [] : [rowText(head), `| ${head.map(() => "---").join(" | ")} |`, ...body.map(rowText), ""]
  return [`## ${escaped(title)}`, "", ...text, ...remarks.map((remark) => `- ${escaped(remark)}`), ""].join("\n")
}

/** Sections as a Markdown document. */
export const markdownText = (title: string, head: ReadonlyArray<string>, sections: ReadonlyArray<Section>): string =>
  [`# ${escaped(title)}`, "", ...head.map((line) => `${escaped(line)}\n`), ...sections.map(sectionText)].join("\n")

/** The result as a Markdown document. */
export const scoreMarkdown = (report: ScoreReport): string =>
  markdownText("Scores of judges", headLines(report), scoreSections(report))
