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

/** A warning for a file of which some rows hold such a stretch, in one sentence; nothing where none does. */
export const mojibakeWarning = (
  file: string,
  rows: ReadonlyArray<{ readonly row: number; readonly texts: ReadonlyArray<string> }>
): ReadonlyArray<string> => {
  const found = rows.flatMap(({ row, texts }) => {
    const first = texts.map(mojibake).find((stretch) => stretch !== undefined)
    return first === undefined ? [] : [{ row, first }]
  })
  if (found.length === 0) return []
  const shown = found.slice(0, 5).map(({ row }) => row)
  return [
    `${file}: ${found.length} of ${rows.length} rows hold what looks like wrongly decoded characters, such as ${JSON.stringify(found[0]!.first)} (row${shown.length === 1 ? "" : "s"} ${shown.join(", ")}${found.length > shown.length ? ", …" : ""}): kept as they stand`
  ]
}
