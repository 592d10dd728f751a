import { requireSameLength } from "./arguments.ts"
import { signTest } from "./signTest.ts"

export interface McNemar {
  /** Items that only the first method got right. */
  readonly b: number
  /** Items that only the second method got right. */
  readonly c: number
  /** Exact and two-sided, not mid-p; 1 without a discordant item. */
  readonly p: number
}

/**
 * Exact McNemar test of two methods on the same items, `first[i]` and `second[i]` being whether each got item i right
 * (or flagged it). Throws a RangeError for unequal lengths. McNemar, Psychometrika 12 (1947), exact form: the binomial
 * test of the discordant items, min(1, 2 P(X <= min(b, c))).
 */
export const mcnemar = (first: ReadonlyArray<boolean>, second: ReadonlyArray<boolean>): McNemar => {
  requireSameLength("McNemar", first, second)
  let b = 0
  let c = 0
  for (let i = 0; i < first.length; i++) {
    if (first[i] && !second[i]) b++
    else if (!first[i] && second[i]) c++
  }
  return { b, c, p: signTest(b, c) }
}
