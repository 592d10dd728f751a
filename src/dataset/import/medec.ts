import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { InputError } from "../../domain/InputError.ts"
import { showValue } from "../../domain/InputError.ts"
import { jaccard } from "../../statistics/jaccard.ts"
import { greedyMatching } from "../../statistics/matching.ts"
import type { CsvRow } from "./csvRows.ts"
import { assemble, blankRowsLeftOut, type Draft, draftReport } from "./drafts.ts"
import type { Imported, Importer, ImportOptions, LeftOut } from "./Importer.ts"
import { correctInPlace, sameButForSpace } from "./inPlace.ts"
import { mojibakeWarning } from "./mojibake.ts"
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

const pairInPlace = (file: string, errors: ReadonlyArray<Row>, correct: ReadonlyArray<Row>) => {
  const drafts: Array<Draft> = []
  const leftOut: Array<LeftOut> = []
  let asReleased = 0
  for (const row of errors) {
    const { cells } = row
    const clean = correctInPlace(cells.Text.trim(), cells["Error Sentence"].trim(), cells["Corrected Sentence"].trim())
    if ("reason" in clean) leftOut.push({ file, row: row.row, id: cells["Text ID"], reason: clean.reason })
    else {
      if (sameButForSpace(clean.text, cells["Corrected Text"])) asReleased += 1
      drafts.push(draftOf(file, row, clean.text))
    }
  }
  const unused = correct.map(
    ({ cells, row }): LeftOut => ({
      file,
      row,
      id: cells["Text ID"],
      reason: "a row without an error: both sides of a pair come from its error row"
    })
  )
  return { drafts, leftOut: [...leftOut, ...unused], asReleased }
}

const pairByRecovery = (file: string, errors: ReadonlyArray<Row>, correct: ReadonlyArray<Row>) => {
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
    drafts,
    leftOut: [
      ...alone(errors, (at) => matchOf.has(at), "an error row to which no correct row is similar enough"),
      ...alone(correct, (at) => used.has(at), "a correct row to which no error row is similar enough")
    ],
    asReleased: 0
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
  const files: Array<{ name: string; rows: number }> = []
  const drafts: Array<Draft> = []
  const leftOut: Array<LeftOut> = []
  const warnings: Array<string> = []
  const found = new Map<string, { errors: number; correct: number; asReleased: number }>()
  const sources = yield* readTables(source, {
    what: "the MEDEC file",
    columns,
    wanted: "MEDEC-MS-…-with-GroundTruth-and-ErrorType.csv"
  })
  for (const one of sources.leftOut) leftOut.push(one)
  for (const { name, table } of sources.tables) {
    files.push({ name, rows: table.rows.length + table.blankRows.length })
    const flagged = (flag: string) => table.rows.filter(({ cells }) => cells["Error Flag"].trim() === flag)
    const errors = flagged("1")
    const correct = flagged("0")
    const odd = table.rows.filter(({ cells }) => !["0", "1"].includes(cells["Error Flag"].trim()))
    const paired = (pairing === "recovery" ? pairByRecovery : pairInPlace)(name, errors, correct)
    for (const draft of paired.drafts) drafts.push(draft)
    leftOut.push(
      ...blankRowsLeftOut(name, table),
      ...odd.map(({ cells, row }) => ({
        file: name,
        row,
        id: cells["Text ID"],
        reason: `the error flag is ${showValue(cells["Error Flag"])}, not 0 or 1`
      })),
      ...paired.leftOut
    )
    warnings.push(
      ...mojibakeWarning(
        name,
        table.rows.map(({ cells, row }) => ({ row, texts: columns.map((column) => cells[column]) }))
      )
    )
    const part = partOf(table.rows[0]?.cells["Text ID"].trim() ?? "")
    if (part !== undefined)
      found.set(part, { errors: errors.length, correct: correct.length, asReleased: paired.asReleased })
  }
  const made = assemble(drafts)
  return {
    consultations: made.consultations,
    report: draftReport({
      format: "medec",
      files,
      consultations: made.consultations,
      kept: made.kept,
      leftOut: [...leftOut, ...made.leftOut],
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
          {
            what: `${part}: pairs (${pairing})`,
            expected: figures[pairing],
            found: made.kept.filter((draft) => partOf(draft.consultation) === part).length
          }
        ]
      })
    })
  }
})

export const medec: Importer = {
  name: "medec",
  describe: "MEDEC-MS: a CSV file, or a folder with some",
  heeds: ["pairing"],
  run
}
