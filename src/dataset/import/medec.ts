import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { InputError } from "../../domain/InputError.ts"
import { showValue } from "../../domain/InputError.ts"
import { jaccard } from "../../statistics/jaccard.ts"
import { greedyMatching } from "../../statistics/matching.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import type { CsvRow } from "./csvRows.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import { blankRowsLeftOut, type Draft } from "./drafts.ts"
import type { Imported, Importer, ImportOptions, LeftOut } from "./Importer.ts"
import { correctInPlace, sameButForSpace } from "./inPlace.ts"
import { mojibakeIn, mojibakeText, RowTally } from "./mojibake.ts"
import { readTables } from "./tables.ts"

const columns = [
  "Text ID",
  "Text",
  "Sentences",
  "Error Flag",
  "Error Type",
  "Error Sentence ID",
  "Error Sentence",
  "Corrected Sentence",
  "Corrected Text"
] as const

type Row = CsvRow<(typeof columns)[number]>

/** From which similarity on an error row and a correct row are of one vignette. */
const recoveryThreshold = 0.6

/** Published figures by the part of the collection that its ids name. */
const known = {
  "ms-test": { errors: 311, correct: 286, "in-place": 311, recovery: 286 },
  "ms-val": { errors: 319, correct: 255, "in-place": 319, recovery: 255 }
} as const

/** The words by which the literature recovers the pairs: of letters and digits of ASCII only. */
const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g))

const partOf = (id: string): keyof typeof known | undefined =>
  (["ms-test", "ms-val"] as const).find((part) => id.startsWith(`${part}-`))

const flagOf = ({ cells }: Row): string => cells["Error Flag"].trim()

const draftOf = (file: string, { cells, row }: Row, clean: string): Draft => {
  const id = cells["Text ID"].trim()
  const errorType = cells["Error Type"].trim()
  return {
    file,
    row,
    consultation: id,
    stratum: `medec-${partOf(id) ?? "ms"}`,
    language: "en",
    transcript: null,
    flawed: cells.Text.trim(),
    clean,
    pair: {
      id: "error",
      class: "alteration",
      ...(errorType === "" || errorType === "NA" ? {} : { errorType }),
      errorSentence: cells["Error Sentence"].trim(),
      correctedSentence: cells["Corrected Sentence"].trim()
    }
  }
}

/** Of the rows of one file, what became of each, and in how many pairs the clean note is the one that was released. */
interface Paired {
  readonly made: Iterable<Draft | LeftOut>
  readonly asReleased: () => number
}

const pairInPlace = (file: string, rows: Iterable<Row>): Paired => {
  let asReleased = 0
  const draftOrNone = (row: Row): Draft | LeftOut => {
    const { cells } = row
    const leave = (reason: string): LeftOut => ({ file, row: row.row, id: cells["Text ID"], reason })
    if (flagOf(row) === "0") return leave("a row without an error: both sides of a pair come from its error row")
    const clean = correctInPlace(cells.Text.trim(), cells["Error Sentence"].trim(), cells["Corrected Sentence"].trim())
    if ("reason" in clean) return leave(clean.reason)
    if (sameButForSpace(clean.text, cells["Corrected Text"])) asReleased += 1
    return draftOf(file, row, clean.text)
  }
  return { made: Iterator.from(rows).map(draftOrNone), asReleased: () => asReleased }
}

const pairByRecovery = (file: string, rows: Iterable<Row>): Paired => {
  const all = [...rows]
  const errors = all.filter((row) => flagOf(row) === "1")
  const correct = all.filter((row) => flagOf(row) === "0")
  const right = correct.map(({ cells }) => words(cells.Text))
  const similarity = errors.map(({ cells }) => {
    const own = words(cells.Text)
    return right.map((other) => jaccard(own, other))
  })
  const matches = greedyMatching(similarity, recoveryThreshold)
  const matchOf = new Map(matches.map((match) => [match.left, match.right]))
  const used = new Set(matches.map((match) => match.right))
  const drafts = errors.flatMap((row, at) => {
    const partner = matchOf.get(at)
    if (partner === undefined) return []
    const twin = correct[partner]!
    return [{ ...draftOf(file, row, twin.cells.Text.trim()), partner: twin.row }]
  })
  const alone = (rows: ReadonlyArray<Row>, isUsed: (at: number) => boolean, reason: string): ReadonlyArray<LeftOut> =>
    rows.flatMap(({ cells, row }, at) => (isUsed(at) ? [] : [{ file, row, id: cells["Text ID"], reason }]))
  return {
    made: [
      ...drafts,
      ...alone(errors, (at) => matchOf.has(at), "an error row to which no correct row is similar enough"),
      ...alone(correct, (at) => used.has(at), "a correct row to which no error row is similar enough")
    ],
    asReleased: () => 0
  }
}

const rules = {
  "in-place": [
    "pairing in place: flawed = Text, clean = Text with the error sentence replaced by the corrected one where it stands"
  ],
  recovery: [
    `pairing by recovery: an error row with the correct row most similar in words (Jaccard >= ${recoveryThreshold} on [a-z0-9]+, one to one, best first)`,
    "a recovered clean note differs from the flawed one in more than the error in over a third of the pairs: in-place pairing is the better one"
  ]
}

const run = Effect.fn("medec")(function* (
  source: string,
  options: ImportOptions = {}
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const pairing = options.pairing ?? "in-place"
  const drafts = new DraftSpool()
  const warnings: Array<string> = []
  const found = new Map<string, { errors: number; correct: number; asReleased: number }>()
  const sources = yield* readTables(source, {
    what: "the MEDEC file",
    columns,
    wanted: "MEDEC-MS-…-with-GroundTruth-and-ErrorType.csv"
  })
  for (const one of sources.leftOut) drafts.leave(one)
  for (const { name, table } of sources.tables) {
    drafts.file(name, table.rows.size + table.blankRows.length)
    for (const one of blankRowsLeftOut(name, table)) drafts.leave(one)
    const wronglyDecoded = new RowTally()
    const counts = { errors: 0, correct: 0 }
    let part: keyof typeof known | undefined
    const flagged = Iterator.from(table.rows).filter((row) => {
      const { cells } = row
      if (wronglyDecoded.rows === 0) part = partOf(cells["Text ID"].trim())
      wronglyDecoded.add(row.row, mojibakeIn(columns.map((column) => cells[column])))
      const flag = flagOf(row)
      if (flag === "1") counts.errors += 1
      else if (flag === "0") counts.correct += 1
      else {
        const reason = `the error flag is ${showValue(cells["Error Flag"])}, not 0 or 1`
        drafts.leave({ file: name, row: row.row, id: cells["Text ID"], reason })
        return false
      }
      return true
    })
    const paired = (pairing === "recovery" ? pairByRecovery : pairInPlace)(name, flagged)
    for (const made of paired.made) drafts.take(made)
    warnings.push(...mojibakeText(name, wronglyDecoded))
    if (part !== undefined) found.set(part, { ...counts, asReleased: paired.asReleased() })
  }
  const pairs = new Map<string | undefined, number>()
  const made = drafts.assembled(({ consultation }) => {
    const part = partOf(consultation)
    pairs.set(part, (pairs.get(part) ?? 0) + 1)
  })
  return importedOf(made, {
    format: "medec",
    remarks: [
      ...rules[pairing],
      "class alteration throughout; transcript null: there is no source text, an error is judged by medical knowledge",
      ...[...found]
        .filter(() => pairing === "in-place")
        .map(
          ([part, { asReleased, errors }]) =>
            `${part}: the clean note is the released Corrected Text, white space aside, in ${asReleased} of ${errors} pairs`
        )
    ],
    warnings,
    expected: [...found].flatMap(([part, counts]) => {
      const figures = known[part as keyof typeof known]
      return [
        { what: `${part}: rows with an error`, expected: figures.errors, found: counts.errors },
        { what: `${part}: rows without an error`, expected: figures.correct, found: counts.correct },
        { what: `${part}: pairs (${pairing})`, expected: figures[pairing], found: pairs.get(part) ?? 0 }
      ]
    })
  })
}, catchSpoolFailure)

export const medec: Importer = {
  name: "medec",
  describe: "MEDEC-MS: a CSV file, or a folder with some",
  heeds: ["pairing"],
  run
}
