export interface Match {
  /** Row of the similarity matrix. */
  readonly left: number
  /** Its column. */
  readonly right: number
  readonly similarity: number
}

type Similarities = ReadonlyArray<ReadonlyArray<number>>

/** A cell is eligible from the threshold on, inclusive. */
const eligible = (similarity: Similarities, threshold: number): ReadonlyArray<Match> =>
  similarity.flatMap((row, left) =>
    row.flatMap((value, right) => (value >= threshold ? [{ left, right, similarity: value }] : []))
  )

/**
 * One-to-one matching of rows and columns, greedily: eligible cells by falling similarity, then row, then column; each
 * is taken when both its sides are free. Sorted by row.
 */
export const greedyMatching = (similarity: Similarities, threshold: number): ReadonlyArray<Match> => {
  const rows = new Set<number>()
  const columns = new Set<number>()
  return eligible(similarity, threshold)
    .toSorted((a, b) => b.similarity - a.similarity || a.left - b.left || a.right - b.right)
    .filter(({ left, right }) => {
      if (rows.has(left) || columns.has(right)) return false
      rows.add(left)
      columns.add(right)
      return true
    })
    .toSorted((a, b) => a.left - b.left)
}

/**
 * The one-to-one matching with the greatest total similarity over eligible cells, sorted by row; similarities are not
 * negative. Where several have that total, one of them. Rows and columns may stay unmatched. O(n³): Hungarian algorithm
 * with potentials (Kuhn 1955, Jonker & Volgenant 1987).
 */
export const optimalMatching = (similarity: Similarities, threshold: number): ReadonlyArray<Match> => {
  const rows = similarity.length
  const columns = similarity[0]?.length ?? 0
  if (rows === 0 || columns === 0) return []
  // Square by worthless rows and columns: to be assigned one of those is to stay unmatched.
  const size = Math.max(rows, columns)
  const cost = (row: number, column: number) => {
    const value = similarity[row]?.[column] ?? 0
    return value >= threshold ? -value : 0
  }
  const rowOf = new Int32Array(size + 1).fill(-1)
  const u = new Float64Array(size)
  const v = new Float64Array(size + 1)
  for (let row = 0; row < size; row++) {
    const least = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
    const before = new Int32Array(size).fill(size)
    const visited = new Uint8Array(size + 1)
    rowOf[size] = row
    let column = size
    while (rowOf[column]! >= 0) {
      visited[column] = 1
      const current = rowOf[column]!
      let step = Number.POSITIVE_INFINITY
      let next = size
      for (let other = 0; other < size; other++) {
        if (visited[other]) continue
        const reduced = cost(current, other) - u[current]! - v[other]!
        if (reduced < least[other]!) {
          least[other] = reduced
          before[other] = column
        }
        if (least[other]! < step) {
          step = least[other]!
          next = other
        }
      }
      for (let other = 0; other <= size; other++) {
        if (visited[other]) {
          u[rowOf[other]!]! += step
          v[other]! -= step
        } else if (other < size) least[other]! -= step
      }
      column = next
    }
    while (column !== size) {
      const previous = before[column]!
      rowOf[column] = rowOf[previous]!
      column = previous
    }
    rowOf[size] = -1
  }
  const matches: Array<Match> = []
  for (let right = 0; right < columns; right++) {
    const left = rowOf[right]!
    const value = similarity[left]?.[right]
    if (value !== undefined && value >= threshold) matches.push({ left, right, similarity: value })
  }
  return matches.sort((a, b) => a.left - b.left)
}
