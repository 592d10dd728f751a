import type { Consultation } from "../domain/Dataset.ts"

/** How often a reader who sees only a pair's surface could tell its clean note. */
export interface Shortcuts {
  readonly pairs: number
  /** Lengths in characters. */
  readonly cleanLonger: number
  readonly flawedLonger: number
  readonly sameLength: number
}

/** Counts over all pairs. A pair of which a note is missing is not counted. */
export const shortcuts = (consultations: ReadonlyArray<Consultation>): Shortcuts => {
  const lengths = consultations.flatMap((one) => {
    const texts = new Map(one.notes.map((note) => [note.id, note.text.length]))
    return one.pairs.flatMap((pair) => {
      const [clean, flawed] = [texts.get(pair.clean), texts.get(pair.flawed)]
      return clean === undefined || flawed === undefined ? [] : [clean - flawed]
    })
  })
  return {
    pairs: lengths.length,
    cleanLonger: lengths.filter((difference) => difference > 0).length,
    flawedLonger: lengths.filter((difference) => difference < 0).length,
    sameLength: lengths.filter((difference) => difference === 0).length
  }
}
