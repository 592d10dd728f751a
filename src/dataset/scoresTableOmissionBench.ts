import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import { schemaProblems } from "../domain/schemaProblems.ts"
import { parseJson } from "./parseJson.ts"
import type { ScoreTablesBuilder } from "./scoresTable.ts"
import { tooLargeScore } from "./scoresTableColumns.ts"
import { readTextFile } from "./textFile.ts"

const Scores = Schema.Record(Schema.String, Schema.NullOr(Schema.Finite))

/** The shape of omission-bench's published scores: of one candidate, or of several by name. */
const Published = Schema.Struct({
  candidate: Schema.optionalKey(Schema.String),
  scores: Schema.optionalKey(Scores),
  candidates: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ scores: Scores })))
})

const decode = Schema.decodeUnknownResult(Published, { errors: "all" })

const planted: Readonly<Record<string, { readonly class: string; readonly trace?: string }>> = {
  add: { class: "addition" },
  change: { class: "alteration" },
  omit: { class: "omission" },
  omitc: { class: "omission", trace: "complete" },
  omitps: { class: "omission", trace: "restated" },
  omitpw: { class: "omission", trace: "fragment" }
}

interface Key {
  readonly consultation: string
  readonly stratum: string
  readonly note: string
  /** Undefined for the clean note. */
  readonly error?: { readonly class: string; readonly trace?: string }
}

/** `stratum|id|clean|<hash>` or `stratum|id|<tag>[|<site>]|err`; undefined for anything else. */
const parseKey = (key: string): Key | undefined => {
  const [stratum, id, tag, ...rest] = key.split("|")
  if (stratum === undefined || id === undefined || tag === undefined || rest.length === 0) return undefined
  const place = { consultation: `${stratum}|${id}`, stratum, note: [tag, ...rest].join("|") }
  if (tag === "clean" && rest.length === 1) return place
  const error = planted[tag]
  return error === undefined || rest.at(-1) !== "err" ? undefined : { ...place, error }
}

/**
 * Adds the scores of a JSON file as omission-bench publishes them, whole: each candidate is a judge, by its name in the
 * file. The row that a message names is the key's place among the candidate's scores.
 */
export const addOmissionBench = Effect.fn("addOmissionBench")(function* (
  builder: ScoreTablesBuilder,
  file: number,
  path: string
): Effect.fn.Return<ReadonlyArray<Problem>, InputError, FileSystem.FileSystem> {
  const parsed = parseJson(yield* readTextFile(path, "the scores"))
  const expected = "omission-bench's shape ({ candidate, scores } or { candidates: { NAME: { scores } } })"
  if (Result.isFailure(parsed)) {
    return yield* inputError({
      ...parsed.failure,
      file: path,
      expected,
      hint: "A table with one JSON object a line is to be named *.jsonl"
    })
  }
  const decoded = decode(parsed.success)
  if (Result.isFailure(decoded)) {
    return yield* inputError(
      ...schemaProblems(decoded.failure.issue, parsed.success, Published.ast).map(({ problem }) => ({
        ...problem,
        file: path
      }))
    )
  }
  const { candidate, candidates, scores } = decoded.success
  const judges = [
    ...(scores === undefined ? [] : [[candidate, scores] as const]),
    ...Object.entries(candidates ?? {}).map(([name, one]) => [name, one.scores] as const)
  ]
  if (judges.length === 0) {
    return yield* inputError({
      file: path,
      what: "holds no scores",
      expected,
      hint: "A table with one JSON object a line is to be named *.jsonl"
    })
  }
  for (const [judge, scoresOfOne] of judges) {
    const keys = Object.entries(scoresOfOne).map(([key, score], at) => ({
      key,
      score,
      row: at + 1,
      parts: parseKey(key)
    }))
    const clean = new Map(
      keys.flatMap(({ parts }) =>
        parts !== undefined && parts.error === undefined ? [[parts.consultation, parts.note]] : []
      )
    )
    for (const { key, parts, row, score } of keys) {
      if (parts === undefined) {
        builder.problem(file, undefined, {
          what: `row ${row}: the key names no note`,
          found: showValue(key),
          expected: "stratum|id|clean|hash, or stratum|id|tag|err"
        })
        continue
      }
      const { consultation, error, note, stratum } = parts
      const twin = clean.get(consultation)
      if (error !== undefined && twin === undefined) {
        builder.problem(file, undefined, {
          what: `row ${row}: the note ${showValue(key)} has no clean twin in the file`
        })
        continue
      }
      const problem = score === null ? undefined : tooLargeScore(score)
      if (problem !== undefined) {
        builder.problem(file, undefined, { ...problem, what: `row ${row}: ${problem.what}` })
        continue
      }
      builder.add(file, row, {
        consultation,
        note,
        stratum,
        clean: error === undefined ? "" : twin!,
        ...error,
        ...(judge === undefined ? {} : { judge }),
        score: score ?? Number.NaN
      })
    }
  }
  return []
})
