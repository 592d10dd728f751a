import { signTest } from "../statistics/signTest.ts"
import { words } from "./words.ts"

/** A pair with its two texts. */
export interface TextPair {
  readonly consultation: string
  readonly clean: string
  readonly flawed: string
}

/** What the wording of edits gives away. */
export interface VocabularyCue {
  /** By pair, in the order given: above 0 where the clean note is picked, below 0 where the flawed one is, 0 at a tie. */
  readonly signs: ReadonlyArray<number>
  readonly words: ReadonlyArray<EditWord>
}

/** A word and in how many pairs an edit has it on one side only. */
export interface EditWord {
  readonly word: string
  readonly clean: number
  readonly flawed: number
  /** Exact two-sided sign test of the two, times the number of words that were looked at (Bonferroni); at most 1. */
  readonly p: number
}

const shownWords = 10
const significant = 0.05

const counts = (text: string): Map<string, number> => {
  const found = new Map<string, number>()
  for (const word of words(text)) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

/** The words that one side has more often than the other: 1 for the clean side, -1 for the flawed one. */
const editOf = ({ clean, flawed }: TextPair): ReadonlyMap<string, 1 | -1> => {
  const [a, b] = [counts(clean), counts(flawed)]
  const edit = new Map<string, 1 | -1>()
  for (const word of new Set([...a.keys(), ...b.keys()])) {
    const difference = (a.get(word) ?? 0) - (b.get(word) ?? 0)
    if (difference !== 0) edit.set(word, difference > 0 ? 1 : -1)
  }
  return edit
}

interface Sides {
  clean: number
  flawed: number
}

const tally = (edits: ReadonlyArray<ReadonlyMap<string, 1 | -1>>): Map<string, Sides> => {
  const sides = new Map<string, Sides>()
  for (const edit of edits) {
    for (const [word, side] of edit) {
      const one = sides.get(word) ?? { clean: 0, flawed: 0 }
      if (side > 0) one.clean += 1
      else one.flawed += 1
      sides.set(word, one)
    }
  }
  return sides
}

/** Sums of floating-point weights that cancel out exactly in theory need not do so in practice. */
const nothing = 1e-9

/**
 * Picks the side whose words other consultations' edits have on the clean side: the sign of the sum, over the words
 * of a pair's edit, of ln((clean + 1) / (flawed + 1)) counted over the pairs of all other consultations (naive Bayes
 * on words that differ, leaving one consultation out, so that a consultation's own wording cannot help it). Words that
 * other edits do not have weigh nothing.
 */
export const editVocabulary = (pairs: ReadonlyArray<TextPair>): VocabularyCue => {
  const edits = pairs.map(editOf)
  const all = tally(edits)
  const own = new Map(
    [...Map.groupBy(pairs.keys(), (at) => pairs[at]!.consultation)].map(([id, some]) => [
      id,
      tally(some.map((at) => edits[at]!))
    ])
  )
  const signs = pairs.map(({ consultation }, at) => {
    let sum = 0
    for (const [word, side] of edits[at]!) {
      const total = all.get(word)!
      const mine = own.get(consultation)!.get(word)!
      sum += side * Math.log((total.clean - mine.clean + 1) / (total.flawed - mine.flawed + 1))
    }
    return Math.abs(sum) < nothing ? 0 : Math.sign(sum)
  })
  const found = [...all]
    .map(
      ([word, { clean, flawed }]): EditWord => ({
        word,
        clean,
        flawed,
        p: Math.min(1, signTest(clean, flawed) * all.size)
      })
    )
    .filter((one) => one.p < significant)
    .sort((a, b) => a.p - b.p || (a.word < b.word ? -1 : 1))
  return { signs, words: found.slice(0, shownWords) }
}
