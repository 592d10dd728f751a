import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ColumnMapping, Importer, ImportOptions } from "../dataset/import/Importer.ts"
import { importerNames, importers } from "../dataset/import/registry.ts"
import { inputError } from "../domain/InputError.ts"
import { count, json } from "./output.ts"
import { outputProblems } from "./outputs.ts"
import { meaningless } from "./together.ts"

/** The file beside the dataset: `out.jsonl` and `out.labels.jsonl`. */
const besideOf = (out: string, name: string): string =>
  out.endsWith(".jsonl") ? `${out.slice(0, -".jsonl".length)}.${name}.jsonl` : `${out}.${name}.jsonl`

const column = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("COLUMN"), Flag.withDescription(`csv, jsonl: ${description}`), Flag.optional)

const columnFlags = {
  consultation: column("consultation", "the consultation's id: pairs with the same one belong together"),
  transcript: column("transcript", "the transcript; without it, notes are judged on their own"),
  flawed: column("flawed", "the flawed note"),
  clean: column("clean", "its clean twin"),
  class: column("class", "the class, or omission, addition or alteration for all rows"),
  pair: column("pair", "the pair's id; its row's number otherwise"),
  trace: column("trace", "what an omission left: complete, fragment or restated"),
  severity: column("severity", "critical, supporting or peripheral"),
  fact: column("fact", "the fact concerned"),
  errorType: column("error-type", "the kind of error, in the source's words"),
  errorSentence: column("error-sentence", "the sentence with the error"),
  correctedSentence: column("corrected-sentence", "the sentence without it"),
  stratum: column("stratum", "the stratum, or a word for all rows"),
  language: column("language", "the language, or a code for all rows")
}

/** The options as flags say them, and the names of those that were given. */
const optionsOf = (input: {
  readonly pairing: Option.Option<"in-place" | "recovery">
  readonly columns: { readonly [Name in keyof typeof columnFlags]: Option.Option<string> }
  readonly delimiter: Option.Option<string>
  readonly values: Readonly<Record<string, string>>
  readonly pairs: Option.Option<"all" | "whole" | "single">
  readonly transcripts: Option.Option<string>
  readonly scoresOut: Option.Option<string>
  readonly evalOnly: boolean
}): ImportOptions => {
  const named = Object.entries({ ...input.columns, delimiter: input.delimiter }).flatMap(([name, value]) =>
    Option.isSome(value) ? [[name, value.value]] : []
  )
  const mapping: ColumnMapping = { ...Object.fromEntries(named), values: input.values }
  return {
    ...(Option.isSome(input.pairing) ? { pairing: input.pairing.value } : {}),
    ...(Option.isSome(input.pairs) ? { pairs: input.pairs.value } : {}),
    ...(Option.isSome(input.transcripts) ? { transcripts: input.transcripts.value } : {}),
    ...(Option.isSome(input.scoresOut) ? { scores: true } : {}),
    ...(input.evalOnly ? { evalOnly: true } : {}),
    ...(named.length === 0 && Object.keys(input.values).length === 0 ? {} : { columns: mapping })
  }
}

const optionNames: Readonly<Record<keyof ImportOptions, string>> = {
  pairing: "--pairing",
  columns: "naming columns (--consultation, --value and the like)",
  pairs: "--pairs",
  transcripts: "--transcripts",
  scores: "--scores-out",
  evalOnly: "--eval-only"
}

/** Options that the importer would pass over in silence. */
const refused = (importer: Importer, options: ImportOptions) =>
  (Object.keys(options) as Array<keyof ImportOptions>)
    .filter((name) => importer.heeds?.includes(name) !== true)
    .map((name) => ({ what: `${optionNames[name]} has no meaning for the format ${importer.name}` }))

export const dataImport = Command.make(
  "import",
  {
    format: Argument.Literals("format", importerNames).pipe(
      Argument.withDescription(`The format of the source: ${importerNames.join(", ")}`)
    ),
    source: Argument.String("source").pipe(Argument.withDescription("The source's folder or file")),
    out: Flag.String("out").pipe(Flag.withAlias("o"), Flag.withDescription("The dataset file to write")),
    force: Flag.Boolean("force").pipe(Flag.withDescription("Replace the file if it is there"), Flag.withDefault(false)),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the report as JSON"), Flag.withDefault(false)),
    pairing: Flag.Literals("pairing", ["in-place", "recovery"]).pipe(
      Flag.withDescription(
        "medec: make the clean note from the error row (the default), or find the most similar correct row"
      ),
      Flag.optional
    ),
    columns: columnFlags,
    delimiter: Flag.String("delimiter").pipe(
      Flag.withDescription("csv: what stands between cells; a comma, or a tab for *.tsv"),
      Flag.optional
    ),
    values: Flag.KeyValuePair("value").pipe(
      Flag.withDescription(
        "csv, jsonl: what a value means, as wrong=alteration for the class, or severity:high=critical; repeatable"
      ),
      Flag.withDefault({})
    ),
    pairs: Flag.Literals("pairs", ["all", "whole", "single"]).pipe(
      Flag.withDescription(
        "primock-results, primock-clinician-pairs: whole edited notes, single edits of them, or all (the default)"
      ),
      Flag.optional
    ),
    transcripts: Flag.String("transcripts").pipe(
      Flag.withDescription("primock-results, primock-clinician-pairs: the folder of transcripts"),
      Flag.optional
    ),
    scoresOut: Flag.String("scores-out").pipe(
      Flag.withDescription("omissionbench: write the judge runs' scores to this file, as *.csv, else as JSON lines"),
      Flag.optional
    ),
    evalOnly: Flag.Boolean("eval-only").pipe(
      Flag.withDescription("omissionbench: leave out pairs that are not of the evaluation set"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(function* (input) {
    const importer = yield* Effect.promise(importers[input.format])
    const { jsonLines, writeNewFile, writeNewLines } = yield* Effect.promise(() => import("../dataset/write.ts"))
    const options = optionsOf(input)
    const problems = [
      ...refused(importer, options),
      ...outputProblems({ out: Option.some(input.out), "scores-out": input.scoresOut }, [["the source", input.source]]),
      ...(input.format === "csv"
        ? []
        : meaningless(input, ["delimiter"], `has no meaning for the format ${input.format}, which has no cells`))
    ]
    if (problems.length > 0) return yield* inputError(...problems)
    const { catchSpoolFailure } = yield* Effect.promise(() => import("../dataset/byteSpool.ts"))
    const { saveMemory } = yield* Effect.promise(() => import("./scoreMemory.ts"))
    const { nothingMade, reportText } = yield* Effect.promise(() => import("./dataImportView.ts"))
    yield* saveMemory([input.source])
    const imported = yield* importer.run(input.source, options)
    const { beside, instead, report, scores } = imported
    const nothing = nothingMade(input.source, report)
    if (nothing.length > 0) return yield* inputError(...nothing)
    const { force, out } = input
    const scoresFile = scores === undefined ? undefined : Option.getOrUndefined(input.scoresOut)
    const asCsv = scoresFile !== undefined && /\.csv$/i.test(scoresFile)
    const { notForCsv, scoreCsv, scoreJsonl, textsOfRow } = yield* Effect.promise(
      () => import("../dataset/import/scoreTable.ts")
    )
    const unfit = asCsv ? notForCsv(scores!.flatMap(textsOfRow)) : undefined
    if (unfit !== undefined) return yield* inputError({ ...unfit, field: "--scores-out" })
    if (instead !== undefined) yield* writeNewLines(out, instead.what, jsonLines(instead.lines), { force })
    else {
      const consultations = imported.streamed ?? imported.consultations
      yield* catchSpoolFailure(writeNewLines(out, "the dataset", jsonLines(consultations), { force }))
    }
    const second = beside === undefined ? undefined : besideOf(out, beside.name)
    if (beside !== undefined && second !== undefined)
      yield* writeNewLines(second, beside.what, jsonLines(beside.lines), { force })
    if (scores !== undefined && scoresFile !== undefined) {
      const text = (asCsv ? scoreCsv : scoreJsonl)(scores)
      yield* writeNewFile(scoresFile, "the table of scores", text, { force })
    }
    const written = [
      instead === undefined
        ? `wrote ${out}: ${count(report.consultations, "consultation")}, ${count(report.notes, "note")}, ${count(report.pairs, "pair")}`
        : `wrote ${out}: ${instead.what}, ${count(instead.lines.length, "line")}`,
      ...(beside === undefined ? [] : [`wrote ${second}: ${beside.what}, ${count(beside.lines.length, "line")}`]),
      ...(scores === undefined || scoresFile === undefined
        ? []
        : [
            `wrote ${scoresFile}: ${count(scores.length, "score")} of ${count(new Set(scores.map((row) => row.judge)).size, "judge")}`
          ])
    ]
    yield* Console.log(
      input.json
        ? json({
            out,
            ...(second === undefined ? {} : { beside: second }),
            ...(scoresFile === undefined ? {} : { scores: scoresFile }),
            ...report
          })
        : reportText(report, written)
    )
  })
).pipe(
  Command.withDescription("Bring a public data set into the dataset format, and report what became of each row"),
  Command.withExamples([
    {
      command: "assize data import primock-pairs primock57 --out primock.jsonl",
      description: "Clinicians' own pairs"
    },
    {
      command:
        "assize data import csv pairs.csv --out mine.jsonl --consultation visit --transcript talk --flawed bad --clean good --class kind --value wrong=alteration",
      description: "A table of your own"
    }
  ])
)
