import { chiSquareTail } from "./gamma.ts"

export interface CochranQ {
  /** Null when no row differs between conditions. */
  readonly q: number | null
  /** Conditions - 1; 0 without a row. */
  readonly df: number
  /** Chi-square upper tail, asymptotic. */
  readonly p: number | null
}

/**
 * Cochran's Q: do several conditions have the same success rate on the same items? One row an item, one column a
 * condition, true or 1 for success. Rows that are all alike contribute nothing. Throws a RangeError for rows of unequal
 * length. Cochran, Biometrika 37 (1950).
 */
export const cochranQ = (rows: ReadonlyArray<ReadonlyArray<boolean | 0 | 1>>): CochranQ => {
  const conditions = rows[0]?.length ?? 0
  const columns = new Array<number>(conditions).fill(0)
  let total = 0
  let squares = 0
  for (const row of rows) {
    if (row.length !== conditions)
      throw new RangeError(`Cochran's Q: a row of ${row.length} beside one of ${conditions}`)
    let successes = 0
    row.forEach((success, column) => {
      if (!success) return
      successes++
      columns[column]!++
    })
    total += successes
    squares += successes * successes
  }
  const df = Math.max(0, conditions - 1)
  const spread = conditions * total - squares
  if (df === 0 || spread === 0) return { q: null, df, p: null }
  const between = conditions * columns.reduce((sum, column) => sum + column * column, 0) - total * total
  const q = (df * between) / spread
  return { q, df, p: chiSquareTail(q, df) }
}
