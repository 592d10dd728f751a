import { gramsWithPlaces } from "../optimise/overlap.ts"
import type { LeakPart, LeakSource, LookedAt } from "./Audit.ts"
import type { AuditText, Found, TextIndex, Wanted } from "./AuditInput.ts"
import { measuresIn, usedAs, wordPlaces } from "./phrases.ts"
import { shortSentences } from "./sentences.ts"

/** Sources kept for each thing wanted and part: a reader needs a few, and common words have thousands. */
const sourcesKept = 4
const around = 60

/** The words from one place to another with some around them, cut at blanks, in one line. */
export const quoted = (text: string, start: number, end: number): string => {
  let from = Math.max(0, start - around)
  while (from > 0 && from < start && !/\s/.test(text[from - 1]!)) from++
  let to = Math.min(text.length, end + around)
  while (to < text.length && to > end && !/\s/.test(text[to]!)) to--
  return `${from > 0 ? "…" : ""}${text.slice(from, to).replace(/\s+/g, " ").trim()}${to < text.length ? "…" : ""}`
}

interface Building {
  readonly sources: Array<LeakSource>
  readonly byPart: Map<LeakPart, { readonly texts: Set<number>; readonly consultations: Set<string> }>
  readonly uses: { name: number; dosed: number; word: number }
}

const building = (): Building => ({ sources: [], byPart: new Map(), uses: { name: 0, dosed: 0, word: 0 } })

const built = ({ byPart, sources, uses }: Building): Found => ({
  sources,
  found: [...byPart].map(([part, { consultations, texts }]) => ({
    part,
    places: texts.size,
    consultations: consultations.size
  })),
  consultations: new Set([...byPart.values()].flatMap(({ consultations }) => [...consultations])).size,
  uses
})

/**
 * Makes texts searchable without handing them out: what comes back are quotes of hits. A search goes through all the
 * texts once, however much is wanted, and keeps nothing of what is not. Notes of a consultation that are the same text
 * count once.
 */
export const textIndex = (texts: ReadonlyArray<AuditText>, looked: ReadonlyArray<LookedAt>): TextIndex => ({
  looked,
  search: (wanted: Wanted) => {
    const hits = {
      words: new Map<string, Building>(),
      numbers: new Map<string, Building>(),
      names: new Map<string, Building>()
    }
    const add = (kind: keyof Wanted, key: string, number: number, start: number, end: number): Building => {
      const own = hits[kind].get(key) ?? building()
      hits[kind].set(key, own)
      const { consultation, document, note, part, text } = texts[number]!
      const ofPart = own.byPart.get(part) ?? { texts: new Set<number>(), consultations: new Set<string>() }
      own.byPart.set(part, ofPart)
      if (ofPart.texts.has(number)) return own
      if (ofPart.texts.size < sourcesKept)
        own.sources.push({ part, consultation, document, note, quote: quoted(text, start, end) })
      ofPart.texts.add(number)
      ofPart.consultations.add(consultation)
      return own
    }
    for (const [number, { text }] of texts.entries()) {
      if (wanted.words.size > 0)
        for (const grams of [gramsWithPlaces(text), shortSentences(text)])
          for (const { end, gram, start } of grams) if (wanted.words.has(gram)) add("words", gram, number, start, end)
      if (wanted.numbers.size > 0)
        for (const { bare, end, named, namedStart, start } of measuresIn(text)) {
          if (wanted.numbers.has(bare)) add("numbers", bare, number, start, end)
          if (named !== undefined && wanted.numbers.has(named)) add("numbers", named, number, namedStart, end)
        }
      if (wanted.names.size > 0)
        for (const { end, name, start } of wordPlaces(text)) {
          if (!wanted.names.has(name)) continue
          const use = usedAs(text, start, end)
          const own = add("names", name, number, start, end)
          if (use !== "start") own.uses[use]++
        }
    }
    const all = (kind: keyof Wanted) => new Map([...hits[kind]].map(([key, own]) => [key, built(own)] as const))
    return { words: all("words"), numbers: all("numbers"), names: all("names") }
  }
})

/** A part that was not looked at, and why. */
export const notLookedAt = (part: LeakPart, why: string): TextIndex => ({
  looked: [{ part, consultations: 0, texts: 0, notLookedAt: why }],
  search: () => ({ words: new Map(), numbers: new Map(), names: new Map() })
})

interface WithTexts {
  readonly id: string
  readonly transcript: string | null
  readonly notes: ReadonlyArray<{ readonly id: string; readonly text: string }>
}

/** The index of a part's consultations: transcripts, and every distinct note. */
export const indexOfPart = (part: LeakPart, consultations: ReadonlyArray<WithTexts>): TextIndex => {
  const texts = consultations.flatMap(({ id, notes, transcript }): ReadonlyArray<AuditText> => {
    const distinct = new Map(notes.map((note) => [note.text, note.id]).reverse() as Array<[string, string]>)
    return [
      ...(transcript === null
        ? []
        : [{ part, consultation: id, document: "transcript", note: null, text: transcript } as const]),
      ...[...distinct]
        .reverse()
        .map(([text, note]) => ({ part, consultation: id, document: "note", note, text }) as const)
    ]
  })
  return textIndex(texts, [{ part, consultations: consultations.length, texts: texts.length, notLookedAt: null }])
}
