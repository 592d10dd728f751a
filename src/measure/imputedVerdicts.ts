import { mulberry32 } from "../domain/Random.ts"
import { percentileInterval } from "../statistics/quantile.ts"

/** A share of which some cases are not known, with those drawn at random. */
export interface Imputed {
  /** Mean of the share over the draws. */
  readonly mean: number
  /**
   * The central 95 % of the draws: what chance alone may do to the figure, no confidence interval. Null where nothing is
   * left to chance, because it is 0 or 1.
   */
  readonly interval: readonly [number, number] | null
  /** Cases drawn. */
  readonly imputed: number
  /** Chance of a point for each of them. */
  readonly chance: number
  /** All cases, drawn ones included. */
  readonly n: number
}

const draws = 1000

/**
 * The share `points / known` once `missing` further cases are drawn, each a point with the chance given: the robustness
 * check for verdicts that cannot be read, "imputed at random with the model's own accuracy" [BCR §3.4.4]. Null when
 * nothing is missing or nothing is known. Deterministic for a seed.
 */
export const imputedShare = (
  {
    chance,
    known,
    missing,
    points
  }: {
    readonly points: number
    readonly known: number
    readonly missing: number
    readonly chance: number
  },
  seed: number
): Imputed | null => {
  if (missing === 0 || known === 0) return null
  const next = mulberry32(seed)
  const n = known + missing
  const shares = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    let drawn = 0
    for (let at = 0; at < missing; at++) if (next() < chance) drawn++
    shares[draw] = (points + drawn) / n
  }
  shares.sort()
  const mean = shares.reduce((sum, share) => sum + share, 0) / draws
  const interval = chance > 0 && chance < 1 ? percentileInterval(shares, 0.95) : null
  return { mean, interval, imputed: missing, chance, n }
}
