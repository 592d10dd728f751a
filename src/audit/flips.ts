import { wordDifference } from "../dataset/difference.ts"
import { signTest } from "../statistics/signTest.ts"
import type { Flip, Flips } from "./Audit.ts"
import type { Judged, Measured } from "./judged.ts"

export interface FlipTexts {
  /** Note texts by item id. */
  readonly notes: ReadonlyMap<string, string> | null
  /** What each pair is about, by pair id. */
  readonly facts: ReadonlyMap<string, string> | null
}

/** The pairs that the candidate orders right and its seed does not, and the reverse, with both texts. Method §7.6. */
export const flipsOf = (measured: Measured, seed: Judged, candidate: Judged, texts: FlipTexts): Flips => {
  const { table } = measured.index
  const consultations = new Set<string>()
  const gained: Array<Flip> = []
  const lost: Array<Flip> = []
  let [pairs, bothRight, neitherRight, better, worse] = [0, 0, 0, 0, 0]
  const consultationOf = new Map(table.items.map(({ consultation, id }) => [id, consultation]))
  for (const [at, place] of measured.pairs.entries()) {
    const [before, after] = [seed.outcomes[at]!, candidate.outcomes[at]!]
    if (Number.isNaN(before) || Number.isNaN(after)) continue
    const pair = table.pairs[place]!
    const consultation = consultationOf.get(pair.flawed)!
    consultations.add(consultation)
    pairs++
    if (after > before) better++
    else if (after < before) worse++
    if ((before === 1) === (after === 1)) {
      if (after === 1) bothRight++
      else neitherRight++
      continue
    }
    const { clean, flawed } = measured.index.pairs[place]!
    const [cleanText, flawedText] = [texts.notes?.get(pair.clean), texts.notes?.get(pair.flawed)]
    const flip: Flip = {
      pair: pair.id,
      consultation,
      class: pair.class,
      trace: pair.trace ?? null,
      severity: pair.severity ?? null,
      fact: texts.facts?.get(pair.id) ?? null,
      before: { flawed: seed.scores[flawed]!, clean: seed.scores[clean]! },
      after: { flawed: candidate.scores[flawed]!, clean: candidate.scores[clean]! },
      texts:
        cleanText === undefined || flawedText === undefined
          ? null
          : { clean: cleanText, flawed: flawedText, difference: wordDifference(cleanText, flawedText) }
    }
    ;(after === 1 ? gained : lost).push(flip)
  }
  return {
    seed: seed.candidate.id,
    candidate: candidate.candidate.id,
    pairs,
    consultations: consultations.size,
    gained,
    lost,
    bothRight,
    neitherRight,
    better,
    worse,
    // Of all changes: finer scores turn ties into wins and losses alike, and only the wins among those are gained.
    p: better + worse === 0 ? null : signTest(better, worse)
  }
}
