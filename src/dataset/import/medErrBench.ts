import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { InputError } from "../../domain/InputError.ts"
import { showValue } from "../../domain/InputError.ts"
import { jaccard } from "../../statistics/jaccard.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import type { CsvRow } from "./csvRows.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import { blankRowsLeftOut } from "./drafts.ts"
import type { Imported, Importer } from "./Importer.ts"
import { correctInPlace, sameButForSpace } from "./inPlace.ts"
import { mojibakeIn, mojibakeText, RowTally } from "./mojibake.ts"
import { readTables } from "./tables.ts"

const columns = [
  "Text ID",
  "Text",
  "Error Flag",
  "Error Sentence ID",
  "Error Sentence",
  "Error Type",
  "Corrected Sentence",
  "Corrected Text",
  "Reasoning Type"
] as const

type Row = CsvRow<(typeof columns)[number]>

const languages = { EN: "en", CN: "zh", ARA: "ar" } as const
type Part = keyof typeof languages

/** Published error rows of the files, by language and split. */
const known: Record<Part, Readonly<Record<string, number>>> = {
  EN: { train: 354, validation: 54, test: 104 },
  CN: { train: 350, validation: 50, test: 100 },
  ARA: { train: 179, validation: 29, test: 53 }
}

/** The language that the file's name says, else the one that its script is. */
const partOf = (name: string, rows: Iterable<Row>): Part => {
  const named = /(?:^|[_-])(EN|CN|ARA)(?=[_.-])/.exec(name)?.[1] as Part | undefined
  if (named !== undefined) return named
  let part: Part = "EN"
  for (const { cells } of rows) {
    if (/\p{Script=Arabic}/u.test(cells.Text)) return "ARA"
    if (/\p{Script=Han}/u.test(cells.Text)) part = "CN"
  }
  return part
}

/** Neighbouring rows are of one vignette from this similarity on. */
const twinThreshold = 0.8

const letterPairs = (text: string): ReadonlySet<string> => {
  const letters = text.toLowerCase().replace(/\s+/g, "")
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}

const flagOf = ({ cells }: Row): string => cells["Error Flag"].trim()

/**
 * The numbers of the correct rows that have their error row beside them. Rows pair off from the top, each once, in
 * either order.
 */
const besideError = (rows: Iterable<Row>): ReadonlySet<number> => {
  const found = new Set<number>()
  let open: Row | undefined
  for (const row of rows) {
    const isPair =
      open !== undefined &&
      flagOf(open) !== flagOf(row) &&
      jaccard(letterPairs(open.cells.Text), letterPairs(row.cells.Text)) >= twinThreshold
    if (isPair) found.add((flagOf(open!) === "1" ? row : open!).row)
    open = isPair ? undefined : row
  }
  return found
}

const isGiven = (cell: string): boolean => !["", "NA", "None", "-1"].includes(cell.trim())

/** The clean text of an error row; `fallback` where it is not the one that the language's rule asks for. */
const cleanOf = (
  part: Part,
  { cells }: Row
): { readonly text: string; readonly fallback?: string } | { readonly reason: string } => {
  const given = (column: "Corrected Text" | "Error Sentence" | "Corrected Sentence") =>
    isGiven(cells[column]) ? cells[column].trim() : ""
  const released = given("Corrected Text")
  const inPlace = correctInPlace(cells.Text.trim(), given("Error Sentence"), given("Corrected Sentence"))
  if (part === "EN") {
    if ("text" in inPlace) return inPlace
    return released === "" ? inPlace : { text: released, fallback: inPlace.reason }
  }
  if (released !== "") return { text: released }
  return "text" in inPlace ? { ...inPlace, fallback: "there is no Corrected Text" } : inPlace
}

const run = Effect.fn("medErrBench")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const drafts = new DraftSpool()
  const warnings: Array<string> = []
  const remarks: Array<string> = []
  const expected: Array<{ what: string; expected: number; found: number }> = []
  const found = yield* readTables(source, {
    what: "the MedErrBench file",
    columns,
    wanted: "reviewed_data_{EN,CN,ARA}_{train,validation,test}.csv"
  })
  for (const one of found.leftOut) drafts.leave(one)
  for (const { name, table } of found.tables) {
    drafts.file(name, table.rows.size + table.blankRows.length)
    for (const one of blankRowsLeftOut(name, table)) drafts.leave(one)
    const part = partOf(name, table.rows)
    const twins = besideError(table.rows)
    const wronglyDecoded = new RowTally()
    const fallbacks: Array<number> = []
    let errors = 0
    let released = 0
    for (const row of table.rows) {
      const { cells } = row
      const id = cells["Text ID"].trim()
      const leave = (reason: string) => drafts.leave({ file: name, row: row.row, id, reason })
      wronglyDecoded.add(row.row, mojibakeIn(columns.map((column) => cells[column])))
      const flag = flagOf(row)
      if (flag === "0") {
        leave(
          twins.has(row.row)
            ? "a row without an error, beside its error row: both sides of the pair come from that one"
            : "a row without an error, and no error row beside it that is similar enough to be its twin"
        )
        continue
      }
      if (flag !== "1") {
        leave(`the error flag is ${showValue(cells["Error Flag"])}, not 0 or 1`)
        continue
      }
      errors += 1
      const clean = cleanOf(part, row)
      if ("reason" in clean) {
        leave(clean.reason)
        continue
      }
      if (clean.fallback !== undefined) fallbacks.push(row.row)
      if (sameButForSpace(clean.text, cells["Corrected Text"])) released += 1
      drafts.add({
        file: name,
        row: row.row,
        consultation: id,
        stratum: `mederrbench-${languages[part]}`,
        language: languages[part],
        transcript: null,
        flawed: cells.Text.trim(),
        clean: clean.text,
        pair: {
          id: "error",
          class: "alteration",
          ...(isGiven(cells["Error Type"]) ? { errorType: cells["Error Type"].trim() } : {}),
          errorSentence: cells["Error Sentence"].trim(),
          correctedSentence: cells["Corrected Sentence"].trim()
        }
      })
    }
    remarks.push(
      `${name} (${part}): ${twins.size} correct rows stand beside their error row; the clean note is the released Corrected Text, white space aside, in ${released} of ${errors} error rows`
    )
    if (fallbacks.length > 0) {
      warnings.push(
        `${name}: the clean note of row${fallbacks.length === 1 ? "" : "s"} ${fallbacks.join(", ")} is not made as the others' are (the error sentence is not once in the text, or there is no Corrected Text)`
      )
    }
    warnings.push(...mojibakeText(name, wronglyDecoded))
    const split = /train|validation|test/.exec(name)?.[0]
    const figure = split === undefined ? undefined : known[part][split]
    if (figure !== undefined)
      expected.push({ what: `${part} ${split}: rows with an error`, expected: figure, found: errors })
  }
  return importedOf(drafts.assembled(), {
    format: "mederrbench",
    remarks: [
      "EN: clean = Text with the error sentence replaced by the corrected one where it stands; neither Corrected Text nor the correct rows, of which most have lost their corrected sentence's first word",
      "CN, ARA: clean = Corrected Text",
      "class alteration throughout; transcript null: there is no source text",
      ...remarks
    ],
    warnings,
    expected
  })
}, catchSpoolFailure)

export const medErrBench: Importer = {
  name: "mederrbench",
  describe: "MedErrBench: a CSV file, or the folder datasets/ with its splits and languages",
  run
}
