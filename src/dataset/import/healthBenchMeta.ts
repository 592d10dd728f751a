import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { Consultation, Fact, Note } from "../../domain/Dataset.ts"
import { type InputError, showValue } from "../../domain/InputError.ts"
import { sourceFiles } from "./drafts.ts"
import type { Imported, Importer, LeftOut } from "./Importer.ts"
import { readJsonRows } from "./jsonRows.ts"
import { mojibakeWarning } from "./mojibake.ts"

const Row = Schema.Struct({
  prompt_id: Schema.NonEmptyString,
  prompt: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String })),
  completion: Schema.String,
  completion_id: Schema.NonEmptyString,
  rubric: Schema.NonEmptyString,
  category: Schema.optionalKey(Schema.NullOr(Schema.String)),
  binary_labels: Schema.Array(Schema.Boolean),
  anonymized_physician_ids: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
})

/** What physicians said of one completion by one criterion. One line of the file of labels. */
export interface CriterionLabel {
  /** The consultation, note and fact of the dataset. */
  readonly consultation: string
  readonly note: string
  readonly fact: string
  readonly category: string | null
  /** Whether the criterion is met, by physician. */
  readonly labels: ReadonlyArray<boolean>
  readonly physicians: ReadonlyArray<string>
  /** Of the majority; null at a tie. */
  readonly met: boolean | null
  /** Of the source: its file and line. */
  readonly row: number
  readonly file: string
}

interface Open {
  readonly transcript: string
  readonly row: number
  readonly facts: Map<string, Fact>
  readonly notes: Map<string, Note>
}

const conversation = (prompt: (typeof Row.Type)["prompt"]): string =>
  prompt.map(({ content, role }) => `${role.charAt(0).toUpperCase()}${role.slice(1)}: ${content.trim()}`).join("\n\n")

const majority = (labels: ReadonlyArray<boolean>): boolean | null => {
  const met = labels.filter(Boolean).length
  return met * 2 === labels.length ? null : met * 2 > labels.length
}

const run = Effect.fn("healthBenchMeta")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const read: Array<{ file: string; rows: number; paired: number }> = []
  const leftOut: Array<LeftOut> = []
  const warnings: Array<string> = []
  const opened = new Map<string, Open>()
  const labels: Array<CriterionLabel> = []
  const seen = new Map<string, number>()
  const repeated: Array<number> = []
  for (const { name, path } of yield* sourceFiles(source, "the meta-evaluation file or folder", [".jsonl"])) {
    const rows = yield* readJsonRows(path, "the meta-evaluation file", Row)
    const before = labels.length
    warnings.push(
      ...mojibakeWarning(
        name,
        rows.map(({ row, value }) => ({ row, texts: [conversation(value.prompt), value.completion, value.rubric] }))
      )
    )
    for (const { row, value } of rows) {
      const leave = (reason: string) => leftOut.push({ file: name, row, id: value.prompt_id, reason })
      const transcript = conversation(value.prompt)
      const open = opened.get(value.prompt_id) ?? { transcript, row, facts: new Map(), notes: new Map() }
      const present = open.notes.get(value.completion_id)
      const physicians = value.anonymized_physician_ids ?? []
      if (value.completion.trim() === "") leave("the completion is blank")
      else if (open.transcript !== transcript) leave(`the prompt is not that of row ${open.row}, which has the same id`)
      else if (present !== undefined && present.text !== value.completion)
        leave(`the completion ${showValue(value.completion_id)} has another text in an earlier row`)
      else if (value.binary_labels.length === 0) leave("there is no physician's label")
      else {
        opened.set(value.prompt_id, open)
        if (present === undefined)
          open.notes.set(value.completion_id, { id: value.completion_id, text: value.completion })
        const fact = open.facts.get(value.rubric) ?? { id: `criterion-${open.facts.size + 1}`, text: value.rubric }
        open.facts.set(value.rubric, fact)
        const key = JSON.stringify([value.prompt_id, value.completion_id, fact.id])
        if (seen.has(key)) repeated.push(row)
        seen.set(key, row)
        labels.push({
          consultation: value.prompt_id,
          note: value.completion_id,
          fact: fact.id,
          category: value.category ?? null,
          labels: value.binary_labels,
          physicians,
          met: majority(value.binary_labels),
          row,
          file: name
        })
      }
    }
    read.push({ file: name, rows: rows.length, paired: labels.length - before })
  }
  if (repeated.length > 0) {
    warnings.push(
      `${repeated.length} rows have the completion and criterion of an earlier row and are labels of their own (row${repeated.length === 1 ? "" : "s"} ${repeated.slice(0, 5).join(", ")}${repeated.length > 5 ? ", …" : ""})`
    )
  }
  const consultations = [...opened].map(
    ([id, { facts, notes, transcript }]): Consultation => ({
      id,
      stratum: "healthbench",
      transcript,
      facts: [...facts.values()],
      notes: [...notes.values()],
      pairs: []
    })
  )
  const ties = labels.filter((label) => label.met === null).length
  return {
    consultations,
    beside: { name: "labels", what: "the physicians' labels", lines: labels },
    report: {
      format: "healthbench-meta",
      read,
      rowsBecome: "labels",
      consultations: consultations.length,
      notes: consultations.reduce((sum, one) => sum + one.notes.length, 0),
      pairs: 0,
      leftOut,
      remarks: [
        "what fits the dataset: consultation = prompt, transcript = its conversation, notes = completions, facts = the criteria (without severity: the source has no points for them)",
        "what does not fit: the source has no flawed and clean twin, so there are no pairs and nothing that data or runs can score by pairs; which completion meets which criterion, by physician, is in the file of labels",
        `labels: ${labels.reduce((sum, label) => sum + label.labels.length, 0)} by physicians; ${ties} rows are a tie (met: null)`,
        "the canary is left out; the publisher asks that examples are not shown in public"
      ],
      warnings,
      expected: [
        { what: "rows", expected: 29_511, found: read.reduce((sum, file) => sum + file.rows, 0) },
        {
          what: "labels by physicians",
          expected: 60_896,
          found: labels.reduce((sum, label) => sum + label.labels.length, 0)
        }
      ]
    }
  }
})

export const healthBenchMeta: Importer = {
  name: "healthbench-meta",
  describe: "HealthBench meta-evaluation (JSON, one row a line): criteria and physicians' labels, no pairs",
  run
}
