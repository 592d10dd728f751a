import { hashText } from "../noise.ts"
import {
  calendarWords,
  doseUnits,
  headingWords,
  isClinical,
  isMedicine,
  personWords,
  socialWords,
  stopWords,
  timeUnits
} from "./lexicon.ts"
import { canonicalNumber, withDigits } from "./numbers.ts"
import { conceptOf, phrases } from "./synonyms.ts"
import { isMark, isNumber, stem, tokens } from "./tokens.ts"

export type Kind = "number" | "medicine" | "side" | "clinical" | "person" | "social" | "time" | "word"

/** One thing that a sentence speaks of. */
export interface Content {
  /** The word's stem, `#20` for a number, `left` or `right`. */
  readonly key: string
  /** What lay and clinical words for it share; the key where there is no other word. */
  readonly concept: string
  readonly kind: Kind
  /** How much it tells, from 0 to about 1.5. */
  readonly weight: number
  readonly negated: boolean
  /** Of a number: `mg`, `day`, …; of a side: the body part's concept. */
  readonly of: string | undefined
  readonly hash: number
}

interface WordMeaning {
  readonly key: string
  readonly concept: string
  readonly kind: Kind
  readonly weight: number
}

const weights: Readonly<Record<Kind, number>> = {
  number: 1,
  medicine: 1.4,
  side: 0.7,
  clinical: 1,
  person: 0.6,
  social: 0.6,
  time: 0.45,
  word: 0.3
}
const bareSmallNumber = 0.35

const meanings = new Map<string, WordMeaning | null>()
const meaningsKept = 20_000

/** What a word means; null for words without content. Remembered: every text uses the same few thousand words. */
const meaning = (word: string): WordMeaning | null => {
  const known = meanings.get(word)
  if (known !== undefined) return known
  if (meanings.size > meaningsKept) meanings.clear()
  const made = makeMeaning(word)
  meanings.set(word, made)
  return made
}

const makeMeaning = (word: string): WordMeaning | null => {
  const bare = word.replace(/'(?:s|d|ll|re|ve)$/, "")
  if (bare.length < 2 || stopWords.has(word) || stopWords.has(bare)) return null
  const key = stem(bare)
  const concept = conceptOf.get(bare) ?? conceptOf.get(key) ?? key
  const kind: Kind = isMedicine(bare)
    ? "medicine"
    : timeUnits.has(bare) || doseUnits.has(bare) || calendarWords.has(bare)
      ? "time"
      : personWords.has(concept) || personWords.has(key)
        ? "person"
        : isClinical(key, bare) || isClinical(concept, concept)
          ? "clinical"
          : socialWords.has(bare) || socialWords.has(key) || socialWords.has(concept)
            ? "social"
            : "word"
  return { key, concept, kind, weight: weights[kind] }
}

const negations: ReadonlySet<string> = new Set(
  "no not never without none nor nil non denies deny denied neither cannot nope".split(" ")
)
const isNegation = (word: string) => negations.has(word) || word.endsWith("n't")
const negationEnds: ReadonlySet<string> = new Set(
  "but however except apart although because since so if until then".split(" ")
)
const listGoesOn: ReadonlySet<string> = new Set("or nor and no any".split(" "))

/** How far a negation reaches: in a note across a list, in speech to the clause's end. */
const reach = { note: 14, speech: 8 } as const

const phraseAt = (words: ReadonlyArray<string>, at: number): ReadonlyArray<string> | undefined =>
  phrases.get(words[at]!)?.find((parts) => parts.every((part, offset) => words[at + offset] === part))

const bodyPartNear = (words: ReadonlyArray<string>, at: number): string | undefined => {
  for (const offset of [1, 2, 3, -1, -2, -3, -4]) {
    const word = words[at + offset]
    if (word === undefined || isNumber(word)) continue
    const found = meaning(word)
    if (found !== null && found.kind === "clinical") return found.concept
  }
  return undefined
}

const beforeASide: ReadonlySet<string> = new Set(
  "the my your his her their me on both to of left right lower upper".split(" ")
)

/** "Right, let me see" and "all right" are no sides. */
const isSide = (words: ReadonlyArray<string>, at: number, style: "note" | "speech"): boolean => {
  if (words[at] !== "left" && words[at] !== "right") return false
  if (style === "note") return true
  if (
    at + 1 >= words.length
      ? !beforeASide.has(words[at - 1] ?? "")
      : isMark(words[at + 1]!) && !beforeASide.has(words[at - 1] ?? "")
  )
    return false
  return beforeASide.has(words[at - 1] ?? "") || bodyPartNear(words.slice(0, at + 3), at) !== undefined
}

/** The contents of one sentence in order, each once. `negated` is what the words themselves say. */
export const contents = (sentence: string, style: "note" | "speech"): ReadonlyArray<Content> => {
  const words = withDigits(tokens(sentence))
  const found = new Map<string, Content>()
  let negatedUntil = -1
  const add = (key: string, concept: string, kind: Kind, weight: number, of: string | undefined, at: number) => {
    const id = of === undefined ? key : `${key}/${of}`
    if (!found.has(id))
      found.set(id, { key, concept, kind, weight, negated: at <= negatedUntil, of, hash: hashText(id) })
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (isMark(word)) {
      if (word !== "," || (style === "speech" && !listGoesOn.has(words[at + 1] ?? ""))) negatedUntil = -1
      continue
    }
    if (isNegation(word)) negatedUntil = at + reach[style]
    else if (negationEnds.has(word)) negatedUntil = -1
    if (isNumber(word)) {
      const value = canonicalNumber(word)
      const next = words[at + 1] ?? ""
      const unit = timeUnits.get(next) ?? doseUnits.get(next)
      const plain = unit === undefined && /^\d$/.test(value)
      add(`#${value}`, `#${value}`, "number", plain ? bareSmallNumber : weights.number, unit, at)
      continue
    }
    const phrase = phraseAt(words, at)
    if (phrase !== undefined) {
      const form = phrase.join("-")
      const concept = conceptOf.get(form)!
      const kind = meaning(concept)?.kind ?? "clinical"
      add(form, concept, kind === "word" ? "clinical" : kind, weights[kind], undefined, at)
      at += phrase.length - 1
      continue
    }
    if (isSide(words, at, style)) {
      add(word, word, "side", weights.side, bodyPartNear(words, at), at)
      continue
    }
    if (style === "note" && headingWords.has(word) && words[at + 1] === ":") continue
    const known = meaning(word)
    if (known !== null) add(known.key, known.concept, known.kind, known.weight, undefined, at)
  }
  return [...found.values()]
}
