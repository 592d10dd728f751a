/** What the bytes 80 to BF are in Windows-1252, as far as they are printed there, and in Latin-1. */
const high =
  "\\u0080-\\u00bf\\u20ac\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u017d\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u017e\\u0178"

/** UTF-8 that was read as Windows-1252, or as Mac Roman, and the replacement character. */
const pattern = new RegExp(
  `[\\u00c2\\u00c3\\u00ce\\u00cf\\u00e2][${high}]{1,2}|\\u201a\\u00c4.|\\u00ac[\\u00b1\\u221e\\u00b5]|\\u221a[\\u00a9\\u00ae\\u00b0\\u2202\\u00ba]|\\ufffd`,
  "u"
)

/** The first stretch of a text that looks like characters decoded wrongly; undefined where there is none. */
export const mojibake = (text: string): string | undefined => pattern.exec(text)?.[0]

/** Rows that come one after the other, of which some are to be told of. */
export class RowTally {
  rows = 0
  found = 0
  /** The first five. */
  readonly shown: Array<number> = []
  example = ""

  add(row: number, example: string | undefined): void {
    this.rows++
    if (example === undefined) return
    if (this.found++ === 0) this.example = example
    if (this.shown.length < 5) this.shown.push(row)
  }

  /** "3 of 20 rows", and which. */
  get places(): string {
    return `row${this.shown.length === 1 ? "" : "s"} ${this.shown.join(", ")}${this.found > this.shown.length ? ", …" : ""}`
  }
}

/** A warning for a file of which some rows hold such a stretch, in one sentence; nothing where none does. */
export const mojibakeWarning = (
  file: string,
  rows: ReadonlyArray<{ readonly row: number; readonly texts: ReadonlyArray<string> }>
): ReadonlyArray<string> => {
  const tally = new RowTally()
  for (const { row, texts } of rows) tally.add(row, mojibakeIn(texts))
  return mojibakeText(file, tally)
}

/** The first such stretch of several texts. */
export const mojibakeIn = (texts: ReadonlyArray<string>): string | undefined => {
  for (const text of texts) {
    const stretch = mojibake(text)
    if (stretch !== undefined) return stretch
  }
  return undefined
}

/** `mojibakeWarning` of rows that were looked at one by one. */
export const mojibakeText = (file: string, tally: RowTally): ReadonlyArray<string> =>
  tally.found === 0
    ? []
    : [
        `${file}: ${tally.found} of ${tally.rows} rows hold what looks like wrongly decoded characters, such as ${JSON.stringify(tally.example)} (${tally.places}): kept as they stand`
      ]
