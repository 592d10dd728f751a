import { mulberry32 } from "../domain/Random.ts"
import { type ClusterInterval, intervalOfResamples } from "../measure/clusterInterval.ts"
import { auc } from "../measure/discrimination.ts"

/** A note's score by two judges, and the consultation that it is of. */
export interface ScoredTwice {
  readonly cluster: number
  readonly flawed: boolean
  readonly a: number
  readonly b: number
}

/**
 * AUC of judge `a` less that of judge `b` on the same notes, with a percentile interval (95 %) and a two-sided p by
 * bootstrap of consultations: twice the smaller share of resamples on one side of nought, each end counted once more.
 * Notes without a score by either are to be left out. Null without a flawed or a clean note.
 */
export const aucDifference = (
  notes: ReadonlyArray<ScoredTwice>,
  options: { readonly seed: number; readonly resamples: number }
): { readonly difference: number; readonly interval: ClusterInterval; readonly p: number } | null => {
  const value = (some: ReadonlyArray<ScoredTwice>): number | null => {
    const flawed = some.filter((note) => note.flawed)
    const clean = some.filter((note) => !note.flawed)
    const [a, b] = (["a", "b"] as const).map((side) =>
      auc(
        flawed.map((note) => note[side]),
        clean.map((note) => note[side])
      )
    )
    return a == null || b == null ? null : a - b
  }
  const difference = value(notes)
  if (difference === null) return null
  const clusters = [...Map.groupBy(notes, ({ cluster }) => cluster).values()]
  const next = mulberry32(options.seed)
  const values: Array<number> = []
  for (let resample = 0; resample < options.resamples; resample++) {
    const drawn: Array<ScoredTwice> = []
    for (let draw = 0; draw < clusters.length; draw++) drawn.push(...clusters[(next() * clusters.length) | 0]!)
    const one = value(drawn)
    if (one !== null) values.push(one)
  }
  const below = values.filter((one) => one <= 0).length
  const above = values.filter((one) => one >= 0).length
  const p = Math.min(1, (2 * (Math.min(below, above) + 1)) / (values.length + 1))
  const resampled = new Float64Array(options.resamples).fill(Number.NaN)
  resampled.set(values)
  const interval = intervalOfResamples(resampled, {
    estimate: difference,
    consultations: clusters.length,
    share: false
  })
  return { difference, interval, p }
}
