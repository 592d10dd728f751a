import type { Consultation } from "../../domain/Dataset.ts"
import { RowSpool } from "../rowSpool.ts"
import { Interner, int32 } from "../scoresInterner.ts"
import { orderOf } from "../scoresOrder.ts"
import { assemble, type Draft } from "./drafts.ts"
import type { ImportReport, LeftOut } from "./Importer.ts"

const shown = 5

/** What became of the drafts; consultations are made as they are asked for, the same ones each time. */
interface Assembled {
  readonly consultations: Iterable<Consultation>
  readonly counts: Pick<ImportReport, "read" | "consultations" | "notes" | "pairs" | "leftOut">
  /** A warning for pairs that have the two texts of an earlier pair of their consultation. */
  readonly repeats: ReadonlyArray<string>
}

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

  file(name: string, rows: number): void {
    this.#files.push({ name, rows })
  }

  leave(one: LeftOut): void {
    this.#leftOut.push(one)
  }

  add(draft: Draft): void {
    const number = this.#drafts.add(draft)
    const consultation = this.#ids.number(draft.consultation)
    const last = this.#last.at(consultation)
    if (last === -1) this.#first.set(consultation, number)
    else this.#next.set(last, number)
    this.#last.set(consultation, number)
  }

  assembled(): Assembled {
    const paired = new Map(this.#files.map(({ name }) => [name, 0]))
    const leftOut = [...this.#leftOut]
    // The draft that opens a consultation is the first that makes a pair.
    const opening = int32(-1)
    const repeated: Array<string> = []
    let repeats = 0
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
      for (const draft of made.kept) {
        paired.set(draft.file, (paired.get(draft.file) ?? 0) + (draft.partner === undefined ? 1 : 2))
        const key = JSON.stringify([draft.flawed, draft.clean])
        const twin = seen.get(key)
        if (twin === undefined) seen.set(key, draft)
        else {
          repeats++
          if (repeated.length < shown) {
            repeated.push(`${this.#place(draft)} as ${this.#place(twin)}`)
          }
        }
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
      repeats:
        repeats === 0
          ? []
          : [
              `${repeats} of ${pairs} pairs have the two texts of an earlier pair of their consultation (${repeated.join("; ")}${repeats > repeated.length ? "; …" : ""}): kept, and counted twice in figures; take the rows out if they are one`
            ]
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

  #place({ file, row }: Draft): string {
    return this.#files.length === 1 ? `row ${row}` : `${file}, row ${row}`
  }

  #draftsOf(consultation: number): ReadonlyArray<{ readonly number: number; readonly draft: Draft }> {
    const drafts: Array<{ readonly number: number; readonly draft: Draft }> = []
    for (let number = this.#first.at(consultation); number !== -1; number = this.#next.at(number)) {
      drafts.push({ number, draft: this.#drafts.at(number) })
    }
    return drafts
  }
}
