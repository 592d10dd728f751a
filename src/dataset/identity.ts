import type { Consultation } from "../domain/Dataset.ts"
import { hashOf } from "../domain/hash.ts"

/**
 * The hash of all that a consultation says, ids included: the decoded value and not its bytes, so that other line
 * ends, a byte order mark or another order of fields keep it.
 */
export const contentHash = (consultation: Consultation): string => hashOf(consultation)

/** Text with runs of white space as one space, and letter case aside. */
export const normalisedText = (text: string): string =>
  text
    .replace(/\s{2,}|[^\S ]/gu, " ")
    .trim()
    .toLowerCase()

/**
 * What makes two consultations one encounter: equal for transcripts that differ in white space and letter case only.
 * Undefined where there is no transcript.
 */
export const transcriptKey = (consultation: Consultation): string | undefined => {
  const text = normalisedText(consultation.transcript ?? "")
  return text === "" ? undefined : hashOf(text)
}

/** Of the distinct texts of the notes, whatever their ids and order. */
export const notesKey = (consultation: Consultation): string =>
  hashOf([...new Set(consultation.notes.map((note) => normalisedText(note.text)))].sort())

/** For each pair, by its place in the list: a hash of its two texts, whatever the ids. */
export const pairKeys = (consultation: Consultation): ReadonlyArray<string> => {
  const texts = new Map(consultation.notes.map((note) => [note.id, normalisedText(note.text)]))
  return consultation.pairs.map((pair) => hashOf([texts.get(pair.flawed) ?? null, texts.get(pair.clean) ?? null]))
}
