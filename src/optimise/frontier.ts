import { uniform, weightedIndex } from "../domain/Random.ts"

/** Rewards closer than this lead together. */
export const tolerance = 1e-9

/**
 * The per-instance Pareto frontier [GEPA]: for each instance, the candidates that no other beats there. Grows one
 * candidate at a time at a cost of O(instances); the survivors of pruning are worked out once for each state of the pool.
 */
export class Frontier {
  readonly #rewards: Array<Float64Array> = []
  readonly #means: Array<number> = []
  readonly #best: Float64Array
  /** For each instance the numbers of the candidates that lead it. */
  readonly #leaders: Array<Array<number>>
  #survivors: ReadonlyMap<number, number> | undefined

  constructor(instances: number) {
    this.#best = new Float64Array(instances).fill(Number.NEGATIVE_INFINITY)
    this.#leaders = Array.from({ length: instances }, () => [])
  }

  get candidates(): number {
    return this.#rewards.length
  }

  /** Adds the next candidate. NaN, an instance that could not be judged, leads nothing. */
  add(rewards: Float64Array): void {
    const candidate = this.#rewards.length
    let sum = 0
    for (let instance = 0; instance < this.#leaders.length; instance++) {
      const value = rewards[instance]!
      if (Number.isNaN(value)) continue
      sum += value
      const best = this.#best[instance]!
      if (value < best - tolerance) continue
      const leaders = this.#leaders[instance]!
      if (value > best) {
        this.#best[instance] = value
        // Against the new best, not the old: tolerances do not add up along a chain of near ties.
        for (let at = leaders.length - 1; at >= 0; at--) {
          if (this.#rewards[leaders[at]!]![instance]! < value - tolerance) leaders.splice(at, 1)
        }
      }
      leaders.push(candidate)
    }
    this.#rewards.push(rewards)
    this.#means.push(rewards.length === 0 ? 0 : sum / rewards.length)
    this.#survivors = undefined
  }

  /** The candidates that lead the instance, in order of birth. */
  leaders(instance: number): ReadonlyArray<number> {
    return this.#leaders[instance]!
  }

  /** Mean over instances of the best reward there. 0 before the first candidate. */
  get frontMean(): number {
    if (this.#best.length === 0 || this.#rewards.length === 0) return 0
    return this.#best.reduce((sum, value) => sum + Math.max(0, value), 0) / this.#best.length
  }

  /**
   * The candidates left after pruning, with the number of instances each leads, in order of birth. One pass from the
   * weakest mean upwards takes out a candidate whose every led instance is also led by one still in; that single pass
   * leaves an irredundant cover, because taking one out only makes the others more needed.
   */
  survivors(): ReadonlyMap<number, number> {
    if (this.#survivors !== undefined) return this.#survivors
    // Who leads what, candidate by candidate in one array: `led` from `start[c]` to `start[c + 1]`.
    const candidates = this.#rewards.length
    const left = Uint32Array.from(this.#leaders, (leaders) => leaders.length)
    const start = new Uint32Array(candidates + 1)
    for (const leaders of this.#leaders) for (const candidate of leaders) start[candidate + 1]!++
    for (let candidate = 0; candidate < candidates; candidate++) start[candidate + 1]! += start[candidate]!
    const led = new Uint32Array(start[candidates]!)
    const filled = start.slice()
    this.#leaders.forEach((leaders, instance) => {
      for (const candidate of leaders) led[filled[candidate]!++] = instance
    })
    const weakestFirst = Array.from({ length: candidates }, (_, candidate) => candidate).sort(
      (a, b) => this.#means[a]! - this.#means[b]! || a - b
    )
    const kept: Array<number> = []
    for (const candidate of weakestFirst) {
      const instances = led.subarray(start[candidate], start[candidate + 1])
      if (instances.some((instance) => left[instance] === 1)) kept.push(candidate)
      else for (const instance of instances) left[instance]!--
    }
    this.#survivors = new Map(
      kept.sort((a, b) => a - b).map((candidate) => [candidate, start[candidate + 1]! - start[candidate]!])
    )
    return this.#survivors
  }

  /** The number of the next parent: a survivor, drawn in proportion to the instances it leads. */
  drawParent(seed: number, iteration: number): number {
    const survivors = [...this.survivors()]
    // With nothing judged nobody leads; the latest candidate is as good as any.
    if (survivors.length === 0) return this.candidates - 1
    const drawn = weightedIndex(
      survivors.map(([, weight]) => weight),
      uniform(seed, "parent", iteration)
    )
    return survivors[drawn]![0]
  }
}
