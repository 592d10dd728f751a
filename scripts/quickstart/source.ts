/**
 * The quickstart data's sources: one YAML file a consultation, in which every flawed note is a single
 * declared edit of the clean note. `build.ts` compiles them to the dataset; the test suite re-verifies each pair.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"

export interface SourceFact {
  readonly id: string
  readonly text: string
  readonly severity: "critical" | "supporting" | "peripheral"
  /** Words by which the fact is recognised in a note, matched case-insensitively at word boundaries. */
  readonly terms: ReadonlyArray<string>
  /** A verbatim quote of the transcript. */
  readonly evidence: string
}

export interface SourceEdit {
  readonly id: string
  readonly class: "omission" | "addition" | "alteration"
  readonly trace?: "complete" | "fragment" | "restated"
  readonly severity: "critical" | "supporting" | "peripheral"
  readonly fact?: string
  readonly errorType?: string
  /** Occurs exactly once in the clean note. */
  readonly find: string
  readonly replace: string
  readonly residual?: ReadonlyArray<{ quote: string; section?: string; strength?: "weak" | "partial" | "full" }>
}

export interface Source {
  readonly id: string
  readonly stratum: string
  readonly language: string
  readonly setting: { readonly mode: string; readonly patient: string; readonly kind: string }
  readonly transcript: string
  readonly note: string
  readonly facts: ReadonlyArray<SourceFact>
  readonly edits: ReadonlyArray<SourceEdit>
}

export const readSources = (folder: string): ReadonlyArray<Source> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => parse(readFileSync(join(folder, name), "utf8")) as Source)

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whether `term` stands in `text` as whole words, letter case and line breaks aside. */
export const mentions = (text: string, term: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(term).replace(/\s+/g, "\\s+")}(?![\\p{L}\\p{N}])`, "iu").test(text)

export const occurrences = (text: string, part: string): number => text.split(part).length - 1

/** The flawed note: the clean note with the edit's passage replaced, and the seams tidied. */
export const applyEdit = (note: string, edit: SourceEdit): string => {
  const at = note.indexOf(edit.find)
  const before = note.slice(0, at)
  const after = note.slice(at + edit.find.length)
  if (edit.replace !== "") return before + edit.replace + after
  // A removed passage leaves no doubled space, and no blank line where a whole line was removed.
  if (before.endsWith("\n") && after.startsWith("\n")) return before + after.slice(1)
  if (/[ \n]$/.test(before) && after.startsWith(" ")) return before + after.slice(1)
  if (before.endsWith(" ") && (after.startsWith("\n") || after === "")) return before.slice(0, -1) + after
  return before + after
}

const severities = new Set(["critical", "supporting", "peripheral"])

/** Everything that is wrong with one source, in words; empty when it is sound. */
export const problems = (source: Source): ReadonlyArray<string> => {
  const found: Array<string> = []
  const say = (what: string) => found.push(`${source.id}: ${what}`)
  const turns = source.transcript.trim().split("\n")
  if (turns.length < 40 || turns.length > 90) say(`transcript has ${turns.length} turns, expected 40 to 90`)
  for (const turn of turns)
    if (!/^[A-Z][A-Za-z' ]{1,30}: \S/.test(turn)) say(`not a turn "Speaker: words": ${turn.slice(0, 60)}`)
  const ids = new Set<string>()
  for (const fact of source.facts) {
    if (ids.has(fact.id)) say(`fact id ${fact.id} twice`)
    ids.add(fact.id)
    if (!severities.has(fact.severity)) say(`fact ${fact.id}: severity ${fact.severity}`)
    if (!source.transcript.includes(fact.evidence))
      say(`fact ${fact.id}: evidence is not verbatim in the transcript: "${fact.evidence}"`)
    if (!Array.isArray(fact.terms) || fact.terms.length === 0) say(`fact ${fact.id}: no terms`)
    for (const term of fact.terms ?? [])
      if (!mentions(source.note, term)) say(`fact ${fact.id}: clean note lacks the term "${term}"`)
  }
  const edits = new Set<string>()
  if (source.edits.length < 4 || source.edits.length > 7) say(`${source.edits.length} edits, expected 4 to 7`)
  const flawedTexts = new Set<string>([source.note])
  for (const edit of source.edits) {
    const here = `edit ${edit.id}`
    if (edits.has(edit.id)) say(`${here} twice`)
    edits.add(edit.id)
    const count = occurrences(source.note, edit.find)
    if (count !== 1) {
      say(`${here}: find occurs ${count} times in the note: "${edit.find}"`)
      continue
    }
    if (!severities.has(edit.severity)) say(`${here}: severity ${edit.severity}`)
    const flawed = applyEdit(source.note, edit)
    if (flawedTexts.has(flawed)) say(`${here}: same text as the clean note or another flawed note`)
    flawedTexts.add(flawed)
    if (/ {2}|\n{3}| \n| [.,;]/.test(flawed) && !/ {2}|\n{3}| \n| [.,;]/.test(source.note))
      say(`${here}: leaves a seam (double space, blank line or stray punctuation)`)
    for (const residual of edit.residual ?? []) {
      if (!flawed.includes(residual.quote))
        say(`${here}: residual quote is not verbatim in the flawed note: "${residual.quote}"`)
    }
    if (edit.class === "omission") {
      const fact = source.facts.find((candidate) => candidate.id === edit.fact)
      if (fact === undefined) {
        say(`${here}: unknown fact ${edit.fact}`)
        continue
      }
      if (fact.severity !== edit.severity) say(`${here}: severity ${edit.severity}, its fact is ${fact.severity}`)
      const left = fact.terms.filter((term) => mentions(flawed, term))
      if (edit.trace === "complete" && left.length > 0)
        say(`${here}: complete, but the flawed note still has: ${left.join(", ")}`)
      if (edit.trace === "fragment" && (left.length === 0 || left.length === fact.terms.length)) {
        say(
          `${here}: fragment needs some but not all terms left; left: ${left.join(", ") || "none"} of ${fact.terms.join(", ")}`
        )
      }
      if (edit.trace === "restated" && left.length < fact.terms.length)
        say(`${here}: restated, but the flawed note lacks: ${fact.terms.filter((t) => !left.includes(t)).join(", ")}`)
      if (edit.trace !== "complete" && (edit.residual ?? []).length === 0)
        say(`${here}: ${edit.trace} needs a residual quote`)
      if (edit.trace === "complete" && (edit.residual ?? []).length > 0) say(`${here}: complete takes no residual`)
      if (!["complete", "fragment", "restated"].includes(String(edit.trace))) say(`${here}: trace ${edit.trace}`)
      if (edit.replace.length >= edit.find.length) say(`${here}: an omission must shorten the note`)
    } else if (edit.class === "addition") {
      if (!edit.replace.includes(edit.find)) say(`${here}: an addition keeps its anchor: replace must contain find`)
      if (!edit.errorType) say(`${here}: no errorType`)
    } else if (edit.class === "alteration") {
      if (!edit.errorType) say(`${here}: no errorType`)
      if (edit.replace === "") say(`${here}: an alteration replaces, it does not remove`)
    } else say(`${here}: class ${edit.class}`)
  }
  return found
}
