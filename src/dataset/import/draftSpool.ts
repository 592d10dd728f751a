import type { Consultation } from "../../domain/Dataset.ts"
import { RowSpool } from "../rowSpool.ts"
import { Interner, int32 } from "../scoresInterner.ts"
import { orderOf } from "../scoresOrder.ts"
import { assemble, type Draft } from "./drafts.ts"
import type { Imported, ImportReport, LeftOut } from "./Importer.ts"
import { RepeatTally } from "./repeats.ts"

/** What became of the drafts; consultations are made as they are asked for, the same ones each time. */
export interface Assembled {
  readonly consultations: Iterable<Consultation>
  readonly counts: Pick<ImportReport, "read" | "consultations" | "notes" | "pairs" | "leftOut">
  readonly repeats: RepeatTally
}

/** What an importer gives back of drafts that were put together. */
export const importedOf = (
  made: Assembled,
  { format, ...report }: Omit<ImportReport, keyof Assembled["counts"]>
): Imported => ({
  streamed: made.consultations,
  get consultations() {
    return [...made.consultations]
  },
  report: { format, ...made.counts, ...report }
})

/**
 * Drafts of any number, laid down as they come and put together one consultation at a time, as `assemble` does: its
 * drafts may be far apart.
 */
export class DraftSpool {
  readonly #drafts = new RowSpool<Draft>()
  readonly #ids = new Interner()
  /** Of a consultation its first draft and its last, of a draft the next of its consultation; -1 for none. */
  readonly #first = int32(-1)
  readonly #last = int32(-1)
  readonly #next = int32(-1)
  readonly #files: Array<{ readonly name: string; readonly rows: number }> = []
  readonly #leftOut: Array<LeftOut> = []

  /** Drafts so far. */
  get size(): number {
    return this.#drafts.size
  }

  file(name: string, rows: number): void {
    this.#files.push({ name, rows })
  }

  leave(one: LeftOut): void {
    this.#leftOut.push(one)
  }

  /** A row's draft, or why there is none. */
  take(made: Draft | LeftOut): void {
    if ("reason" in made) this.leave(made)
    else this.add(made)
  }

  add(draft: Draft): void {
    const number = this.#drafts.add(draft)
    const consultation = this.#ids.number(draft.consultation)
    const last = this.#last.at(consultation)
    if (last === -1) this.#first.set(consultation, number)
    else this.#next.set(last, number)
    this.#last.set(consultation, number)
  }

  /** `onKept` is told of every draft that made a pair, consultation by consultation. */
  assembled(onKept?: (draft: Draft) => void): Assembled {
    const paired = new Map(this.#files.map(({ name }) => [name, 0]))
    const leftOut = [...this.#leftOut]
    // The draft that opens a consultation is the first that makes a pair.
    const opening = int32(-1)
    const repeats = new RepeatTally()
    let consultations = 0
    let notes = 0
    let pairs = 0
    for (let number = 0; number < this.#ids.size; number++) {
      const drafts = this.#draftsOf(number)
      const made = assemble(drafts.map(({ draft }) => draft))
      for (const one of made.leftOut) leftOut.push(one)
      const [consultation] = made.consultations
      if (consultation === undefined) continue
      consultations++
      notes += consultation.notes.length
      pairs += consultation.pairs.length
      opening.set(number, drafts.find(({ draft }) => draft === made.kept[0])!.number)
      const seen = new Map<string, Draft>()
      const numbers = new Map(drafts.map(({ draft, number }) => [draft, number]))
      for (const draft of made.kept) {
        onKept?.(draft)
        paired.set(draft.file, (paired.get(draft.file) ?? 0) + (draft.partner === undefined ? 1 : 2))
        const key = JSON.stringify([draft.flawed, draft.clean])
        const twin = seen.get(key)
        if (twin === undefined) seen.set(key, draft)
        else repeats.add(numbers.get(draft)!, draft, twin)
      }
    }
    const order = new Map(this.#files.map(({ name }, at) => [name, at]))
    return {
      consultations: { [Symbol.iterator]: () => this.#consultations((number) => opening.at(number)) },
      counts: {
        read: this.#files.map(({ name, rows }) => ({ file: name, rows, paired: paired.get(name) ?? 0 })),
        consultations,
        notes,
        pairs,
        leftOut: leftOut.toSorted(
          (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || (a.row ?? 0) - (b.row ?? 0)
        )
      },
      repeats
    }
  }

  *#consultations(openingOf: (number: number) => number): Generator<Consultation> {
    const size = this.#ids.size
    const order = orderOf(size, (one, other) => openingOf(one) - openingOf(other))
    for (let at = 0; at < size; at++) {
      const number = order?.[at] ?? at
      if (openingOf(number) === -1) continue
      yield* assemble(this.#draftsOf(number).map(({ draft }) => draft)).consultations
    }
  }

  #draftsOf(consultation: number): ReadonlyArray<{ readonly number: number; readonly draft: Draft }> {
    const drafts: Array<{ readonly number: number; readonly draft: Draft }> = []
    for (let number = this.#first.at(consultation); number !== -1; number = this.#next.at(number)) {
      drafts.push({ number, draft: this.#drafts.at(number) })
    }
    return drafts
  }
}
