import { type Html, html, nothing } from "./markup.ts"

/** A difference with its interval, as one row of a forest plot. */
export interface ForestRow {
  readonly name: string
  readonly difference: number
  readonly interval: readonly [number, number] | null
  /** What must be exceeded; null where nothing is asked for. */
  readonly above: number | null
  /** The figures in words. */
  readonly words: string
}

// As wide as a phone has room for, so that letters are large enough there.
const width = 340
const margin = 12
const step = 70

/** Differences on one axis, 0 marked. The words stand in the drawing, so that it says all by itself. */
export const forest = (rows: ReadonlyArray<ForestRow>, label: string): Html => {
  if (rows.length === 0) return nothing
  const values = rows.flatMap(({ above, difference, interval }) => [difference, above ?? 0, ...(interval ?? [])])
  const reach = Math.max(0.05, ...values.map(Math.abs)) * 1.05
  const x = (value: number) => Number((margin + ((value + reach) / (2 * reach)) * (width - 2 * margin)).toFixed(1))
  const height = rows.length * step + 26
  const spoken = rows.map(({ name, words }) => `${name} ${words}`).join("; ")
  const tick = (value: number, anchor: string) =>
    html`<text class="tick" x="${x(value)}" y="${height - 6}" text-anchor="${anchor}">${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}</text>`
  return html`<figure class="panel narrow"><svg class="chart forest" role="img" aria-label="${label}: ${spoken}" viewBox="0 0 ${width} ${height}">
<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="36" y2="${height - 20}"/>
${tick(-reach, "start")}${tick(0, "middle")}${tick(reach, "end")}
${rows.map(({ above, difference, interval, name, words }, at) => {
  const y = at * step + 54
  return html`<text class="label" x="0" y="${y - 38}">${name}</text><text class="label tick" x="0" y="${y - 22}">${words}</text>
${interval === null ? nothing : html`<line class="whisker" x1="${x(interval[0])}" x2="${x(interval[1])}" y1="${y}" y2="${y}"/>`}
${above === null ? nothing : html`<line class="asked" x1="${x(above)}" x2="${x(above)}" y1="${y - 12}" y2="${y + 12}"/>`}
<rect class="point" x="${x(difference) - 5}" y="${y - 5}" width="10" height="10"/>`
})}
</svg></figure>`
}
