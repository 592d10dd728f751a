import type { ClusterInterval } from "../measure/clusterInterval.ts"
import type { Rate } from "../measure/operatingFigure.ts"

/** A part of the result as people read it: a table, the headings first, and remarks. */
export interface Section {
  readonly title: string
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
  /** How many of the first columns say what a row is of; 1 when left out. */
  readonly keys?: number
  readonly remarks: ReadonlyArray<string>
}

export const none = "-"
export const fixed = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? none : value.toFixed(digits).replace("-", "−")
export const signed = (value: number | null): string =>
  value === null ? none : `${value < 0 ? "" : "+"}${fixed(value)}`
export const interval = (bounds: readonly [number, number] | null, digits = 3): string =>
  bounds === null ? none : `[${fixed(bounds[0], digits)}, ${fixed(bounds[1], digits)}]`
export const pText = (p: number): string => (p < 0.0001 ? "<.0001" : p.toFixed(4))
export const rate = (one: Rate | null | undefined): string =>
  one === null || one === undefined ? none : `${one.count}/${one.n}`
/** A threshold as it is, up to the decimals that are compared. */
export const threshold = (value: number | null | undefined): string =>
  value === null || value === undefined ? none : String(Number(value.toFixed(6)))
export const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`
export { count as plural } from "../domain/count.ts"

const few = "– few"
const alike = "– alike"
const undefinedOften = "– undefined"
const exact = "cp"

/** An interval of the bootstrap, or a dash with a word for why there is none: see `intervalRemarks`. */
export const bounds = (one: ClusterInterval | null | undefined, digits = 3): string => {
  switch (one?.intervalNote) {
    case "few-consultations":
      return few
    case "all-alike":
      return alike
    case "often-undefined":
      return undefinedOften
    case "clopper-pearson-on-consultations":
      return `${interval(one.interval, digits)} ${exact}`
    default:
      return interval(one?.interval ?? null, digits)
  }
}

/** A figure with its interval in one cell. */
export const withBounds = (
  value: number | null | undefined,
  one: ClusterInterval | null | undefined,
  digits = 3
): string => (value === null || value === undefined ? none : `${fixed(value, digits)} ${bounds(one, digits)}`)

/** A rate with Wilson's interval in one cell. */
export const rateWithBounds = (one: Rate | null | undefined): string =>
  one?.rate == null ? none : `${fixed(one.rate)} ${interval(one.interval)}`

/** What the words in the cells' places of intervals mean, for those that stand there. */
export const intervalRemarks = (rows: Section["rows"], unit = "consultation"): ReadonlyArray<string> => {
  const has = (word: string) => rows.some((row) => row.some((cell) => typeof cell === "string" && cell.includes(word)))
  return [
    ...(has(few) ? [`${few}: fewer than 10 ${unit}s are too few for an interval`] : []),
    ...(has(alike) ? [`${alike}: every ${unit} says the same, so resampling them shows no spread`] : []),
    ...(has(undefinedOften) ? [`${undefinedOften}: 0/0 in more than 5 % of the resamples`] : []),
    ...(has(`] ${exact}`)
      ? [`${exact}: every ${unit} says the same; Clopper–Pearson's interval on ${unit}s, each one case`]
      : [])
  ]
}
