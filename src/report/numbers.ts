import type { Rate } from "../measure/judgeFigures.ts"

/** How figures are written for people, in every table. */
export const none = "-"

export const fixed = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined || Number.isNaN(value) ? none : value.toFixed(digits).replace("-", "−")

export const signed = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined || Number.isNaN(value) ? none : `${value < 0 ? "" : "+"}${fixed(value, digits)}`

export const interval = (bounds: readonly [number, number] | null | undefined, digits = 3): string =>
  bounds === null || bounds === undefined ? none : `[${fixed(bounds[0], digits)}, ${fixed(bounds[1], digits)}]`

export const pText = (p: number | null | undefined): string =>
  p === null || p === undefined ? none : p < 0.0001 ? "<.0001" : p.toFixed(4)

export const rate = (one: Rate | null | undefined): string =>
  one === null || one === undefined ? none : `${one.count}/${one.n}`

export const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** A threshold as it is, up to the decimals that are compared. */
export const threshold = (value: number | null | undefined): string =>
  value === null || value === undefined ? none : String(Number(value.toFixed(6)))
