/** The Stirling series is exact to a double from here on. */
const seriesFrom = 16

/**
 * ln Γ(z) - ((z - ½) ln z - z + ½ ln 2π), z > 0: what Stirling's formula misses. Kept apart because the large terms of
 * several ln Γ cancel on paper, while in floats the difference of two numbers near 1e7 has lost nine digits.
 * Abramowitz & Stegun 6.1.40; below 16 carried up by Γ(z + 1) = z Γ(z).
 */
export const stirlingError = (z: number): number => {
  if (z < seriesFrom) return stirlingError(z + 1) + (z + 0.5) * Math.log1p(1 / z) - 1
  const w = 1 / (z * z)
  return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - (w * 691) / 360_360))))) / z
}

/** x^a e^-x / Γ(a + 1), a > 0, x > 0: the common factor of both expansions of the incomplete gamma function. */
const factor = (a: number, x: number): number =>
  Math.exp(a * Math.log(x / a) + (a - x) - stirlingError(a)) / Math.sqrt(2 * Math.PI * a)

/** Upper regularised incomplete gamma function Q(a, x), a > 0, x >= 0: series below a + 1, Lentz's fraction above. */
const upperGamma = (a: number, x: number): number => {
  if (x === 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  if (x < a + 1) {
    let term = 1
    let sum = 1
    for (let n = 1; term > sum * 1e-17; n++) {
      term *= x / (a + n)
      sum += term
    }
    return 1 - factor(a, x) * sum
  }
  let b = x + 1 - a
  let c = Number.POSITIVE_INFINITY
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < 100_000; n++) {
    const an = n * (a - n)
    b += 2
    d = 1 / (b + an * d)
    c = b + an / c
    const step = c * d
    fraction *= step
    if (Math.abs(step - 1) < 1e-16) break
  }
  return a * factor(a, x) * fraction
}

/**
 * P(X >= x) for X of the chi-square distribution with `df` > 0 degrees of freedom. 1 for x <= 0. Small values keep
 * their relative precision (about 1e-14). With df = 1 and x = z² it is the two-sided normal p-value of z. Throws a
 * RangeError for df <= 0. Abramowitz & Stegun 26.4.19: Q(df / 2, x / 2); 6.5.29 below and 6.5.31 above the mean.
 */
export const chiSquareTail = (x: number, df: number): number => {
  if (!(df > 0)) throw new RangeError(`chi-square with ${df} degrees of freedom`)
  return x <= 0 ? 1 : upperGamma(df / 2, x / 2)
}
