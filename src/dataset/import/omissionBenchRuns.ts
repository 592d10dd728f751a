import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type InputError, problemLine } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { cleanTexts } from "../parseJson.ts"
import type { LeftOut, ScoreRow } from "./Importer.ts"
import { type Release, readJsonFile } from "./omissionBenchFiles.ts"
import { labelsOf, severityOf } from "./omissionBenchLabels.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const number = Schema.optionalKey(Schema.NullOr(Schema.Finite))

const Manifest = Schema.Struct({
  status: text,
  replicate: number,
  calls: Schema.optionalKey(Schema.NullOr(Schema.Struct({ errors: number }))),
  cost_usd: number
})

const Judgement = Schema.Struct({
  cell: text,
  arm: text,
  tier: text,
  criterion: text,
  format: text,
  replicate: number,
  model_key: text,
  model: text,
  note_key: Schema.NonEmptyString,
  note_role: Schema.Literals(["clean", "errored"]),
  consultation: Schema.NonEmptyString,
  stratum: text,
  pair_id: text,
  pair_type: text,
  clean_key: text,
  pair_class: text,
  residual_level: text,
  residual_strength: text,
  severity: text,
  aggregate: number,
  verdict: text,
  parse_failure: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  t: number
})
type Judgement = typeof Judgement.Type

const Records = Schema.Struct({ records: Schema.Array(Judgement) })

const recordFile = /^judgements\/judges\/([^/]+)\/([^/]+)\/w2_(?:grid_[^/]*|arms|pipeline)\.json$/
const anyRun = /^judgements\/judges\/([^/]+)\/([^/]+)\/manifest\.json$/
const workingStore = /^judgements\/judges\/(?:.*\/)?_state\/[^/]+\.jsonl$/

/** Why a run's judgements are not used; undefined where they are. What a manifest does not say is no reason. */
const refusal = (manifest: typeof Manifest.Type): string | undefined => {
  if (manifest.status !== undefined && manifest.status !== "complete") return `its status is ${manifest.status}`
  const errors = manifest.calls?.errors ?? 0
  if (errors > 0) return `${errors} of its calls failed`
  return manifest.cost_usd === null ? "its cost is not known" : undefined
}

/** PASS as 1 and FAIL as 0; else the aggregate of the samples. Null of a reply that could not be read. */
const scoreOf = (record: Judgement): number | null => {
  if (record.parse_failure === true) return null
  if (record.format?.trim().toLowerCase() === "bin" || (record.aggregate ?? null) === null) {
    const verdict = record.verdict?.trim().toUpperCase()
    return verdict === "PASS" ? 1 : verdict === "FAIL" ? 0 : null
  }
  return record.aggregate!
}

interface Found {
  readonly file: string
  readonly row: number
  /** Family and run id: run ids may be the same in two families. */
  readonly run: string
  readonly record: Judgement
  readonly judge: string
  readonly replicate: number
}

/** One judge's one look at one note. */
const place = (found: Found): string => JSON.stringify([found.judge, found.replicate, found.record.note_key])

/** Of records of one run with the same place the newest; the others with the reason why not. */
const newest = (
  found: ReadonlyArray<Found>
): { readonly kept: ReadonlyArray<Found>; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const best = new Map<string, Found>()
  for (const one of found) {
    const known = best.get(place(one))
    if (known === undefined || (one.record.t ?? 0) > (known.record.t ?? 0)) best.set(place(one), one)
  }
  const kept = found.filter((one) => best.get(place(one)) === one)
  const leftOut = found.flatMap((one): ReadonlyArray<LeftOut> => {
    const better = best.get(place(one))!
    if (better === one) return []
    const reason = `the same judge's newer judgement of the note is row ${better.row}`
    return [{ file: one.file, row: one.row, id: one.record.note_key, reason }]
  })
  return { kept, leftOut }
}

/** Judges of which several runs hold the same replicate of the same note get the run in their names. */
const apart = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const runs = new Map<string, string>()
  const shared = new Set<string>()
  for (const one of found) {
    const known = runs.get(place(one))
    if (known === undefined) runs.set(place(one), one.run)
    else if (known !== one.run) shared.add(one.judge)
  }
  return found.map((one) =>
    shared.has(one.judge) ? { ...one, judge: `${one.judge}@${one.run.split("/").at(-1)}` } : one
  )
}

const rowOf = ({ judge, record, replicate }: Found): ScoreRow => {
  const errored = record.note_role === "errored"
  const labels = errored
    ? labelsOf({
        type: record.pair_type,
        class: record.pair_class,
        level: record.residual_level,
        strength: record.residual_strength
      })
    : undefined
  const severity = errored ? severityOf(record.severity) : undefined
  return {
    consultation: record.consultation,
    note: record.note_key,
    clean: errored ? record.clean_key! : "",
    ...(labels ?? {}),
    ...(severity === undefined ? {} : { severity }),
    stratum: record.stratum ?? record.consultation.split("|")[0]!,
    judge,
    replicate,
    score: scoreOf(record)
  }
}

export interface JudgeRuns {
  readonly files: ReadonlyArray<{ readonly file: string; readonly rows: number; readonly paired: number }>
  readonly rows: ReadonlyArray<ScoreRow>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** How many runs a release has, without reading them. */
export const countRuns = (release: Release): number => release.names.filter((name) => anyRun.test(name)).length

/**
 * The judgements of a release as scores, by family, run and record. A run that did not end well, or whose files cannot
 * be used, is left out whole with the reason. An errored note is left out without a judgement of its clean twin by the
 * same judge in the same replicate, and, where `dropped` has its pair, with that reason.
 */
export const readJudgeRuns = Effect.fn("readJudgeRuns")(function* (
  release: Release,
  dropped: ReadonlySet<string>
): Effect.fn.Return<JudgeRuns, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const leftOut: Array<LeftOut> = []
  const files: Array<{ file: string; rows: number }> = []
  const all: Array<Found> = []
  const read = (name: string, what: string) =>
    Effect.map(readJsonFile(path.join(release.folder, name), what), (value) => cleanTexts(value).value)

  const withRecords = new Set(
    release.names.flatMap((name) => {
      const match = recordFile.exec(name)
      return match === null ? [] : [`${match[1]}/${match[2]}`]
    })
  )
  for (const name of release.names) {
    if (workingStore.test(name)) leftOut.push({ file: name, reason: "a working store: the runs' own files are read" })
    const run = anyRun.exec(name)
    if (run !== null && !withRecords.has(`${run[1]}/${run[2]}`)) {
      leftOut.push({ file: name, reason: "the run has no file of judgements" })
    }
    const match = recordFile.exec(name)
    if (match === null) continue
    const [family, runId] = [match[1]!, match[2]!]
    const manifestName = `judgements/judges/${family}/${runId}/manifest.json`
    if (!release.names.includes(manifestName)) {
      leftOut.push({ file: name, reason: "the run is not used: it has no manifest" })
      continue
    }
    const manifest = yield* read(manifestName, "the run's manifest")
    const document = yield* read(name, "the run's judgements")
    const decoded = Schema.decodeUnknownResult(Records, { errors: "all" })(document)
    if (Result.isFailure(decoded)) {
      const [first, ...more] = schemaProblems(decoded.failure.issue, document, Records.ast)
      const others = more.length === 0 ? "" : `, and ${more.length} more`
      leftOut.push({
        file: name,
        reason: `the run's judgements cannot be used: ${first === undefined ? "they have another shape" : problemLine(first.problem)}${others}`
      })
      continue
    }
    const { records } = decoded.success
    files.push({ file: name, rows: records.length })
    const known = Schema.is(Manifest)(manifest) ? manifest : undefined
    const reason = known === undefined ? "its manifest has another shape" : refusal(known)
    if (reason !== undefined) {
      leftOut.push(
        ...records.map((record, at) => ({
          file: name,
          row: at + 1,
          id: record.note_key,
          reason: `the run is not used: ${reason}`
        }))
      )
      continue
    }
    const found = records.map((record, at): Found => {
      const design = [record.cell ?? record.arm ?? record.tier, record.criterion, record.model_key ?? record.model]
      return {
        file: name,
        row: at + 1,
        run: `${family}/${runId}`,
        record,
        judge: [family, ...design.filter((part) => part !== undefined && part !== null && part !== "")].join("/"),
        replicate: record.replicate ?? known?.replicate ?? 1
      }
    })
    const sorted = newest(found)
    for (const one of sorted.leftOut) leftOut.push(one)
    for (const one of sorted.kept) all.push(one)
  }

  const judged = apart(all)
  const clean = new Set(judged.filter(({ record }) => record.note_role === "clean").map(place))
  const kept = judged.filter((one) => {
    const { clean_key: key, note_key: id, note_role: role, pair_id: pair } = one.record
    if (role === "clean") return true
    const reason =
      typeof pair === "string" && dropped.has(pair)
        ? "its pair is left out"
        : key === undefined || key === null || key === ""
          ? "the judgement names no clean twin"
          : clean.has(place({ ...one, record: { ...one.record, note_key: key } }))
            ? undefined
            : "the clean twin has no judgement by the same judge in the same replicate"
    if (reason === undefined) return true
    leftOut.push({ file: one.file, row: one.row, id, reason })
    return false
  })
  return {
    files: files.map(({ file, rows }) => ({ file, rows, paired: kept.filter((one) => one.file === file).length })),
    rows: kept.map(rowOf),
    leftOut
  }
})
