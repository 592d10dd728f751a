/** Values closer than this lead together. */
export const tolerance = 1e-9

/**
 * A Pareto frontier over cells [GEPA]: for each cell (an instance, a group of them), the candidates that no other beats
 * there. Grows one candidate at a time at a cost of O(cells); the survivors of pruning are worked out once for each state
 * of the pool.
 */
export class CellFrontier {
  readonly #values: Array<Float64Array> = []
  readonly #means: Array<number> = []
  readonly #best: Float64Array
  /** For each cell the numbers of the candidates that lead it. */
  readonly #leaders: Array<Array<number>>
  #survivors: ReadonlyMap<number, number> | undefined

  constructor(cells: number) {
    this.#best = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY)
    this.#leaders = Array.from({ length: cells }, () => [])
  }

  get candidates(): number {
    return this.#values.length
  }

  /** Adds the next candidate, with its value in each cell. NaN, which is no value, leads nothing. */
  add(values: Float64Array): void {
    const candidate = this.#values.length
    let sum = 0
    for (let cell = 0; cell < this.#leaders.length; cell++) {
      const value = values[cell]!
      if (Number.isNaN(value)) continue
      sum += value
      const best = this.#best[cell]!
      if (value < best - tolerance) continue
      const leaders = this.#leaders[cell]!
      if (value > best) {
        this.#best[cell] = value
        // Against the new best, not the old: tolerances do not add up along a chain of near ties.
        for (let at = leaders.length - 1; at >= 0; at--) {
          if (this.#values[leaders[at]!]![cell]! < value - tolerance) leaders.splice(at, 1)
        }
      }
      leaders.push(candidate)
    }
    this.#values.push(values)
    this.#means.push(values.length === 0 ? 0 : sum / values.length)
    this.#survivors = undefined
  }

  /** The candidates that lead the cell, in order of birth. */
  leaders(cell: number): ReadonlyArray<number> {
    return this.#leaders[cell]!
  }

  /**
   * The candidates left after pruning, with the number of cells each leads, in order of birth. One pass from the weakest
   * mean upwards takes out a candidate whose every led cell is also led by one still in; that single pass leaves an irredundant cover, because taking one out only makes the others more needed.
   */
  survivors(): ReadonlyMap<number, number> {
    if (this.#survivors !== undefined) return this.#survivors
    // Who leads what, candidate by candidate in one array: `led` from `start[c]` to `start[c + 1]`.
    const candidates = this.#values.length
    const left = Uint32Array.from(this.#leaders, (leaders) => leaders.length)
    const start = new Uint32Array(candidates + 1)
    for (const leaders of this.#leaders) for (const candidate of leaders) start[candidate + 1]!++
    for (let candidate = 0; candidate < candidates; candidate++) start[candidate + 1]! += start[candidate]!
    const led = new Uint32Array(start[candidates]!)
    const filled = start.slice()
    this.#leaders.forEach((leaders, cell) => {
      for (const candidate of leaders) led[filled[candidate]!++] = cell
    })
    const weakestFirst = Array.from({ length: candidates }, (_, candidate) => candidate).sort(
      (a, b) => this.#means[a]! - this.#means[b]! || a - b
    )
    const kept: Array<number> = []
    for (const candidate of weakestFirst) {
      const cells = led.subarray(start[candidate], start[candidate + 1])
      if (cells.some((cell) => left[cell] === 1)) kept.push(candidate)
      else for (const cell of cells) left[cell]!--
    }
    this.#survivors = new Map(
      kept.sort((a, b) => a - b).map((candidate) => [candidate, start[candidate + 1]! - start[candidate]!])
    )
    return this.#survivors
  }
}
