import type { Trace } from "../../domain/Dataset.ts"
import type { Statement } from "./primockPairs.ts"
import { type Character, isCleanSide, isFlawedSide, noteText } from "./primockResultsHtml.ts"

/** A pair that differs in one edit of a clinician's, matched to what the clinician listed. */
export interface Single {
  readonly kind: "omission" | "error"
  readonly flawed: string
  readonly statements: ReadonlyArray<Statement>
  /** What the edit took out or put in. */
  readonly edited: string
  /** Of an omission: what is left of it. Undefined where all of its words are left. */
  readonly trace?: Trace
  /** Of an error: what the clean note says in its place. */
  readonly corrected?: string
}

const stopWords = new Set(
  "a an and are as at be been but by for from had has have he her his i in is it no not of on or she that the their there they this to was were which with you your".split(
    " "
  )
)

const contentWords = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word)))

/** Share of one text's content words that another has; 0 for a text without any. */
const shareIn = (words: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  words.size === 0 ? 0 : [...words].filter((word) => other.has(word)).length / words.size

/** From which share of common words on an edit is taken for a listed item: lists are mostly verbatim. */
const enough = 0.75

/** The listed items that an edit is about: those it holds whole, else the one that holds it and stands on its lines. */
const matching = (edited: string, lines: string, listed: ReadonlyArray<Statement>): ReadonlyArray<Statement> => {
  const own = contentWords(edited)
  if (own.size === 0) return []
  const around = contentWords(lines)
  const held = listed.filter((item) => shareIn(contentWords(item.text), own) >= enough)
  if (held.length > 0) return held
  const holding = listed
    .map((item) => ({ item, words: contentWords(item.text) }))
    .filter(({ words }) => shareIn(own, words) >= enough && shareIn(words, around) >= enough)
    .map(({ item, words }) => ({ item, fit: shareIn(words, own) }))
    .sort((a, b) => b.fit - a.fit)
  return holding.slice(0, 1).map(({ item }) => item)
}

interface Edit {
  readonly id: number
  readonly fate: "inserted" | "deleted"
  readonly first: number
  readonly last: number
  readonly text: string
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const editsOf = (characters: ReadonlyArray<Character>): ReadonlyArray<Edit> => {
  const grouped = new Map<number, { fate: "inserted" | "deleted"; first: number; last: number; text: string }>()
  for (const [at, { edit, fate, text }] of characters.entries()) {
    if (edit === undefined || (fate !== "inserted" && fate !== "deleted")) continue
    const known = grouped.get(edit)
    if (known === undefined) grouped.set(edit, { fate, first: at, last: at, text })
    else {
      known.last = at
      known.text += text
    }
  }
  return [...grouped].map(([id, edit]) => ({ id, ...edit })).filter((edit) => hasWords(edit.text))
}

/** The edit next to another in a direction, spaces of one line between them at most. */
const neighbour = (
  characters: ReadonlyArray<Character>,
  edits: ReadonlyMap<number, Edit>,
  from: number,
  step: 1 | -1
): Edit | undefined => {
  for (let at = from + step; at >= 0 && at < characters.length; at += step) {
    const { edit, fate, text } = characters[at]!
    const found = edit === undefined ? undefined : edits.get(edit)
    if (fate !== "kept" && found !== undefined) return found
    if (fate === "kept" && (text === "\n" || text.trim() !== "")) return undefined
  }
  return undefined
}

/** An insertion that begins the line below an edit, if it says something of the same words. */
const correctionBelow = (
  characters: ReadonlyArray<Character>,
  edits: ReadonlyMap<number, Edit>,
  edit: Edit
): Edit | undefined => {
  let broken = false
  for (const { edit: id, fate, text } of characters.slice(edit.last + 1)) {
    if (text.trim() === "") {
      if (text === "\n" && fate !== "neither") broken = true
      continue
    }
    const found = fate === "inserted" && broken && id !== undefined ? edits.get(id) : undefined
    const words = contentWords(edit.text)
    return found !== undefined && shareIn(words, contentWords(found.text)) > 0 ? found : undefined
  }
  return undefined
}

/** The lines of one side on which an edit stands. */
const linesAround = (
  characters: ReadonlyArray<Character>,
  edit: Edit,
  isSide: (character: Character) => boolean
): string => {
  let from = edit.first
  let to = edit.last
  while (from > 0 && !(characters[from - 1]!.text === "\n" && isSide(characters[from - 1]!))) from -= 1
  while (to < characters.length - 1 && !(characters[to + 1]!.text === "\n" && isSide(characters[to + 1]!))) to += 1
  return noteText(characters.slice(from, to + 1).filter(isSide))
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/**
 * From the fully edited note: each insertion that is a listed omission taken out again, and each deletion that is a
 * listed incorrect statement put back. `unmatched` counts the edits with words that are no listed item, or say
 * otherwise what was deleted beside them.
 */
export const singlesOf = (
  characters: ReadonlyArray<Character>,
  listed: { readonly omissions: ReadonlyArray<Statement>; readonly incorrect: ReadonlyArray<Statement> }
): {
  readonly singles: ReadonlyArray<Single>
  readonly unmatched: { readonly inserted: number; readonly deleted: number }
} => {
  const edits = editsOf(characters)
  const byId = new Map(edits.map((edit) => [edit.id, edit]))
  const clean = noteText(characters.filter(isCleanSide))
  const singles: Array<Single> = []
  const unmatched = { inserted: 0, deleted: 0 }

  const omission = (edit: Edit): Single | undefined => {
    const beside = [neighbour(characters, byId, edit.first, -1), neighbour(characters, byId, edit.last, 1)]
    if (beside.some((one) => one?.fate === "deleted")) return undefined
    const statements = matching(edit.text, linesAround(characters, edit, isCleanSide), listed.omissions)
    if (statements.length === 0) return undefined
    const flawed = noteText(characters.filter((one) => isCleanSide(one) && one.edit !== edit.id))
    const left = shareIn(contentWords(edit.text), contentWords(flawed))
    return {
      kind: "omission",
      flawed,
      statements,
      edited: oneLine(edit.text),
      ...(left === 1 ? {} : { trace: left === 0 ? "complete" : "fragment" })
    }
  }

  const error = (edit: Edit): Single | undefined => {
    const statements = matching(edit.text, linesAround(characters, edit, isFlawedSide), listed.incorrect)
    if (statements.length === 0) return undefined
    const replacement = [neighbour(characters, byId, edit.last, 1), neighbour(characters, byId, edit.first, -1)].find(
      (one) => one?.fate === "inserted"
    )
    const corrected = replacement ?? correctionBelow(characters, byId, edit)
    const flawed = noteText(
      characters.filter(
        (one) =>
          (isCleanSide(one) && (replacement === undefined || one.edit !== replacement.id)) ||
          (one.fate === "deleted" && one.edit === edit.id)
      )
    )
    return {
      kind: "error",
      flawed,
      statements,
      edited: oneLine(edit.text),
      ...(corrected === undefined ? {} : { corrected: oneLine(corrected.text) })
    }
  }

  for (const edit of edits) {
    const single = edit.fate === "inserted" ? omission(edit) : error(edit)
    if (single === undefined || single.flawed === clean || single.flawed === "") unmatched[edit.fate] += 1
    else singles.push(single)
  }
  return { singles, unmatched }
}
