/**
 * C(n, m) / 2^n as a product whose halvings are done on the way, so that nothing overflows. Relative error about
 * 2m · 1e-16, where a difference of log-factorials near 1e5 has lost eleven digits.
 */
const coinProbability = (m: number, n: number): number => {
  let value = 1
  let halvings = 0
  for (let i = 1; i <= m; i++) {
    value *= (n - m + i) / i
    while (value > 1 && halvings < n) {
      value /= 2
      halvings++
    }
  }
  return value * 2 ** (halvings - n)
}

/**
 * Exact two-sided sign test: the p-value of `wins` against `losses`, ties left out, under a fair coin:
 * min(1, 2 P(X <= min(wins, losses))), X ~ Binomial(wins + losses, 1/2). Not mid-p. 1 when there is no discordant pair.
 * The same computation is the exact McNemar test of discordant counts b and c. Relative error below 1e-11 up to 10,000
 * discordant pairs; p-values below about 1e-308 are 0. Throws a RangeError for counts that are no whole numbers from 0.
 * Arbuthnott (1710); Conover, Practical Nonparametric Statistics (1999), §3.4.
 */
export const signTest = (wins: number, losses: number): number => {
  const n = wins + losses
  if (!Number.isSafeInteger(n) || wins < 0 || losses < 0 || !Number.isInteger(wins)) {
    throw new RangeError(`sign test of ${wins} against ${losses}`)
  }
  const fewer = Math.min(wins, losses)
  let term = coinProbability(fewer, n)
  let tail = 0
  for (let k = fewer; k >= 0 && term > tail * 1e-17; k--) {
    tail += term
    term *= k / (n - k + 1)
  }
  // P(X <= n / 2) is at least a half, and exactly one for n odd: a sum of floats falls short of it by an ulp.
  return n - 2 * fewer <= 1 ? 1 : Math.min(1, 2 * tail)
}
