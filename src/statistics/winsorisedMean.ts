/**
 * Mean after the g = floor(limit · k) lowest values became the (g+1)-th lowest and the g highest the (g+1)-th highest.
 * Null without values. With the default limit of 1/8 the plain mean for k < 8 [OB §4.2]. The limit is in [0, ½): a
 * RangeError otherwise.
 */
export const winsorisedMean = (scores: ReadonlyArray<number>, limit = 0.125): number | null => {
  if (!(limit >= 0 && limit < 0.5)) throw new RangeError(`winsorising ${limit} of the values at each end`)
  if (scores.length === 0) return null
  const sorted = scores.toSorted((a, b) => a - b)
  const cut = Math.floor(limit * sorted.length)
  const low = sorted[cut]!
  const high = sorted[sorted.length - 1 - cut]!
  return sorted.reduce((sum, score) => sum + Math.min(Math.max(score, low), high), 0) / sorted.length
}
