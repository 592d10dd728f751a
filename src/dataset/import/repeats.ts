import type { Draft } from "./drafts.ts"

const shown = 5

/** Pairs that have the two texts of an earlier pair of their consultation: how many, and a few of them. */
export class RepeatTally {
  found = 0
  /** By consultation, with the earlier pair. */
  readonly some: Array<{ readonly draft: Draft; readonly twin: Draft }> = []
  /** By draft. */
  readonly earliest: Array<{ readonly number: number; readonly id: string }> = []

  add(number: number, draft: Draft, twin: Draft): void {
    this.found += 1
    if (this.some.length < shown) this.some.push({ draft, twin })
    this.earliest.push({ number, id: draft.pair.id })
    this.earliest.sort((one, other) => one.number - other.number).splice(shown)
  }
}

const more = (repeats: RepeatTally): boolean => repeats.found > shown

/** A warning that names the pairs; nothing where there are none. */
export const repeatWarning = (repeats: RepeatTally, pairs: number): ReadonlyArray<string> =>
  repeats.found === 0
    ? []
    : [
        `${repeats.found} of ${pairs} pairs have the two texts of an earlier pair (${repeats.earliest.map(({ id }) => id).join(", ")}${more(repeats) ? ", …" : ""}): kept, and their notes are there once`
      ]

/** A warning that names the rows, with the file where there are several; nothing where there are none. */
export const repeatedRowsWarning = (repeats: RepeatTally, pairs: number, files: number): ReadonlyArray<string> => {
  if (repeats.found === 0) return []
  const place = ({ file, row }: Draft) => (files === 1 ? `row ${row}` : `${file}, row ${row}`)
  const places = repeats.some.map(({ draft, twin }) => `${place(draft)} as ${place(twin)}`)
  return [
    `${repeats.found} of ${pairs} pairs have the two texts of an earlier pair of their consultation (${places.join("; ")}${more(repeats) ? "; …" : ""}): kept, and counted twice in figures; take the rows out if they are one`
  ]
}
