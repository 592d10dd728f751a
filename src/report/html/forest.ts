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

const width = 720
const left = 190
const right = 210
const step = 34

/** Differences on one axis, 0 marked. The words stand in the drawing, so that it says all by itself. */
export const forest = (rows: ReadonlyArray<ForestRow>, label: string): Html => {
  if (rows.length === 0) return nothing
  const values = rows.flatMap(({ above, difference, interval }) => [difference, above ?? 0, ...(interval ?? [])])
  const reach = Math.max(0.05, ...values.map(Math.abs)) * 1.08
  const x = (value: number) => left + ((value + reach) / (2 * reach)) * (width - left - right)
  const height = rows.length * step + 34
  const ticks = [-reach / 1.08, 0, reach / 1.08]
  return html`<figure><svg class="chart wide" role="img" aria-label="${label}: ${rows.map(({ name, words }) => `${name} ${words}`).join("; ")}" viewBox="0 0 ${width} ${height}">
<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="4" y2="${height - 26}"/>
${ticks.map((tick) => html`<text class="tick" x="${x(tick)}" y="${height - 10}" text-anchor="middle">${tick > 0 ? "+" : tick < 0 ? "−" : ""}${Math.abs(tick).toFixed(2)}</text>`)}
${rows.map(({ above, difference, interval, name, words }, at) => {
  const y = at * step + 20
  return html`<text x="${left - 12}" y="${y + 4}" text-anchor="end">${name}</text>
${interval === null ? nothing : html`<line class="whisker" x1="${x(interval[0])}" x2="${x(interval[1])}" y1="${y}" y2="${y}"/>`}
${above === null ? nothing : html`<line class="asked" x1="${x(above)}" x2="${x(above)}" y1="${y - 11}" y2="${y + 11}"/>`}
<rect class="point" x="${x(difference) - 5}" y="${y - 5}" width="10" height="10"/>
<text class="tick" x="${width - right + 14}" y="${y + 4}">${words}</text>`
})}
</svg></figure>`
}
