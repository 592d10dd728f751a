/** What a judge cited on one note, and the sentence it should have cited. */
export interface CitedEvidence {
  /** The quote; null or without a word when none could be extracted. */
  readonly evidence: string | null
  /** The ground-truth sentence of this note: the error on the flawed note, its correction on the clean one. */
  readonly sentence: string
}

export interface EvidencePair {
  readonly flawed: CitedEvidence
  readonly clean: CitedEvidence
}

/** A both hit, B flawed note only, C clean note only, D neither, E no evidence on one of the notes. */
export type EvidenceCategory = "A" | "B" | "C" | "D" | "E"

/** Han and kana, where words have no boundaries to split at. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Lower case, compatibility forms folded (full-width digits), letters and digits only, one space between words. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

/** Characters where the sentence is Chinese or Japanese, words otherwise. */
const unitsOf = (text: string, byCharacter: boolean): ReadonlyArray<string> =>
  byCharacter ? [...text.replaceAll(" ", "")] : text.split(" ").filter((word) => word !== "")

/**
 * Share of the sentence's words that the evidence has, repeats counted, in [0, 1]; characters instead of words when the
 * sentence is Chinese or Japanese. It is the sentence that is to be covered: a two-word quote with one word in common
 * covers little. 0 for a sentence without a word.
 */
export const sentenceCoverage = (evidence: string, sentence: string): number => {
  const byCharacter = unspaced.test(sentence)
  const units = unitsOf(plain(sentence), byCharacter)
  const available = new Map<string, number>()
  for (const unit of unitsOf(plain(evidence), byCharacter)) available.set(unit, (available.get(unit) ?? 0) + 1)
  let covered = 0
  for (const unit of units) {
    const left = available.get(unit) ?? 0
    if (left === 0) continue
    covered++
    available.set(unit, left - 1)
  }
  return units.length === 0 ? 0 : covered / units.length
}

/**
 * Whether the evidence overlaps the sentence [BCR §3.4.3]: one contains the other (case, punctuation and white space
 * aside, at word boundaries where there are any), or the sentence is covered to at least `threshold`.
 */
export const evidenceHits = (evidence: string, sentence: string, threshold = 0.6): boolean => {
  const separator = unspaced.test(sentence) ? "" : " "
  const framed = (text: string) => separator + plain(text).replaceAll(" ", separator) + separator
  const [quote, truth] = [framed(evidence), framed(sentence)]
  if (quote.trim() === "" || truth.trim() === "") return false
  return truth.includes(quote) || quote.includes(truth) || sentenceCoverage(evidence, sentence) >= threshold
}

/**
 * The category of a pair by whose evidence overlaps its own sentence (`evidenceHits`): A on both notes, B on the flawed
 * one only, C on the clean one only, D on neither; E where either gave none. `threshold` is the share of the sentence,
 * in [0, 1], that has to be covered. [BCR §3.4.3].
 */
export const evidenceCategory = ({ flawed, clean }: EvidencePair, threshold = 0.6): EvidenceCategory => {
  if (plain(flawed.evidence ?? "") === "" || plain(clean.evidence ?? "") === "") return "E"
  const onFlawed = evidenceHits(flawed.evidence ?? "", flawed.sentence, threshold)
  const onClean = evidenceHits(clean.evidence ?? "", clean.sentence, threshold)
  if (onFlawed) return onClean ? "A" : "B"
  return onClean ? "C" : "D"
}

export interface EvidenceAnalysis {
  readonly counts: Readonly<Record<EvidenceCategory, number>>
  /** Share of pairs with evidence (A to D) whose flawed note's evidence hits; null without one. */
  readonly localisation: number | null
  /** The same on the clean notes: evidence that hits where there is nothing wrong. */
  readonly falseHit: number | null
}

/**
 * Evidence Contrastive Analysis [BCR §3.4.3]. Give it the pairs whose notes were both flagged (Pred1), where it separates
 * a judge that looks at the wrong place from one that cannot tell; other pairs lack evidence on the note that passed.
 */
export const evidenceAnalysis = (pairs: ReadonlyArray<EvidencePair>, threshold = 0.6): EvidenceAnalysis => {
  const counts: Record<EvidenceCategory, number> = { A: 0, B: 0, C: 0, D: 0, E: 0 }
  for (const pair of pairs) counts[evidenceCategory(pair, threshold)]++
  const extracted = counts.A + counts.B + counts.C + counts.D
  return {
    counts,
    localisation: extracted === 0 ? null : (counts.A + counts.B) / extracted,
    falseHit: extracted === 0 ? null : (counts.A + counts.C) / extracted
  }
}

/** How often a sentence drawn at random is the right one: 1 / mean number of sentences a note. Null without a sentence. */
export const randomLocalisation = (sentencesPerNote: ReadonlyArray<number>): number | null => {
  const total = sentencesPerNote.reduce((sum, sentences) => sum + sentences, 0)
  return total === 0 ? null : sentencesPerNote.length / total
}
