import { mulberry32 } from "../domain/Random.ts"
import { percentileInterval } from "../statistics/quantile.ts"
import type { Optimism } from "./Audit.ts"
import type { AuditCandidate } from "./AuditInput.ts"
import type { Resampling } from "./change.ts"
import type { WeightedValue } from "./weightedValue.ts"

/** A candidate that could have been selected. In the order of birth: the earlier of equals wins. */
export interface Selectable {
  readonly candidate: string
  readonly primary: WeightedValue
  /** Decides between equals; left out where there is no secondary measure. */
  readonly secondary?: WeightedValue
}

export interface OptimismInput {
  readonly selectable: ReadonlyArray<Selectable>
  /** What is drawn is numbered from 0. */
  readonly drawn: number
  readonly units: Optimism["units"]
  readonly measure: Optimism["measure"]
  /** The candidate that nobody selected, for comparison. */
  readonly seed: string | null
}

/** Candidates with a source's own values by instance: the mean of those is what was selected by. */
export const selectableByInstances = (
  candidates: ReadonlyArray<AuditCandidate>
): Pick<OptimismInput, "selectable" | "drawn"> => {
  const some = candidates.filter(({ instances }) => instances !== undefined && instances.length > 0)
  const drawn = some[0]?.instances?.length ?? 0
  const alike = some.filter(({ instances }) => instances!.length === drawn)
  return {
    drawn,
    selectable: alike.map(({ id, instances }): Selectable => {
      const values = Float64Array.from(instances!, (value) => value ?? Number.NaN)
      return {
        candidate: id,
        primary: (weights) => {
          let [sum, total] = [0, 0]
          for (let at = 0; at < values.length; at++) {
            if (Number.isNaN(values[at]!)) continue
            sum += weights[at]! * values[at]!
            total += weights[at]!
          }
          return sum / total
        }
      }
    })
  }
}

const tie = 1e-9

/** The place of the winner for the weights, by the run's own rule [method §5.10]; undefined where no candidate has a value. */
const winnerAt = (
  selectable: ReadonlyArray<Selectable>,
  weights: ArrayLike<number>
): { readonly at: number; readonly value: number } | undefined => {
  let best: { readonly at: number; readonly value: number } | undefined
  let bestSecondary: number | undefined
  const secondaryAt = (at: number) => {
    const value = selectable[at]!.secondary?.(weights) ?? 0
    return Number.isNaN(value) ? 0 : value
  }
  for (let at = 0; at < selectable.length; at++) {
    const value = selectable[at]!.primary(weights)
    if (Number.isNaN(value)) continue
    if (best !== undefined && value < best.value - tie) continue
    if (best === undefined || value > best.value + tie) {
      best = { at, value }
      bestSecondary = undefined
      continue
    }
    bestSecondary ??= secondaryAt(best.at)
    const secondary = secondaryAt(at)
    if (secondary > bestSecondary + tie) {
      best = { at, value }
      bestSecondary = secondary
    }
  }
  return best
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Selection optimism [method §7.5; Efron & Tibshirani (1993), §17]: see `Optimism`. Null with fewer than two candidates
 * or drawable units, or where no resample has a value on both sides. Deterministic for a seed.
 */
export const optimismOf = (
  { drawn, measure, seed: seedCandidate, selectable, units }: OptimismInput,
  { resamples, seed }: Resampling
): Optimism | null => {
  if (selectable.length < 2 || drawn < 2) return null
  const everything = winnerAt(selectable, new Float64Array(drawn).fill(1))
  if (everything === undefined) return null
  const next = mulberry32(seed)
  const inBag = new Float64Array(drawn)
  const outOfBag = new Float64Array(drawn)
  const [inside, outside]: [Array<number>, Array<number>] = [[], []]
  const unselected: { readonly inside: Array<number>; readonly outside: Array<number> } = { inside: [], outside: [] }
  const times = new Map<number, number>()
  const fixed = selectable.find(({ candidate }) => candidate === seedCandidate)
  for (let resample = 0; resample < resamples; resample++) {
    inBag.fill(0)
    for (let draw = 0; draw < drawn; draw++) inBag[(next() * drawn) | 0]!++
    for (let unit = 0; unit < drawn; unit++) outOfBag[unit] = inBag[unit] === 0 ? 1 : 0
    const chosen = winnerAt(selectable, inBag)
    if (chosen === undefined) continue
    const held = selectable[chosen.at]!.primary(outOfBag)
    if (Number.isNaN(held)) continue
    times.set(chosen.at, (times.get(chosen.at) ?? 0) + 1)
    inside.push(chosen.value)
    outside.push(held)
    if (fixed === undefined) continue
    const [one, other] = [fixed.primary(inBag), fixed.primary(outOfBag)]
    if (Number.isNaN(one) || Number.isNaN(other)) continue
    unselected.inside.push(one)
    unselected.outside.push(other)
  }
  if (inside.length === 0) return null
  const gaps = Float64Array.from(inside, (value, at) => value - outside[at]!).sort()
  const optimism = mean(inside) - mean(outside)
  return {
    measure,
    candidates: selectable.length,
    units,
    drawn,
    resamples: inside.length,
    winner: selectable[everything.at]!.candidate,
    apparent: everything.value,
    inSample: mean(inside),
    outOfBag: mean(outside),
    optimism,
    spread: percentileInterval(gaps, 0.95)!,
    corrected: everything.value - optimism,
    unselected:
      fixed === undefined || unselected.inside.length === 0
        ? null
        : { candidate: fixed.candidate, inSample: mean(unselected.inside), outOfBag: mean(unselected.outside) },
    selected: [...times]
      .sort(([a, first], [b, second]) => second - first || a - b)
      .map(([at, count]) => ({ candidate: selectable[at]!.candidate, share: count / inside.length }))
  }
}
