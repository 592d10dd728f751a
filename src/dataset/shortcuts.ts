import { type Consultation, type Pair, stratumOf } from "../domain/Dataset.ts"
import { signTest } from "../statistics/signTest.ts"
import { editVocabulary, type VocabularyCue } from "./shortcutsVocabulary.ts"

/** The surface features by which one side of a pair is picked without reading it. */
export const surfaceCues = [
  { name: "length", picks: "the longer note", of: (text: string) => text.length },
  {
    name: "lowerCase",
    picks: "more sentences that start in lower case",
    of: (text: string) => (text.match(/(?:^|[.!?]\s+|\n)[ \t]*(?:[-*•]\s*)?\p{Ll}/gu) ?? []).length
  },
  {
    name: "finalPunctuation",
    picks: "no punctuation at the end",
    of: (text: string) => (/[.!?…。！？؟।][\p{Pe}\p{Pf}"']*\s*$/u.test(text) ? 0 : 1)
  },
  {
    name: "lines",
    picks: "more lines",
    of: (text: string) => text.split("\n").filter((line) => line.trim() !== "").length
  },
  {
    name: "doubledSpaces",
    picks: "more doubled spaces",
    of: (text: string) => (text.match(/\S {2,}(?=\S)/g) ?? []).length
  }
] as const

/** In how many pairs the side that a cue picks is the clean one. */
export interface Cue {
  readonly name: (typeof surfaceCues)[number]["name"] | "vocabulary"
  /** Which side is picked, in a few words. */
  readonly picks: string
  /** clean + flawed + tie. */
  readonly n: number
  readonly clean: number
  readonly flawed: number
  /** The cue tells the sides not apart. */
  readonly tie: number
  /** Share of pairs that a reader of this cue alone gets right, who knows which way it points and tosses a coin at ties. */
  readonly solved: number
  /** Exact, two-sided, binomial: `clean` against `flawed` under a fair coin. */
  readonly p: number
}

export interface CueGroup {
  readonly pairs: number
  readonly cues: ReadonlyArray<Cue>
}

/** How often a reader who sees only a pair's surface could tell its clean note. */
export interface Shortcuts extends CueGroup {
  /** Words that stand in the changed parts on one side much more often than on the other, the least likely first. */
  readonly words: VocabularyCue["words"]
  /** The same cues within each class and stratum, where there is more than one: opposite cues cancel out in the whole. */
  readonly groups: ReadonlyArray<CueGroup & { readonly by: "class" | "stratum"; readonly value: string }>
}

interface Judged {
  readonly pair: Pair
  readonly stratum: string | undefined
  /** By cue: above 0 where the clean note is picked, below 0 where the flawed one is. */
  readonly signs: ReadonlyArray<number>
}

const vocabularyPicks = "words of other edits' clean sides"

const cueOf = (name: Cue["name"], picks: string, signs: ReadonlyArray<number>): Cue => {
  const n = signs.length
  const clean = signs.filter((sign) => sign > 0).length
  const flawed = signs.filter((sign) => sign < 0).length
  const tie = n - clean - flawed
  // The vocabulary is learnt with its direction, so it cannot be turned round afterwards.
  const right = name === "vocabulary" ? clean : Math.max(clean, flawed)
  return { name, picks, n, clean, flawed, tie, solved: n === 0 ? 0 : (right + tie / 2) / n, p: signTest(clean, flawed) }
}

const group = (judged: ReadonlyArray<Judged>): CueGroup => ({
  pairs: judged.length,
  cues: [
    ...surfaceCues.map(({ name, picks }, at) =>
      cueOf(
        name,
        picks,
        judged.map((one) => one.signs[at]!)
      )
    ),
    cueOf(
      "vocabulary",
      vocabularyPicks,
      judged.map((one) => one.signs[surfaceCues.length]!)
    )
  ]
})

const groupsBy = (judged: ReadonlyArray<Judged>, by: "class" | "stratum", of: (one: Judged) => string | undefined) => {
  const grouped = [...Map.groupBy(judged, of)]
    .filter((entry): entry is [string, Array<Judged>] => entry[0] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return grouped.length < 2 ? [] : grouped.map(([value, some]) => ({ by, value, ...group(some) }))
}

/** Over all pairs. A pair of which a note is missing is not counted. */
export const shortcuts = (consultations: ReadonlyArray<Consultation>): Shortcuts => {
  const found = consultations.flatMap((one) => {
    const texts = new Map(one.notes.map((note) => [note.id, note.text]))
    return one.pairs.flatMap((pair) => {
      const [clean, flawed] = [texts.get(pair.clean), texts.get(pair.flawed)]
      if (clean === undefined || flawed === undefined) return []
      return [{ pair, stratum: stratumOf(one, pair), consultation: one.id, clean, flawed }]
    })
  })
  const vocabulary = editVocabulary(found)
  const judged = found.map(
    ({ clean, flawed, pair, stratum }, at): Judged => ({
      pair,
      stratum,
      signs: [...surfaceCues.map(({ of }) => of(clean) - of(flawed)), vocabulary.signs[at]!]
    })
  )
  return {
    ...group(judged),
    words: vocabulary.words,
    groups: [
      ...groupsBy(judged, "class", (one) => one.pair.class),
      ...groupsBy(judged, "stratum", (one) => one.stratum)
    ]
  }
}
