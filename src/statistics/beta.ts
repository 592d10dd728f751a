import { stirlingError } from "./gamma.ts"

/** x^a (1 - x)^b / B(a, b), written so that the large terms cancel before they are computed. */
const factor = (x: number, a: number, b: number): number => {
  const n = a + b
  const log =
    a * Math.log((x * n) / a) +
    b * (Math.log1p(-x) + Math.log(n / b)) +
    stirlingError(n) -
    stirlingError(a) -
    stirlingError(b)
  return Math.exp(log) * Math.sqrt((a * b) / (2 * Math.PI * n))
}

/** Lentz's continued fraction of I_x(a, b), quick where x < (a + 1) / (a + b + 2). */
const fraction = (x: number, a: number, b: number): number => {
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    const step = d * c
    value *= step
    if (Math.abs(step - 1) < 1e-16) break
  }
  return value
}

/** Regularised incomplete beta function I_x(a, b): P(X <= x) for X ~ Beta(a, b), a > 0, b > 0. */
export const betaCdf = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0
  if (x >= 1) return 1
  return x < (a + 1) / (a + b + 2)
    ? (factor(x, a, b) * fraction(x, a, b)) / a
    : 1 - (factor(x, a, b) * fraction(1 - x, b, a)) / b
}

/**
 * Quantile of Beta(a, b), a > 0, b > 0, p in [0, 1]: Newton's step where it stays in the bracket, bisection otherwise.
 * Exact to about 1e-13 for a + b up to a million.
 */
export const betaQuantile = (p: number, a: number, b: number): number => {
  if (p <= 0) return 0
  if (p >= 1) return 1
  let low = 0
  let high = 1
  let x = a / (a + b)
  for (let step = 0; step < 200; step++) {
    const excess = betaCdf(x, a, b) - p
    if (excess === 0) return x
    if (excess < 0) low = x
    else high = x
    const density = factor(x, a, b) / (x * (1 - x))
    const newton = x - excess / density
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= 1e-16 * next) return next
    x = next
  }
  return x
}
