import { gramsOf, gramsWithPlaces } from "../optimise/overlap.ts"
import type { Leak, Leakage, LeakExcuse, LeakPart, LeakSource } from "./Audit.ts"
import type { AuditCandidate, Found, TextIndex, Wanted } from "./AuditInput.ts"
import { measuresIn, type NamePlace, namesIn } from "./phrases.ts"
import { placeOf } from "./place.ts"
import { shortSentences } from "./sentences.ts"

/** In so many consultations, and in such a share of those looked at, something tells nothing of any one of them. */
const commonFrom = { consultations: 5, share: 0.1 }
/** A word is taken for a drug when such a share of its uses has a dose after it. */
const drugFrom = 0.2
const sourcesShown = 6

const rules = [
  "words: eight words in a row (twenty characters of scripts without spaces), or a whole sentence of four to seven, letter case, white space and punctuation aside",
  "number: a number with its unit, or two numbers as of a blood pressure, with the word before it where the data have that too; numbers in words from two on count as well",
  `name: a word that the data write with a capital only (weekdays and months aside), or that has a dose after it in ${drugFrom * 100} % of its uses or more`,
  "seed: the seed has it already, so the search did not copy it",
  "contract: the fixed prompt says it",
  `common: it stands in ${commonFrom.consultations} consultations or more and in ${commonFrom.share * 100} % or more of those looked at, so it tells nothing of one`
]

const partRank: Readonly<Record<LeakPart, number>> = { holdout: 0, acceptance: 1, train: 2, data: 3 }

/** What several indices found of one thing, as one. */
const joined = (some: ReadonlyArray<Found>): Found | undefined =>
  some.length === 0
    ? undefined
    : {
        sources: some.flatMap(({ sources }) => sources),
        found: some.flatMap(({ found }) => found),
        consultations: some.reduce((sum, { consultations }) => sum + consultations, 0),
        uses: {
          name: some.reduce((sum, { uses }) => sum + uses.name, 0),
          dosed: some.reduce((sum, { uses }) => sum + uses.dosed, 0),
          word: some.reduce((sum, { uses }) => sum + uses.word, 0)
        }
      }

type Lookup = (kind: keyof Wanted, key: string) => Found | undefined

const isNameIn = ({ uses }: Found, kind: NamePlace["kind"]): boolean => {
  const all = uses.name + uses.dosed + uses.word
  if (uses.dosed > 0 && uses.dosed >= drugFrom * all) return true
  return kind !== "word" && uses.name > 0 && uses.word === 0
}

/** What of the texts is fixed or was there from the start. */
interface Known {
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

const knownOf = (text: string): Known => ({
  words: new Set([...gramsOf([text]), ...Array.from(shortSentences(text), ({ gram }) => gram)]),
  numbers: new Set(measuresIn(text).flatMap(({ bare, named }) => (named === undefined ? [bare] : [bare, named]))),
  names: new Set(namesIn(text).map(({ name }) => name))
})

interface Hit {
  readonly kind: Leak["kind"]
  readonly start: number
  readonly end: number
  readonly found: ReadonlyArray<Found>
  readonly excuse: LeakExcuse | null
}

/** Sources of a hit that is made of several grams: each text once, with its first quote. */
const sourcesOf = (found: ReadonlyArray<Found>): ReadonlyArray<LeakSource> => {
  const byText = new Map<string, { readonly source: LeakSource; times: number }>()
  for (const { sources } of found) {
    for (const source of sources) {
      const key = JSON.stringify([source.part, source.consultation, source.document, source.note])
      const own = byText.get(key)
      if (own === undefined) byText.set(key, { source, times: 1 })
      else own.times++
    }
  }
  return [...byText.values()]
    .sort((a, b) => partRank[a.source.part] - partRank[b.source.part] || b.times - a.times)
    .map(({ source }) => source)
}

/** Of several grams, the counts of the one that most texts have. */
const countsOf = (found: ReadonlyArray<Found>): Leak["found"] => {
  const parts = new Map<LeakPart, Leak["found"][number]>()
  for (const one of found.flatMap((each) => each.found)) {
    const known = parts.get(one.part)
    if (known === undefined || known.places < one.places) parts.set(one.part, one)
  }
  return [...parts.values()].sort((a, b) => partRank[a.part] - partRank[b.part])
}

const hitsIn = (
  text: string,
  lookup: Lookup,
  excuseOf: (kind: keyof Known, key: string, found: Found) => LeakExcuse | null
): ReadonlyArray<Hit> => {
  const hits: Array<Hit> = []
  let run: { start: number; end: number; last: number; excuse: LeakExcuse | null; found: Array<Found> } | undefined
  const endRun = () => {
    if (run !== undefined) hits.push({ kind: "words", ...run })
    run = undefined
  }
  let place = 0
  for (const { end, gram, start } of gramsWithPlaces(text)) {
    place++
    const found = lookup("words", gram)
    if (found === undefined) continue
    const excuse = excuseOf("words", gram, found)
    if (run !== undefined && run.last === place - 1 && run.excuse === excuse) {
      run.end = end
      run.last = place
      run.found.push(found)
      continue
    }
    endRun()
    run = { start, end, last: place, excuse, found: [found] }
  }
  endRun()
  const covered = (start: number, end: number) =>
    hits.some((hit) => hit.kind === "words" && hit.excuse === null && hit.start <= start && hit.end >= end)
  for (const { end, gram, start } of shortSentences(text)) {
    const found = lookup("words", gram)
    if (found !== undefined && !covered(start, end))
      hits.push({ kind: "words", start, end, found: [found], excuse: excuseOf("words", gram, found) })
  }
  // Numbers and names are told once, where they stand first.
  const told = new Set<string>()
  const tell = (kind: "number" | "name", key: string, found: Found, start: number, end: number) => {
    if (told.has(`${kind} ${key}`) || covered(start, end)) return
    told.add(`${kind} ${key}`)
    const table = kind === "number" ? "numbers" : "names"
    hits.push({ kind, start, end, found: [found], excuse: excuseOf(table, key, found) })
  }
  const numbers: Array<{ readonly start: number; readonly end: number }> = []
  for (const { bare, end, named, namedStart, start } of measuresIn(text)) {
    const withName = named === undefined ? undefined : lookup("numbers", named)
    if (named !== undefined && withName !== undefined) {
      tell("number", named, withName, namedStart, end)
      numbers.push({ start: namedStart, end })
      continue
    }
    const found = lookup("numbers", bare)
    if (found !== undefined) tell("number", bare, found, start, end)
  }
  for (const { end, kind, name, start } of namesIn(text)) {
    const found = told.has(`name ${name}`) ? undefined : lookup("names", name)
    if (found === undefined || !isNameIn(found, kind)) continue
    // "amlodipine 5 mg" says all that "amlodipine" would.
    if (numbers.some((number) => number.start <= start && number.end >= end)) continue
    tell("name", name, found, start, end)
  }
  return hits
}

export interface LeakageInput {
  readonly candidates: ReadonlyArray<AuditCandidate>
  readonly candidate: string
  /** All that the seeds say, without the candidate itself. */
  readonly seedTextOf: (candidate: AuditCandidate) => string
  readonly fixed: { readonly preamble: string; readonly contract: string }
  readonly indices: ReadonlyArray<TextIndex>
}

/** What each instruction shares with the texts of the data, quoted with its sources. Method §7.4. */
export const leakageOf = (input: LeakageInput): Leakage => {
  const { candidates, indices } = input
  const wanted = { words: new Set<string>(), numbers: new Set<string>(), names: new Set<string>() }
  for (const candidate of candidates) {
    for (const text of Object.values(candidate.instructions)) {
      const has = knownOf(text)
      for (const kind of ["words", "numbers", "names"] as const) for (const key of has[kind]) wanted[kind].add(key)
    }
  }
  const results = indices.map((index) => index.search(wanted))
  const cache = new Map<string, Found | undefined>()
  const lookup: Lookup = (kind, key) => {
    const name = `${kind} ${key}`
    if (!cache.has(name)) cache.set(name, joined(results.flatMap((result) => result[kind].get(key) ?? [])))
    return cache.get(name)
  }
  const looked = indices.flatMap((index) => index.looked)
  const consultations = looked.reduce((sum, one) => sum + one.consultations, 0)
  const fixed = knownOf(`${input.fixed.preamble}\n${input.fixed.contract}`)
  const seeds = new Map<string, Known>()
  const seedOf = (candidate: AuditCandidate): Known => {
    const text = input.seedTextOf(candidate)
    const known = seeds.get(text) ?? knownOf(text)
    seeds.set(text, known)
    return known
  }
  const leaksOf = (candidate: AuditCandidate): ReadonlyArray<Leak> =>
    Object.entries(candidate.instructions).flatMap(([module, text]) => {
      const seed = seedOf(candidate)
      const hits = hitsIn(text, lookup, (kind, key, found) =>
        seed[kind].has(key)
          ? "seed"
          : fixed[kind].has(key)
            ? "contract"
            : found.consultations >= commonFrom.consultations && found.consultations >= commonFrom.share * consultations
              ? "common"
              : null
      )
      return hits.map(
        ({ end, excuse, found, kind, start }): Leak => ({
          kind,
          place: placeOf({ candidate: candidate.id, module, text }, start, end),
          shared: text.slice(start, end),
          sources: sourcesOf(found).slice(0, sourcesShown),
          found: countsOf(found),
          excuse
        })
      )
    })
  const open = (leaks: ReadonlyArray<Leak>) => leaks.filter(({ excuse }) => excuse === null)
  const each = new Map(candidates.map((candidate) => [candidate.id, leaksOf(candidate)]))
  const own = each.get(input.candidate) ?? []
  return {
    looked,
    rules,
    leaks: [...open(own), ...own.filter(({ excuse }) => excuse !== null)],
    count: open(own).length,
    others: candidates
      .filter(({ id }) => id !== input.candidate)
      .map(({ id }) => ({ candidate: id, leaks: open(each.get(id)!).length }))
  }
}
