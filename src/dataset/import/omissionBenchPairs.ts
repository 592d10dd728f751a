import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Pair } from "../../domain/Dataset.ts"
import { sha256 } from "../../domain/hash.ts"
import { InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { cleanTexts, halfCharacter } from "../parseJson.ts"
import { readJsonFile } from "./omissionBenchFiles.ts"
import { labelsOf } from "./omissionBenchLabels.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Site = Schema.Struct({ quote: text, span: text, section: text, strength: text })
const sites = Schema.optionalKey(Schema.NullOr(Schema.Array(Site)))

const PairRow = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  clean: Schema.NonEmptyString,
  errored: Schema.NonEmptyString,
  pair_id: text,
  stratum: text,
  key: text,
  class: text,
  residual_level: text,
  severity: text,
  fact: text,
  target: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({ kind: text, index: Schema.optionalKey(Schema.NullOr(Schema.Int)), fact: text, mode: text })
    )
  ),
  residual: Schema.optionalKey(Schema.NullOr(Schema.Struct({ sites, verified_sites: sites, max_strength: text }))),
  eval_set: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  held_out_reason: text,
  matched_pair_ids: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
})

/** A pair with its defaults filled in. */
export interface Entry {
  readonly row: number
  readonly value: typeof PairRow.Type
  readonly pairId: string
  readonly stratum: string
  readonly key: string
  readonly labels: Pick<Pair, "class" | "trace"> | undefined
  /** `stratum|id|clean|…` with the start of the SHA-256 of the text as it stands in the file. */
  readonly cleanId: string
}

const wrappers = ["pairs", "items", "data"]

/** The list of pairs of a document: it itself, or under one of the names that a wrapper has. */
const listOf = (document: unknown): { readonly name: string; readonly list: ReadonlyArray<unknown> } | undefined => {
  if (Array.isArray(document)) return { name: "", list: document }
  if (typeof document !== "object" || document === null) return undefined
  for (const name of wrappers) {
    const list: unknown = Reflect.get(document, name)
    if (Object.hasOwn(document, name) && Array.isArray(list)) return { name, list }
  }
  return undefined
}

/** The pairs of a file; refused with every bad row, doubled id and second clean note of a consultation named. */
export const readPairs = Effect.fn("readPairs")(function* (
  file: string
): Effect.fn.Return<ReadonlyArray<Entry>, InputError, FileSystem.FileSystem> {
  const found = listOf(yield* readJsonFile(file, "the file of pairs"))
  if (found === undefined) {
    return yield* inputError({
      file,
      what: "holds no list of pairs",
      expected: `a list, or an object with ${wrappers.join(", ")}`
    })
  }
  const decode = Schema.decodeUnknownResult(PairRow, { errors: "all" })
  const entries: Array<Entry> = []
  const problems: Array<Problem> = []
  for (const [at, raw] of found.list.entries()) {
    const place = `${found.name}[${at}]`
    const cleaned = cleanTexts(raw)
    const half = halfCharacter(cleaned)
    if (half !== undefined) {
      problems.push({ ...half, file, field: `${place}.${half.field ?? ""}` })
      continue
    }
    const { value } = cleaned
    const decoded = decode(value)
    if (Result.isFailure(decoded)) {
      for (const { problem } of schemaProblems(decoded.failure.issue, value, PairRow.ast)) {
        problems.push({ ...problem, file, field: problem.field === undefined ? place : `${place}.${problem.field}` })
      }
      continue
    }
    const pair = decoded.success
    const stratum = pair.stratum?.trim() || "authored"
    const key = pair.key || `${stratum}|${pair.id}`
    const rawClean: unknown = typeof raw === "object" && raw !== null ? Reflect.get(raw, "clean") : undefined
    entries.push({
      row: at + 1,
      value: pair,
      pairId: pair.pair_id || `${stratum}|${pair.id}|${pair.type}`,
      stratum,
      key,
      labels: labelsOf({
        type: pair.type,
        class: pair.class,
        level: pair.residual_level,
        strength: pair.residual?.max_strength
      }),
      cleanId: `${stratum}|${pair.id}|clean|${sha256(typeof rawClean === "string" ? rawClean : pair.clean).slice(0, 12)}`
    })
  }
  const ids = new Map<string, Entry>()
  const cleans = new Map<string, Entry>()
  for (const entry of entries) {
    const field = `${found.name}[${entry.row - 1}]`
    const twin = ids.get(entry.pairId)
    if (twin === undefined) ids.set(entry.pairId, entry)
    else
      problems.push({
        file,
        field,
        what: `row ${entry.row} has the pair_id of row ${twin.row}`,
        found: showValue(entry.pairId),
        expected: "an id of its own"
      })
    const first = cleans.get(entry.key)
    if (first === undefined) cleans.set(entry.key, entry)
    else if (first.value.clean !== entry.value.clean)
      problems.push({
        file,
        field: `${field}.clean`,
        what: `row ${entry.row} has another clean note than row ${first.row} of the same consultation`,
        found: showValue(entry.key),
        expected: "one clean note a consultation"
      })
  }
  if (problems.length > 0) return yield* new InputError({ problems })
  return entries
})
