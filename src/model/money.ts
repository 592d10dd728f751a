/** Trillionths: the unit in which a price per million tokens with up to six decimals is a whole number a token. */
const picosPerUsd = 1e12

/** Trillionths of a US dollar for one token, from US dollars for a million. */
export const picosPerToken = (usdPerMillion: number): number => Math.round(usdPerMillion * 1e6)

/**
 * US dollars for counted tokens at each price: a sum of whole numbers, so that it is the exact amount as near as a
 * number comes to it (exact up to $9,000 a call).
 */
export const usdOf = (parts: ReadonlyArray<readonly [tokens: number, usdPerMillion: number]>): number =>
  parts.reduce((sum, [tokens, price]) => sum + tokens * picosPerToken(price), 0) / picosPerUsd

/**
 * A running sum that keeps what rounding drops (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
 * endlicher Summen", 1974), so that a hundred thousand small amounts come to what they are.
 */
export class Total {
  #sum = 0
  #rest = 0

  constructor(start = 0) {
    this.#sum = start
  }

  add(value: number): void {
    const sum = this.#sum + value
    this.#rest += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum
    this.#sum = sum
  }

  get value(): number {
    return this.#sum + this.#rest
  }
}

/** The sum of amounts, in any order. */
export const totalOf = (values: Iterable<number>): number => {
  const total = new Total()
  for (const value of values) total.add(value)
  return total.value
}
