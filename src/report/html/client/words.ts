/** Figures as the page writes them. */
export const share = (value: number | null): string => (value === null || Number.isNaN(value) ? "–" : value.toFixed(3))

export const signed = (value: number, digits = 3): string =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`

export const bounds = (interval: readonly [number, number] | null): string =>
  interval === null ? "[–]" : `[${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}]`

export const signedBounds = (interval: readonly [number, number] | null): string =>
  interval === null ? "[–]" : `[${signed(interval[0], 2)}, ${signed(interval[1], 2)}]`

export const pValue = (p: number): string => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`)

/** Without the browser's own formatter, which takes a tenth of a second to begin. */
export const integer = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",")

/** A score without the noise of floats. */
export const scoreText = (score: number): string => (Number.isNaN(score) ? "none" : String(Number(score.toFixed(4))))

export const plural = (n: number, one: string, many = `${one}s`): string => `${integer(n)} ${n === 1 ? one : many}`
