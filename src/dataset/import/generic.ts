import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Result from "effect/Result"
import { ErrorClass, type Pair, Severity, Trace } from "../../domain/Dataset.ts"
import { InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { nearest } from "../../domain/nearest.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import { cleanTexts, halfCharacter, parseJson } from "../parseJson.ts"
import { RowSpool } from "../rowSpool.ts"
import { readLines } from "../textFile.ts"
import { eachCsvRow } from "./csvRows.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import { type Draft, sourceFiles } from "./drafts.ts"
import { formulaText, isFormula } from "./formulas.ts"
import type { ColumnMapping, Imported, Importer, ImportOptions, LeftOut } from "./Importer.ts"
import { fieldOf, textOf } from "./jsonFields.ts"
import { mojibakeIn, mojibakeText, RowTally } from "./mojibake.ts"
import { repeatedRowsWarning } from "./repeats.ts"

/** The parts of a pair that are columns, by the flag that names them. */
const flags = {
  consultation: "consultation",
  transcript: "transcript",
  flawed: "flawed",
  clean: "clean",
  pair: "pair",
  trace: "trace",
  severity: "severity",
  fact: "fact",
  errorType: "error-type",
  errorSentence: "error-sentence",
  correctedSentence: "corrected-sentence"
} as const satisfies Partial<Record<keyof ColumnMapping, string>>

type ColumnName = keyof typeof flags

/** The cells of a row by the names of their columns; `row` as the report counts, a cell that is not there blank. */
interface SourceRow {
  readonly row: number
  readonly cells: Readonly<Record<string, string>>
}

interface SourceTable {
  readonly header: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<LeftOut>
}

const noMapping: ColumnMapping = { values: {} }

const literalsOf = (schema: { readonly literals: ReadonlyArray<string> }): ReadonlyArray<string> => schema.literals

const vocabularies = { class: literalsOf(ErrorClass), trace: literalsOf(Trace), severity: literalsOf(Severity) }
type Vocabulary = keyof typeof vocabularies

/** What is wrong with the mapping whatever the table. */
const mappingProblems = (mapping: ColumnMapping): ReadonlyArray<Problem> => [
  ...(["consultation", "flawed", "clean", "class"] as const)
    .filter((name) => mapping[name] === undefined)
    .map((name) => ({
      what: `--${name} is not given`,
      expected: name === "class" ? "a column, or omission, addition or alteration for all rows" : "the name of a column"
    })),
  ...Object.entries(mapping.values).flatMap(([from, to]) => {
    const of = vocabularyOf(from).of
    if (vocabularies[of].includes(to)) return []
    return [
      {
        what: `--value ${from}=${to}: ${showValue(to)} is no ${of}`,
        expected: vocabularies[of].join(", ")
      }
    ]
  })
]

/** `wrong` is a value of the class, `severity:high` of the severity. */
const vocabularyOf = (key: string): { readonly of: Vocabulary; readonly from: string } => {
  const [, of, from] = /^(class|trace|severity):([\s\S]*)$/.exec(key) ?? []
  const name = (of ?? "class") as Vocabulary
  return { of: name, from: (from ?? key).trim().toLowerCase() }
}

/** The format's value of a cell: by `--value`, else the cell itself, letter case and outer blanks aside. */
const translate = (mapping: ColumnMapping, of: Vocabulary, cell: string): string | undefined => {
  const wanted = cell.trim().toLowerCase()
  const given = Object.entries(mapping.values).find(([key]) => {
    const one = vocabularyOf(key)
    return one.of === of && one.from === wanted
  })
  return given?.[1] ?? vocabularies[of].find((value) => value === wanted)
}

/** Columns that are named and that the table does not have. */
const columnProblems = (mapping: ColumnMapping, header: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const unknown = (flag: string, name: string): Problem => {
    const close = header.find((one) => one.toLowerCase() === name.toLowerCase()) ?? nearest(name, header)
    return {
      what: `--${flag} names ${showValue(name)}, which no column has`,
      found: showValue(header.join(", "), 200),
      ...(close === undefined ? {} : { hint: `Did you mean ${showValue(close)}?` })
    }
  }
  const named = (Object.keys(flags) as Array<ColumnName>).flatMap((name) => {
    const column = mapping[name]
    return column === undefined || header.includes(column) ? [] : [unknown(flags[name], column)]
  })
  const isClass = mapping.class === undefined || header.includes(mapping.class)
  return isClass || vocabularies.class.includes(mapping.class!) ? named : [...named, unknown("class", mapping.class!)]
}

const given = <Name extends string>(name: Name, value: string): { readonly [key in Name]?: string } =>
  value === "" ? {} : ({ [name]: value } as { readonly [key in Name]?: string })

/** Makes the drafts of a table's rows: each is a pair's, or left out. */
const draftMaker = (mapping: ColumnMapping, name: string, header: ReadonlyArray<string>, several: boolean) => {
  const known = new Set(header)
  return ({ cells, row }: SourceRow): Draft | LeftOut => {
    const cell = (column: string | undefined) => (column === undefined ? "" : (cells[column] ?? "").trim())
    const orFixed = (column: string | undefined) =>
      column === undefined ? "" : known.has(column) ? cell(column) : column
    const consultation = cell(mapping.consultation)
    const id = mapping.pair === undefined ? `${several ? `${name}-` : ""}row-${row}` : cell(mapping.pair)
    const leave = (reason: string): LeftOut => ({ file: name, row, ...given("id", id), reason })
    const value = (of: Vocabulary, text: string) => {
      const found = text === "" ? undefined : translate(mapping, of, text)
      const prefix = of === "class" ? "" : `${of}:`
      const problem =
        text === "" || found !== undefined
          ? undefined
          : `the ${of} ${showValue(text)} is none of ${vocabularies[of].join(", ")} (say what it means: --value ${/^[\w.:-]+$/.test(text) ? "" : "'"}${prefix}${text}=<${vocabularies[of].join("|")}>${/^[\w.:-]+$/.test(text) ? "" : "'"})`
      return { found, problem }
    }
    const klass = value("class", orFixed(mapping.class))
    const trace = value("trace", cell(mapping.trace))
    const severity = value("severity", cell(mapping.severity))
    const problem = klass.problem ?? trace.problem ?? severity.problem
    if (consultation === "") return leave("the consultation's id is blank")
    if (id === "") return leave("the pair's id is blank")
    if (problem !== undefined) return leave(problem)
    if (klass.found === undefined) return leave("the class is blank")
    if (trace.found !== undefined && klass.found !== "omission")
      return leave(`a trace belongs to an omission, and the class is ${klass.found}`)
    return {
      file: name,
      row,
      consultation,
      ...given("stratum", orFixed(mapping.stratum)),
      ...given("language", orFixed(mapping.language)),
      transcript: cell(mapping.transcript) === "" ? null : cell(mapping.transcript),
      flawed: cell(mapping.flawed),
      clean: cell(mapping.clean),
      pair: {
        id,
        class: klass.found as Pair["class"],
        ...(trace.found === undefined ? {} : { trace: trace.found as Trace }),
        ...(severity.found === undefined ? {} : { severity: severity.found as Severity }),
        ...given("fact", cell(mapping.fact)),
        ...given("errorType", cell(mapping.errorType)),
        ...given("errorSentence", cell(mapping.errorSentence)),
        ...given("correctedSentence", cell(mapping.correctedSentence))
      }
    }
  }
}

/** The columns, or fixed values, that the mapping names. */
const mappedColumns = ({ delimiter: _, values: __, ...columns }: ColumnMapping): ReadonlyArray<string> => [
  ...new Set(Object.values(columns))
]

const csvTable = Effect.fn("csvTable")(function* (
  name: string,
  path: string,
  mapping: ColumnMapping,
  onRow: (row: SourceRow) => void
) {
  const wanted = mappedColumns(mapping)
  const delimiter = mapping.delimiter ?? (/\.tsv$/i.test(name) ? "\t" : ",")
  const options = { delimiter: delimiter === "\\t" ? "\t" : delimiter }
  const { blankRows, header } = yield* eachCsvRow(path, "the table", options, ({ cells, row }) => {
    onRow({ row, cells: Object.fromEntries(wanted.flatMap((name) => (name in cells ? [[name, cells[name]!]] : []))) })
  })
  const leftOut = blankRows.map((row) => ({ file: name, row, reason: "every cell of the row is blank" }))
  return { header, leftOut } satisfies SourceTable
})

/** Only the fields that are named are kept of a line. A field that some line has is a column. */
const jsonTable = Effect.fn("jsonTable")(function* (
  _name: string,
  path: string,
  mapping: ColumnMapping,
  onRow: (row: SourceRow) => void
) {
  const wanted = mappedColumns(mapping)
  const header = new Set<string>()
  const top = new Set<string>()
  const problems: Array<Problem> = []
  yield* readLines(path, "the file", (line) => {
    if ("problem" in line) {
      problems.push(line.problem)
      return
    }
    const at = { file: path, line: line.number }
    const parsed = parseJson(line.text)
    if (Result.isFailure(parsed)) {
      problems.push({ ...parsed.failure, ...at })
      return
    }
    const cleaned = cleanTexts(parsed.success)
    const half = halfCharacter(cleaned)
    if (half !== undefined) {
      problems.push({ ...half, ...at })
      return
    }
    const { value } = cleaned
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      problems.push({ ...at, what: "is no JSON object", expected: "one object a line" })
      return
    }
    const cells: Record<string, string> = {}
    for (const field of Object.keys(value)) top.add(field)
    for (const column of wanted) {
      const field = fieldOf(value, column)
      if (field === undefined) continue
      header.add(column)
      const text = textOf(field.value)
      if (text === undefined)
        problems.push({ ...at, field: column, what: "is no text", expected: "text or a list of it" })
      else if (typeof text === "string") cells[column] = text
      else problems.push({ ...at, field: column, ...text })
    }
    onRow({ row: line.number, cells })
  })
  if (problems.length > 0) return yield* new InputError({ problems })
  // The other fields are there for the message about a field that is not.
  return { header: [...header.union(top)], leftOut: [] } satisfies SourceTable
})

const importer = (
  format: "csv" | "jsonl",
  describe: string,
  endings: ReadonlyArray<string>,
  read: typeof csvTable | typeof jsonTable
): Importer => ({
  name: format,
  describe,
  heeds: ["columns"],
  run: Effect.fn(format)(function* (
    source: string,
    options: ImportOptions = {}
  ): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
    const mapping = options.columns ?? noMapping
    const wrong = mappingProblems(mapping)
    if (wrong.length > 0) return yield* new InputError({ problems: wrong })
    const drafts = new DraftSpool()
    const warnings: Array<string> = []
    const sources = yield* sourceFiles(source, "the source", endings)
    for (const { name, path } of sources) {
      const rows = new RowSpool<SourceRow>()
      const [wronglyDecoded, formulas] = [new RowTally(), new RowTally()]
      const table: SourceTable = yield* read(name, path, mapping, (row) => {
        const texts = Object.values(row.cells)
        wronglyDecoded.add(row.row, mojibakeIn(texts))
        formulas.add(row.row, texts.find(isFormula))
        rows.add(row)
      })
      if (rows.size === 0) return yield* inputError({ file: path, what: "holds no rows: nothing is written" })
      const problems = columnProblems(mapping, table.header)
      if (problems.length > 0) {
        return yield* new InputError({ problems: problems.map((problem) => ({ ...problem, file: path })) })
      }
      drafts.file(name, rows.size + table.leftOut.length)
      for (const one of table.leftOut) drafts.leave(one)
      const draftOf = draftMaker(mapping, name, table.header, sources.length > 1)
      for (const row of rows) drafts.take(draftOf(row))
      warnings.push(...mojibakeText(name, wronglyDecoded), ...formulaText(name, formulas))
    }
    const made = drafts.assembled()
    const { delimiter: _, values, ...columns } = mapping
    return importedOf(made, {
      format,
      remarks: [
        `columns: ${Object.entries(columns)
          .map(([name, column]) => `${name} = ${showValue(column)}`)
          .join(", ")}`,
        ...(Object.keys(values).length === 0
          ? []
          : [
              `values: ${Object.entries(values)
                .map(([from, to]) => `${from} = ${to}`)
                .join(", ")}`
            ]),
        ...(mapping.pair === undefined ? ["a pair's id is that of its row, since no column is named for it"] : []),
        "texts lose blanks at their ends and Windows line ends, and are otherwise as they stand"
      ],
      warnings: [...warnings, ...repeatedRowsWarning(made.repeats, made.counts.pairs, sources.length)],
      expected: []
    })
  }, catchSpoolFailure)
})

export const genericCsv = importer("csv", "Any CSV file, by the names of its columns", [".csv", ".tsv"], csvTable)

export const genericJsonl = importer(
  "jsonl",
  "Any JSON file of one object a line, by the names of its fields",
  [".jsonl", ".ndjson"],
  jsonTable
)
