/** The 97.5 % quantile of the standard normal distribution: two-sided 95 %. */
export const z95 = 1.959963984540054

/**
 * Wilson score interval for `k` successes in `n` trials, without continuity correction, as fractions in [0, 1]. Null for
 * n = 0. The bounds are exact where they must be: 0 at k = 0 and 1 at k = n. For another confidence pass `zOf(0.9)`.
 * Wilson, J. Am. Stat. Assoc. 22 (1927).
 */
export const wilson = (k: number, n: number, z: number = z95): readonly [number, number] | null => {
  if (n === 0) return null
  const share = k / n
  const z2 = z * z
  const centre = share + z2 / (2 * n)
  const half = z * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))
  const scale = 1 + z2 / n
  return [k === 0 ? 0 : (centre - half) / scale, k === n ? 1 : (centre + half) / scale]
}
