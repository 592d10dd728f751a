import { type Consultation, type ErrorClass, stratumOf } from "../domain/Dataset.ts"
import { holm } from "../statistics/adjust.ts"
import { signTest } from "../statistics/signTest.ts"
import { wilson } from "../statistics/wilson.ts"
import { EditVocabulary, type VocabularyCue, type WordCounts, wordCounts } from "./shortcutsVocabulary.ts"

/** The surface features by which one side of a pair is picked without reading it: that with more of it, or with less. */
export const surfaceCues = [
  { name: "length", picks: ["the longer note", "the shorter note"], of: (text: string) => text.length },
  {
    name: "lowerCase",
    picks: ["more sentences that start in lower case", "fewer sentences that start in lower case"],
    of: (text: string) => (text.match(/(?:^|[.!?]\s+|\n)[ \t]*(?:[-*•]\s*)?\p{Ll}/gu) ?? []).length
  },
  {
    name: "finalPunctuation",
    picks: ["no punctuation at the end", "punctuation at the end"],
    of: (text: string) => (/[.!?…。！？؟।][\p{Pe}\p{Pf}"']*\s*$/u.test(text) ? 0 : 1)
  },
  {
    name: "lines",
    picks: ["more lines", "fewer lines"],
    of: (text: string) => text.split("\n").filter((line) => line.trim() !== "").length
  },
  {
    name: "doubledSpaces",
    picks: ["more doubled spaces", "fewer doubled spaces"],
    of: (text: string) => (text.match(/\S {2,}(?=\S)/g) ?? []).length
  }
] as const

/**
 * In how many pairs the side that a cue picks is the clean one. Every cue is given in the direction that is right more
 * often, as a reader would use it who knows the data set; the two-sided p-values pay for that choice.
 */
export interface Cue {
  readonly name: (typeof surfaceCues)[number]["name"] | "vocabulary"
  /** Which side is picked, in a few words. */
  readonly picks: string
  /** The side with less of the feature is picked ("the shorter note"), not the one with more. */
  readonly turned: boolean
  /** right + wrong + tie. */
  readonly n: number
  /** The picked side is the clean one. */
  readonly right: number
  readonly wrong: number
  /** The cue tells the sides not apart. */
  readonly tie: number
  /** Share of pairs that a reader of this cue alone gets right, who tosses a coin at ties. */
  readonly solved: number
  /** Wilson's 95 % interval of `solved`; null without pairs. */
  readonly interval: readonly [number, number] | null
  /** Exact, two-sided, binomial: `right` against `wrong` under a fair coin. Null where n is below `fewestPairs`. */
  readonly p: number | null
  /** The same of consultations, each taken by the majority of its pairs, which are not independent. */
  readonly pByConsultation: number | null
  /** `pByConsultation` adjusted over all cues that were tested, those of classes and strata too. */
  readonly holm: number | null
}

/** Of fewer pairs, nothing is tested. */
export const fewestPairs = 10

export interface CueGroup {
  readonly pairs: number
  readonly consultations: number
  readonly cues: ReadonlyArray<Cue>
}

/** How often a reader who sees only a pair's surface could tell its clean note. */
export interface Shortcuts extends CueGroup {
  /** How many cues were tested: the family of Holm's adjustment. */
  readonly tested: number
  /** Words that stand in the changed parts on one side much more often than on the other, the least likely first. */
  readonly words: VocabularyCue["words"]
  /** The same cues within each class and stratum, where there is more than one: opposite cues cancel out in the whole. */
  readonly groups: ReadonlyArray<CueGroup & { readonly by: "class" | "stratum"; readonly value: string }>
}

interface Judged {
  readonly class: ErrorClass
  readonly consultation: string
  readonly stratum: string | undefined
  /** By cue: above 0 where the clean note is picked, below 0 where the flawed one is. */
  readonly signs: ReadonlyArray<number>
}

const vocabularyPicks = ["words of other edits' clean sides", "words of other edits' flawed sides"] as const

interface Sided {
  readonly consultation: string
  readonly sign: number
}

const sidesOf = (signs: ReadonlyArray<number>) =>
  [signs.filter((sign) => sign > 0).length, signs.filter((sign) => sign < 0).length] as const

const cueOf = (name: Cue["name"], picks: readonly [string, string], sided: ReadonlyArray<Sided>): Cue => {
  const n = sided.length
  const [more, less] = sidesOf(sided.map((one) => one.sign))
  const turned = less > more
  const [right, wrong] = turned ? [less, more] : [more, less]
  const tie = n - right - wrong
  const sums = new Map<string, number>()
  for (const { consultation, sign } of sided) sums.set(consultation, (sums.get(consultation) ?? 0) + Math.sign(sign))
  const tested = n >= fewestPairs
  return {
    name,
    picks: picks[turned ? 1 : 0],
    turned,
    n,
    right,
    wrong,
    tie,
    solved: n === 0 ? 0 : (right + tie / 2) / n,
    interval: wilson(right + tie / 2, n),
    p: tested ? signTest(right, wrong) : null,
    pByConsultation: tested ? signTest(...sidesOf([...sums.values()])) : null,
    holm: null
  }
}

const group = (judged: ReadonlyArray<Judged>): CueGroup => {
  const sided = (at: number) => judged.map(({ consultation, signs }) => ({ consultation, sign: signs[at]! }))
  return {
    pairs: judged.length,
    consultations: new Set(judged.map((one) => one.consultation)).size,
    cues: [
      ...surfaceCues.map(({ name, picks }, at) => cueOf(name, picks, sided(at))),
      cueOf("vocabulary", vocabularyPicks, sided(surfaceCues.length))
    ]
  }
}

/** The groups with their p-values adjusted over the cues of all of them. */
const adjusted = <Group extends CueGroup>(groups: ReadonlyArray<Group>) => {
  const values = groups.flatMap(({ cues }) => cues.flatMap((cue) => cue.pByConsultation ?? []))
  const found = holm(values)
  let next = 0
  return {
    tested: values.length,
    groups: groups.map((one) => ({
      ...one,
      cues: one.cues.map((cue) => (cue.pByConsultation === null ? cue : { ...cue, holm: found[next++]! }))
    }))
  }
}

const groupsBy = (judged: ReadonlyArray<Judged>, by: "class" | "stratum", of: (one: Judged) => string | undefined) => {
  const grouped = [...Map.groupBy(judged, of)]
    .filter((entry): entry is [string, Array<Judged>] => entry[0] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return grouped.length < 2 ? [] : grouped.map(([value, some]) => ({ by, value, ...group(some) }))
}

const featuresOf = (text: string): ReadonlyArray<number> => surfaceCues.map(({ of }) => of(text))

/** Looks at the pairs of consultations one after the other. A pair of which a note is missing is not counted. */
export class ShortcutTally {
  /** Without the sign of the vocabulary cue, which follows from all pairs. */
  readonly #seen: Array<Judged> = []
  readonly #vocabulary = new EditVocabulary()

  add(consultation: Consultation): void {
    const texts = new Map(consultation.notes.map((note) => [note.id, note.text]))
    const notes = new Map<string, { readonly features: ReadonlyArray<number>; readonly words: WordCounts }>()
    const noteOf = (text: string) => {
      const known = notes.get(text)
      if (known !== undefined) return known
      const note = { features: featuresOf(text), words: wordCounts(text) }
      notes.set(text, note)
      return note
    }
    for (const pair of consultation.pairs) {
      const [clean, flawed] = [texts.get(pair.clean), texts.get(pair.flawed)]
      if (clean === undefined || flawed === undefined) continue
      const [one, other] = [noteOf(clean), noteOf(flawed)]
      this.#vocabulary.add(consultation.id, one.words, other.words)
      this.#seen.push({
        class: pair.class,
        stratum: stratumOf(consultation, pair),
        consultation: consultation.id,
        signs: one.features.map((feature, at) => feature - other.features[at]!)
      })
    }
  }

  get shortcuts(): Shortcuts {
    const vocabulary = this.#vocabulary.cue
    const judged = this.#seen.map((one, at): Judged => ({ ...one, signs: [...one.signs, vocabulary.signs[at]!] }))
    const parts = [
      ...groupsBy(judged, "class", (one) => one.class),
      ...groupsBy(judged, "stratum", (one) => one.stratum)
    ]
    const { groups, tested } = adjusted<CueGroup>([group(judged), ...parts])
    return {
      ...groups[0]!,
      tested,
      words: vocabulary.words,
      groups: parts.map(({ by, value }, at) => ({ by, value, ...groups[at + 1]! }))
    }
  }
}

/** Over all pairs of consultations that are all there. */
export const shortcuts = (consultations: Iterable<Consultation>): Shortcuts => {
  const tally = new ShortcutTally()
  for (const one of consultations) tally.add(one)
  return tally.shortcuts
}
