import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type { ImportReport } from "../dataset/import/Importer.ts"
import { importerNames, importers } from "../dataset/import/registry.ts"
import { count, json, plain, table } from "./output.ts"

const reportText = (report: ImportReport, out: string): string => {
  const reasons = Map.groupBy(report.leftOut, (one) => one.reason)
  const left = [...reasons].flatMap(([reason, some]) => [
    `left out, ${count(some.length, "entry", "entries")}: ${reason}`,
    table(some.map((one) => ["", one.file, one.row === undefined ? "" : `row ${one.row}`, one.id ?? ""]))
  ])
  const different = report.expected.filter((one) => one.expected !== one.found)
  return [
    table([
      ["read", "rows", "paired", "left out"],
      ...report.read.map((one) => [one.file, one.rows, one.paired, one.rows - one.paired])
    ]),
    "",
    ...left,
    ...report.remarks.map((remark) => `rule: ${remark}`),
    different.length === 0
      ? `all ${report.expected.length} counts are those of the published data`
      : `not the counts of the published data:\n${table(different.map((one) => ["", one.what, `expected ${one.expected}`, `found ${one.found}`]))}`,
    "",
    plain(
      `wrote ${out}: ${count(report.consultations, "consultation")}, ${count(report.notes, "note")}, ${count(report.pairs, "pair")}`
    )
  ].join("\n")
}

export const dataImport = Command.make(
  "import",
  {
    format: Argument.Literals("format", importerNames).pipe(Argument.withDescription("The format of the source")),
    source: Argument.String("source").pipe(Argument.withDescription("The source's folder or file")),
    out: Flag.String("out").pipe(Flag.withAlias("o"), Flag.withDescription("The dataset file to write")),
    force: Flag.Boolean("force").pipe(Flag.withDescription("Replace the file if it is there"), Flag.withDefault(false)),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the report as JSON"), Flag.withDefault(false))
  },
  Effect.fn(function* (input) {
    const importer = yield* Effect.promise(importers[input.format])
    const { datasetText, writeNewFile } = yield* Effect.promise(() => import("../dataset/write.ts"))
    const { consultations, report } = yield* importer.run(input.source)
    yield* writeNewFile(input.out, "the dataset", datasetText(consultations), { force: input.force })
    yield* Console.log(input.json ? json({ out: input.out, ...report }) : reportText(report, input.out))
  })
).pipe(
  Command.withDescription("Bring a public data set into the dataset format, and report what became of each row"),
  Command.withExamples([
    {
      command: "assize data import primock-pairs ../shared/data/primock57 --out primock.jsonl",
      description: "Clinicians' own pairs"
    }
  ])
)
