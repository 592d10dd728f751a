import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import type { LabelledVerdict } from "../measure/labelAgreement.ts"
import { readCsv } from "./import/csvRows.ts"
import { readJsonRows } from "./import/jsonRows.ts"

/** One line of the labels that `data import healthbench-meta` writes (`CriterionLabel`). */
const LabelLine = Schema.Struct({
  consultation: Schema.NonEmptyString,
  note: Schema.NonEmptyString,
  fact: Schema.NonEmptyString,
  labels: Schema.NonEmptyArray(Schema.Boolean)
})

const VerdictLine = Schema.Struct({
  consultation: Schema.NonEmptyString,
  note: Schema.NonEmptyString,
  fact: Schema.NonEmptyString,
  judge: Schema.optionalKey(Schema.NullOr(Schema.String)),
  met: Schema.NullOr(Schema.Boolean)
})

export interface JudgeVerdicts {
  readonly judge: string
  readonly verdicts: ReadonlyArray<LabelledVerdict>
  /** Verdicts that could not be read: left out. */
  readonly unreadable: number
}

const keyOf = (of: { readonly consultation: string; readonly note: string; readonly fact: string }) =>
  JSON.stringify([of.consultation, of.note, of.fact])

const words: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  met: true,
  "1": true,
  false: false,
  no: false,
  "not met": false,
  "0": false
}

const readCsvVerdicts = Effect.fnUntraced(function* (file: string, delimiter: string) {
  const columns = ["consultation", "note", "fact", "met"] as const
  const { rows } = yield* readCsv(file, "the verdicts", { columns, delimiter })
  const bad = rows.filter(({ cells }) => cells.met.trim() !== "" && words[cells.met.trim().toLowerCase()] === undefined)
  if (bad.length > 0) {
    return yield* inputError(
      ...bad.map(({ cells, line }) => ({
        file,
        line,
        field: "met",
        what: "is no verdict",
        found: showValue(cells.met),
        expected: "true or false, or an empty cell for a verdict that could not be read"
      }))
    )
  }
  return rows.map(({ cells, line }) => ({
    row: line,
    value: {
      consultation: cells.consultation,
      note: cells.note,
      fact: cells.fact,
      judge: cells["judge"] ?? null,
      met: words[cells.met.trim().toLowerCase()] ?? null
    }
  }))
})

/**
 * Reads physicians' labels and the verdicts of judges on the same criteria (CSV or JSONL: consultation, note, fact, met,
 * and judge where the file's name is not its name). A criterion that was labelled in several rows has all their labels.
 * Fails with every verdict on what has no label, and every second one of a judge.
 */
export const readVerdicts = Effect.fn("readVerdicts")(function* (
  labelsFile: string,
  files: ReadonlyArray<string>
): Effect.fn.Return<
  {
    readonly judges: ReadonlyArray<JudgeVerdicts>
    readonly labelled: number
    readonly warnings: ReadonlyArray<Problem>
  },
  InputError,
  FileSystem.FileSystem | Path.Path
> {
  const path = yield* Path.Path
  const labels = new Map<string, Array<boolean>>()
  for (const { value } of yield* readJsonRows(labelsFile, "the labels", LabelLine)) {
    const known = labels.get(keyOf(value)) ?? []
    known.push(...value.labels)
    labels.set(keyOf(value), known)
  }
  const judges = new Map<
    string,
    { readonly seen: Set<string>; readonly verdicts: Array<LabelledVerdict>; unreadable: number }
  >()
  const problems: Array<Problem> = []
  for (const file of files) {
    const extension = path.extname(file).toLowerCase()
    const rows = yield* extension === ".csv"
      ? readCsvVerdicts(file, ",")
      : extension === ".tsv"
        ? readCsvVerdicts(file, "\t")
        : readJsonRows(file, "the verdicts", VerdictLine)
    for (const { row, value } of rows) {
      const key = keyOf(value)
      const judge = value.judge || path.parse(file).name
      const own = judges.get(judge) ?? { seen: new Set<string>(), verdicts: [], unreadable: 0 }
      judges.set(judge, own)
      const given = labels.get(key)
      if (given === undefined) {
        problems.push({ file, line: row, what: "there is no label of this criterion", found: key })
      } else if (own.seen.has(key)) {
        problems.push({
          file,
          line: row,
          what: `${showValue(judge)} has a verdict on this criterion already`,
          found: key
        })
      } else if (value.met === null) own.unreadable++
      else own.verdicts.push({ cluster: value.consultation, met: value.met, labels: given })
      own.seen.add(key)
    }
  }
  if (problems.length > 0) return yield* new InputError({ problems })
  return {
    judges: [...judges].map(([judge, { unreadable, verdicts }]) => ({ judge, verdicts, unreadable })),
    labelled: labels.size,
    warnings: [...judges].flatMap(([judge, { seen }]) =>
      seen.size === labels.size
        ? []
        : [
            {
              what: `${showValue(judge)} has no verdict on ${labels.size - seen.size} of the criteria, which are left out`
            }
          ]
    )
  }
})
