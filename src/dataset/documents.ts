import type { Consultation } from "../domain/Dataset.ts"
import type { Pace, Pieces } from "../domain/pieces.ts"
import { ByteSpool } from "./byteSpool.ts"
import { int8, int32 } from "./scoresInterner.ts"
import { TextRuns } from "./textRuns.ts"

/** Characters of a text that are compared: a consultation of hours has fewer, and what is longer costs seconds. */
export const comparedCharacters = 500_000

/** By hand, in steps: to make a character into its share of runs. */
const characterSteps = 8

const isBlank = (text: string | null): text is null => text === null || text.trim() === ""

const bytesOf = (runs: Float64Array<ArrayBuffer>): Uint8Array =>
  new Uint8Array(runs.buffer, runs.byteOffset, runs.byteLength)

export const runsOf = (piece: Uint8Array): Float64Array<ArrayBuffer> => {
  const copy = new Uint8Array(piece)
  return new Float64Array(copy.buffer)
}

/** Without a copy: to be read before the spool is asked for another. Pieces of whole numbers lie at whole numbers. */
export const viewOf = ({ buffer, byteLength, byteOffset }: Uint8Array): Float64Array =>
  new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT)

/** The runs of all texts, of which only their number is in memory. */
export class Documents {
  readonly runs = new ByteSpool()
  /** Which consultation a document is of, its place among `kinds`, and how many distinct runs it has. */
  readonly owner = int32(0)
  readonly kind = int8(0)
  readonly length = int32(0)
  /** By consultation: whether it has a transcript. */
  readonly talks = int8(0)
  owners = 0
  /** The runs of all documents together. */
  total = 0

  /** As arrays of their own, which are read fastest. */
  columns() {
    const column = (of: { at: (index: number) => number }, size: number) =>
      Int32Array.from({ length: size }, (_, at) => of.at(at))
    return {
      owner: column(this.owner, this.runs.size),
      kind: column(this.kind, this.runs.size),
      length: column(this.length, this.runs.size),
      talks: column(this.talks, this.owners)
    }
  }

  *add({ notes, transcript }: Consultation, withNotes: boolean, texts: TextRuns, pace: Pace): Pieces<void> {
    const talks = !isBlank(transcript)
    const owner = this.owners++
    this.talks.set(owner, talks ? 1 : 0)
    if (talks) this.#add(owner, 0, texts.of(transcript.slice(0, comparedCharacters)))
    if (pace.isFull(characterSteps * (transcript?.length ?? 0))) yield
    if (!withNotes) return
    for (const text of new Set(notes.map((note) => note.text))) {
      this.#add(owner, 1, texts.of(text.slice(0, comparedCharacters)))
      if (pace.isFull(characterSteps * text.length)) yield
    }
  }

  #add(owner: number, kind: number, runs: Float64Array<ArrayBuffer>): void {
    if (runs.length === 0) return
    const document = this.runs.add(bytesOf(runs))
    this.owner.set(document, owner)
    this.kind.set(document, kind)
    this.length.set(document, runs.length)
    this.total += runs.length
  }
}

/** Undefined where some consultation has no transcript, so that the notes of all are needed, which were not asked for. */
export function* readDocuments(
  consultations: Iterable<Consultation>,
  notes: boolean,
  pace: Pace
): Pieces<Documents | undefined> {
  const documents = new Documents()
  const texts = new TextRuns()
  for (const one of consultations) {
    if (!notes && isBlank(one.transcript)) return undefined
    yield* documents.add(one, notes, texts, pace)
  }
  return documents
}
