/**
 * Of every bootstrap and drawn permutation for which nobody asks otherwise, so that one figure has one interval, whichever
 * command shows it. The seed of a search is no part of it: the figures of two searches differ by their judgements alone.
 */
export const usualResampling = { seed: 11, resamples: 10_000 } as const

/** How many resamples a bootstrap over so many consultations makes: as asked, fewer where that would take minutes. */
export const resamplesFor = (consultations: number, asked: number = usualResampling.resamples): number =>
  Math.min(asked, Math.max(200, Math.floor(1e7 / Math.max(1, consultations))))
