import { signTest } from "../statistics/signTest.ts"
import { Interner, int32 } from "./scoresInterner.ts"
import { words } from "./words.ts"

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

export type WordCounts = ReadonlyMap<string, number>

/** How often a text has each of its words. */
export const wordCounts = (text: string): WordCounts => {
  const found = new Map<string, number>()
  for (const word of words(text)) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

interface Sides {
  clean: number
  flawed: number
}

/** Sums of floating-point weights that cancel out exactly in theory need not do so in practice. */
const nothing = 1e-9

/**
 * Picks the side whose words other consultations' edits have on the clean side: the sign of the sum, over the words
 * of a pair's edit, of ln((clean + 1) / (flawed + 1)) counted over the pairs of all other consultations (naive Bayes
 * on words that differ, leaving one consultation out, so that a consultation's own wording cannot help it). Words that
 * other edits do not have weigh nothing. Of pairs that are added, only the words that differ are kept, as numbers.
 */
export class EditVocabulary {
  readonly #words = new Interner()
  /** By word: in how many edits it is on the clean side, and on the flawed one. */
  readonly #clean = int32(0)
  readonly #flawed = int32(0)
  /** The edits' words one after the other, and where each edit ends: the number of a word, below 0 (and 1 less) on the flawed side. */
  readonly #edits = int32(0)
  readonly #ends: Array<number> = []
  readonly #pairsOf = new Map<string, Array<number>>()

  add(consultation: string, clean: WordCounts, flawed: WordCounts): void {
    let end = this.#ends.at(-1) ?? 0
    for (const word of new Set([...clean.keys(), ...flawed.keys()])) {
      const difference = (clean.get(word) ?? 0) - (flawed.get(word) ?? 0)
      if (difference === 0) continue
      const number = this.#words.number(word)
      const side = difference > 0 ? this.#clean : this.#flawed
      side.set(number, side.at(number) + 1)
      this.#edits.set(end++, difference > 0 ? number : ~number)
    }
    const pairs = this.#pairsOf.get(consultation)
    if (pairs === undefined) this.#pairsOf.set(consultation, [this.#ends.length])
    else pairs.push(this.#ends.length)
    this.#ends.push(end)
  }

  get cue(): VocabularyCue {
    const signs = Array.from(this.#ends, () => 0)
    for (const pairs of this.#pairsOf.values()) {
      const own = this.#sidesOf(pairs)
      for (const pair of pairs) signs[pair] = this.#signOf(pair, own)
    }
    return { signs, words: this.#telling() }
  }

  *#edit(pair: number): Generator<readonly [word: number, side: 1 | -1]> {
    for (let at = this.#ends[pair - 1] ?? 0; at < this.#ends[pair]!; at++) {
      const word = this.#edits.at(at)
      yield word < 0 ? [~word, -1] : [word, 1]
    }
  }

  #sidesOf(pairs: ReadonlyArray<number>): ReadonlyMap<number, Sides> {
    const sides = new Map<number, Sides>()
    for (const pair of pairs) {
      for (const [word, side] of this.#edit(pair)) {
        const one = sides.get(word) ?? { clean: 0, flawed: 0 }
        if (side > 0) one.clean += 1
        else one.flawed += 1
        sides.set(word, one)
      }
    }
    return sides
  }

  #signOf(pair: number, own: ReadonlyMap<number, Sides>): number {
    let sum = 0
    for (const [word, side] of this.#edit(pair)) {
      const mine = own.get(word)!
      sum += side * Math.log((this.#clean.at(word) - mine.clean + 1) / (this.#flawed.at(word) - mine.flawed + 1))
    }
    return Math.abs(sum) < nothing ? 0 : Math.sign(sum)
  }

  #telling(): ReadonlyArray<EditWord> {
    const found: Array<EditWord> = []
    for (let number = 0; number < this.#words.size; number++) {
      const [clean, flawed] = [this.#clean.at(number), this.#flawed.at(number)]
      const p = Math.min(1, signTest(clean, flawed) * this.#words.size)
      if (p < significant) found.push({ word: this.#words.text(number), clean, flawed, p })
    }
    return found.sort((a, b) => a.p - b.p || (a.word < b.word ? -1 : 1)).slice(0, shownWords)
  }
}
