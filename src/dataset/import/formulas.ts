import type { RowTally } from "./mojibake.ts"

/** `=SUM(A1)`, `+A1`, `@NOW()`; a note may begin with a dash or a plus sign and be none. */
const formula = /^(?:=\s*[\p{L}(+\-@"'\d]|[+\-@]\p{Lu}+[\d(])/u

/** Whether a spreadsheet program would take the text for a formula. */
export const isFormula = (text: string): boolean => formula.test(text)

/** A warning for a file of which some rows have cells that begin like formulas; nothing where none has. */
export const formulaText = (file: string, tally: RowTally): ReadonlyArray<string> =>
  tally.found === 0
    ? []
    : [
        `${file}: ${tally.found} of ${tally.rows} rows have a cell that begins like a formula, such as ${JSON.stringify(tally.example.slice(0, 40))} (${tally.places}): kept as text, which a spreadsheet program would evaluate`
      ]
