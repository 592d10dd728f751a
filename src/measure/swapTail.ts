import { mulberry32 } from "../domain/Random.ts"
import { type FlipTail, leastFlipP } from "../statistics/signFlip.ts"
import type { SwapDesign } from "./rankedTwice.ts"

/** `swapped[c]` is 1 where the two judges have changed places in consultation c. */
export type SwapStatistic = (swapped: Uint8Array) => number

export interface SwapOptions {
  /** Of the drawn arrangements; no part in an exact p. */
  readonly seed: number
  /** Drawn arrangements; 10,000 when left out, fewer for more than 10,000 notes, 499 at least. */
  readonly draws?: number
  /** All arrangements are gone through for so many consultations that differ; 14 when left out. */
  readonly exactUpTo?: number
}

export interface SwapTest extends FlipTail {
  /** The difference on the data: `a` less `b`. */
  readonly statistic: number
  readonly clusters: number
}

/** Sums of shares are compared with this allowance for rounding. */
const tolerance = 1e-9

const usualDraws = 10_000

const drawsFor = ({ replicates }: SwapDesign): number => {
  const entries = replicates.reduce((sum, { keys }) => sum + keys.length, 1)
  return Math.min(usualDraws, Math.max(499, Math.floor(2e8 / entries)))
}

/** Counts the drawn arrangements that reach `least`, and stops once there are more than `most`. */
const drawnHits = (
  { consultations, live }: SwapDesign,
  statistic: SwapStatistic,
  least: number,
  { draws, most, seed }: { readonly draws: number; readonly most: number; readonly seed: number }
): number => {
  const swapped = new Uint8Array(consultations)
  const next = mulberry32(seed)
  let hits = 0
  for (let draw = 0; draw < draws && hits <= most; draw++) {
    for (let from = 0; from < live; from += 32) {
      const bits = next() * 2 ** 32
      const end = Math.min(live, from + 32)
      for (let cluster = from; cluster < end; cluster++) swapped[cluster] = (bits >>> (cluster - from)) & 1
    }
    if (Math.abs(statistic(swapped)) >= least) hits++
  }
  return hits
}

/** Of the 2^(live - 1) arrangements in which the last consultation stays, how many reach `least`: the others mirror them. */
const allHits = ({ consultations, live }: SwapDesign, statistic: SwapStatistic, least: number): number => {
  const swapped = new Uint8Array(consultations)
  let hits = 0
  for (let arrangement = 0; arrangement < 2 ** (live - 1); arrangement++) {
    for (let cluster = 0; cluster < live - 1; cluster++) swapped[cluster] = (arrangement >>> cluster) & 1
    if (Math.abs(statistic(swapped)) >= least) hits++
  }
  return hits
}

const usualExact = 14

/** The smallest p that `swapTail` can give on so many consultations, as `leastFlipP`; 1 in 10,001 where arrangements are drawn. */
export const leastSwapP = (consultations: number): number =>
  consultations <= usualExact ? leastFlipP(consultations) : 1 / (usualDraws + 1)

/**
 * Two-sided tail of a statistic when two judges change places in any choice of consultations: the share of all 2^n
 * arrangements in which it is at least as far from nought as on the data; seeded draws with p = (hits + 1) / (draws + 1)
 * where there are too many. The statistic changes its sign when all are swapped.
 */
export const swapTail = (design: SwapDesign, statistic: SwapStatistic, options: SwapOptions): FlipTail => {
  const { consultations, live } = design
  const least = Math.abs(statistic(new Uint8Array(consultations))) - tolerance
  const arrangements = 2 ** consultations
  if (least <= 0) return { arrangements, extreme: arrangements, p: 1, exact: true }
  if (live <= (options.exactUpTo ?? usualExact)) {
    const p = allHits(design, statistic, least) / 2 ** (live - 1)
    return { arrangements, extreme: p * arrangements, p, exact: true }
  }
  const draws = options.draws ?? drawsFor(design)
  const extreme = drawnHits(design, statistic, least, { draws, seed: options.seed, most: draws }) + 1
  return { arrangements: draws + 1, extreme, p: extreme / (draws + 1), exact: false }
}

/** Draws of a decision alone: p of at most 0.05 is then one of at most 10 in 200. */
const decisionDraws = 199
const decisionExact = 8

/**
 * Whether p is at most `alpha`, as `swapTail` with 199 draws has it (exact for up to 8 consultations), stopping as soon
 * as that is settled: for simulations, which ask thousands of times. Keeps alpha; at 80 % power it finds about one point
 * less than 10,000 draws do.
 */
export const swapRejects = (design: SwapDesign, statistic: SwapStatistic, alpha: number, seed: number): boolean => {
  const least = Math.abs(statistic(new Uint8Array(design.consultations))) - tolerance
  if (least <= 0) return alpha >= 1
  if (design.live <= decisionExact) {
    return allHits(design, statistic, least) <= alpha * 2 ** (design.live - 1) + tolerance
  }
  const most = Math.floor(alpha * (decisionDraws + 1) + tolerance) - 1
  return drawnHits(design, statistic, least, { draws: decisionDraws, most, seed }) <= most
}
