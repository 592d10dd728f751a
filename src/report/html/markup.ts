import type { Section } from "../scoreFormat.ts"
import { escapeHtml } from "./escape.ts"

/** Markup that is safe to put into a page. Made by `html` alone, which escapes all else. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | null | ReadonlyArray<Html>

const textOf = (value: Value): string => {
  if (value === null) return ""
  if (value instanceof Html) return value.text
  if (typeof value === "object") return value.map(({ text }) => text).join("")
  return escapeHtml(String(value))
}

/** A template of markup: values are escaped, unless they are markup already. Attributes must stand between quotes. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(strings.reduce((all, part, at) => all + part + (at < values.length ? textOf(values[at]!) : ""), ""))

export const nothing = html``

/** A text from outside, whose direction is its own. */
export const foreign = (text: string): Html => html`<bdi>${text}</bdi>`

const isFigure = (cell: string | number): boolean =>
  typeof cell === "number" || /^[-–−+≈<>$★]?\s*[\d.,[(–−-]|^-$/.test(cell)

/** So many columns stand closer, in smaller letters. */
const crowded = 8

/** Figures with spaces that do not break where a break would part what belongs together: bounds, units, signs. */
const tied = (text: string | number): string =>
  String(text)
    .replace(/\[[^\]]*\]/g, (bounds) => bounds.replaceAll(" ", "\u00a0"))
    .replace(/ (?=%)/g, "\u00a0")
    .replace(/ ([=<≤−]) /g, "\u00a0$1\u00a0")
    .replace(/– /g, "–\u00a0")

export interface TableOptions {
  readonly caption: string
  /** Whether the caption is said only, because a heading has shown it. */
  readonly quiet?: boolean
  /** How many of the first columns say what a row is of; 1 when left out. */
  readonly keys?: number
  /** Rows to mark, by their place below the headings. */
  readonly marked?: ReadonlySet<number>
}

/** A table that scrolls by itself where it is wider than the page. The first row is the headings. */
export const table = (
  [headings, ...rows]: ReadonlyArray<ReadonlyArray<string | number>>,
  { caption, keys = 1, marked, quiet = false }: TableOptions
): Html => {
  const right = (headings ?? []).map(
    (_, at) => at >= keys && rows.length > 0 && rows.every((row) => row[at] === "" || isFigure(row[at] ?? ""))
  )
  const cell = (value: string | number, at: number) =>
    at < keys
      ? html`<th scope="row">${foreign(String(value))}</th>`
      : right[at]
        ? html`<td class="n">${tied(value)}</td>`
        : html`<td>${foreign(String(value))}</td>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="${right.length >= crowded ? "crowded" : ""}"><caption class="${quiet ? "away" : ""}">${caption}</caption><thead><tr>${(
    headings ?? []
  ).map((one, at) => html`<th scope="col" class="${right[at] ? "n" : ""}">${one}</th>`)}</tr></thead><tbody>${rows.map(
    (row, at) => html`<tr class="${marked?.has(at) ? "marked" : ""}">${row.map(cell)}</tr>`
  )}</tbody></table></div>`
}

export const remarks = (texts: ReadonlyArray<string>): Html =>
  texts.length === 0 ? nothing : html`<ul class="remarks">${texts.map((text) => html`<li>${foreign(text)}</li>`)}</ul>`

/** A section of a report that is shown in other formats, too. */
export const sectionHtml = (section: Section): Html =>
  html`<section class="sub"><h3>${section.title}</h3>${
    section.rows.length === 0
      ? nothing
      : table(section.rows, { caption: section.title, keys: section.keys ?? 1, quiet: true })
  }${remarks(section.remarks)}</section>`

/**
 * What is there for those who look for it. Printed open. As the content of `noscript` it costs a browser next to nothing
 * until the page's script, `unfold.ts`, puts it in place; where scripts are off it is there from the beginning. It holds
 * no other folded part, since the first end tag would end both.
 */
export const details = (summary: string, content: Html): Html => {
  if (content.text.includes("<noscript")) throw new Error(`the folded part “${summary}” holds another one`)
  return html`<details><summary>${summary}</summary><noscript>${content}</noscript></details>`
}
