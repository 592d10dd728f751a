import { requireConfidence } from "./arguments.ts"

/** Type-7 quantile (linear interpolation, as numpy's default) of values in rising order, share in [0, 1]. */
export const sortedQuantile = (sorted: ArrayLike<number>, share: number): number => {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (position - below)
}

/** The central interval of values in rising order: equal tails, type-7 quantiles. Null without a value. */
export const percentileInterval = (sorted: ArrayLike<number>, confidence: number): readonly [number, number] | null => {
  requireConfidence(confidence)
  if (sorted.length === 0) return null
  const tail = (1 - confidence) / 2
  return [sortedQuantile(sorted, tail), sortedQuantile(sorted, 1 - tail)]
}
