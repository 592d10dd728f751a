/** The distinct words of a text: lower case, maximal runs of letters and digits of any script. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

/** Shared words over all distinct words of two word sets, in [0, 1]; 0 when both are empty. */
export const jaccard = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let shared = 0
  for (const word of small) if (large.has(word)) shared++
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

/** Jaccard similarity of the words of two texts, in [0, 1]; 0 when neither has a word. Jaccard (1901). */
export const jaccardSimilarity = (a: string, b: string): number => jaccard(wordSet(a), wordSet(b))

/** Similarity of every left text (row) with every right text (column). */
export const jaccardMatrix = (
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<number>> => {
  const words = right.map(wordSet)
  return left.map((text) => {
    const own = wordSet(text)
    return words.map((other) => jaccard(own, other))
  })
}
