/** Two arrays that are read side by side must be of one length; anything else is a mistake of the caller. */
export const requireSameLength = (what: string, a: ArrayLike<unknown>, b: ArrayLike<unknown>): void => {
  if (a.length !== b.length) throw new RangeError(`${what}: ${a.length} values beside ${b.length}`)
}

/** Ranks and correlations have no meaning for NaN and infinities, and sorting would hide them. */
export const requireFinite = (what: string, values: ReadonlyArray<number>): void => {
  const index = values.findIndex((value) => !Number.isFinite(value))
  if (index >= 0) throw new RangeError(`${what}: value ${index} is ${values[index]}`)
}

/** `k` of `n`: whole numbers with 0 <= k <= n. */
export const requireShare = (what: string, k: number, n: number): void => {
  if (!Number.isSafeInteger(k) || !Number.isSafeInteger(n) || k < 0 || k > n) {
    throw new RangeError(`${what}: ${k} of ${n} is not a count of successes`)
  }
}

/** A level of confidence is strictly between 0 and 1: 0.95, not 95. */
export const requireConfidence = (confidence: number): void => {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence ${confidence} is not between 0 and 1`)
}
