/** Sums by cluster, one entry each in both. */
interface SumsByCluster {
  readonly numerators: Float64Array
  readonly denominators: Float64Array
}

const utf8 = new TextEncoder()

const byLengthAndBytes = (one: Uint8Array, other: Uint8Array): number => {
  if (one.length !== other.length) return one.length - other.length
  const at = one.findIndex((byte, place) => byte !== other[place])
  return at < 0 ? 0 : one[at]! - other[at]!
}

const byName = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .map((name) => ({ name, bytes: utf8.encode(name) }))
    .sort((one, other) => byLengthAndBytes(one.bytes, other.bytes))
    .map(({ name }) => name)

/**
 * Clusters, each once, in the one order in which seeded draws take them, so that intervals and permutation tests say the
 * same of the same data whoever lists them: names with the shorter first (in bytes of UTF-8), then that with the smaller
 * byte, as tables of scores have them; numbers rising.
 */
export const inClusterOrder = <C extends string | number>(clusters: Iterable<C>): ReadonlyArray<C> => {
  const once = [...new Set(clusters)]
  return once.some((cluster) => typeof cluster === "string")
    ? (byName(once.map(String)) as ReadonlyArray<C>)
    : once.sort((one, other) => Number(one) - Number(other))
}

/** A number from 0 for each name, rising in `inClusterOrder`: what columns of clusters hold. */
export const clusterNumbers = (names: Iterable<string>): ReadonlyMap<string, number> =>
  new Map(inClusterOrder(names).map((name, number) => [name, number]))

/**
 * Sums by cluster for a ratio of sums, in `inClusterOrder`: of `above`, and of `below` or of ones. A case whose `above` is
 * NaN is left out, and so is a cluster without any other.
 */
export const sumsByCluster = (
  clusters: ArrayLike<string | number>,
  above: ArrayLike<number>,
  below?: ArrayLike<number>
): SumsByCluster => {
  const sums = new Map<string | number, { above: number; below: number }>()
  for (let at = 0; at < clusters.length; at++) {
    if (Number.isNaN(above[at]!)) continue
    const own = sums.get(clusters[at]!) ?? { above: 0, below: 0 }
    sums.set(clusters[at]!, own)
    own.above += above[at]!
    own.below += below?.[at] ?? 1
  }
  const ordered = inClusterOrder(sums.keys()).map((cluster) => sums.get(cluster)!)
  return {
    numerators: Float64Array.from(ordered, (own) => own.above),
    denominators: Float64Array.from(ordered, (own) => own.below)
  }
}
