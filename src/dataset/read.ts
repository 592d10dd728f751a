import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Consultation } from "../domain/Dataset.ts"
import { InputError, type Problem, showValue } from "../domain/InputError.ts"
import { schemaProblems, valueAt } from "../domain/schemaProblems.ts"
import { catchSpoolFailure } from "./byteSpool.ts"
import { checkConsultation, type Findings } from "./check.ts"
import { transcriptKey } from "./identity.ts"
import { otherKind } from "./otherKinds.ts"
import { cleanTexts, parseJson } from "./parseJson.ts"
import { RowSpool, type Rows } from "./rowSpool.ts"
import { readLines, type TextLine } from "./textFile.ts"

/** What was read of a dataset file beside its consultations. */
interface DatasetSource {
  /** Absolute. */
  readonly path: string
  /** Of the file's bytes. */
  readonly sha256: string
  /** What is odd, but can be worked with. */
  readonly warnings: ReadonlyArray<Problem>
}

/** A dataset that was read without an error. Says nothing of which part of a split a consultation is in. */
export interface LoadedDataset extends DatasetSource {
  /** In the file's order. */
  readonly consultations: ReadonlyArray<Consultation>
}

/** A dataset that was read without an error and is not held in memory as a whole. */
export interface OpenDataset extends DatasetSource {
  /** In the file's order. */
  readonly consultations: Rows<Consultation>
}

/** What there is to say of a dataset file, usable or not. */
export interface DatasetReading extends OpenDataset {
  readonly errors: ReadonlyArray<Problem>
}

const decode = Schema.decodeUnknownResult(Consultation, { errors: "all", onExcessProperty: "error" })

interface LineReading extends Findings {
  readonly consultation?: Consultation
  /** Also of a line that is no consultation otherwise. */
  readonly id?: string
  /** The line is of another kind of file. */
  readonly other?: boolean
}

/** Reads one line: its consultation where there is one, and what is wrong with it. */
const readLine = (line: TextLine): LineReading => {
  if ("problem" in line) return { errors: [line.problem], warnings: [] }
  const parsed = parseJson(line.text)
  if (Result.isFailure(parsed)) {
    const manyLines = /^\s*[[{]\s*$/.test(line.text)
    const error: Problem = {
      ...parsed.failure,
      expected: "one consultation as a JSON object on the line",
      ...(manyLines ? { hint: "The file looks like one JSON value over many lines: write one object a line" } : {})
    }
    return { errors: [error], warnings: [] }
  }
  const value = parsed.success
  if (Array.isArray(value)) {
    return {
      errors: [
        {
          what: "is a list",
          expected: "one consultation as a JSON object",
          hint: "Write each entry on a line of its own"
        }
      ],
      warnings: []
    }
  }
  const other = otherKind(value)
  if (other !== undefined) return { errors: [other], warnings: [], other: true }
  const { first, illFormed, merged, value: document } = cleanTexts(value)
  const decoded = decode(document)
  const odd =
    illFormed === 0
      ? []
      : [
          {
            ...(first === "" ? {} : { field: first }),
            what: `${illFormed} ${illFormed === 1 ? "text held" : "texts held"} half a character (a lone surrogate), which was replaced by U+FFFD`
          }
        ]
  if (merged) {
    const error = {
      field: first,
      what: "two texts differ in half a character (a lone surrogate) only, and would become one",
      expected: "whole characters"
    }
    return { errors: [error], warnings: [] }
  }
  if (Result.isFailure(decoded)) {
    const errors = schemaProblems(decoded.failure.issue, document, Consultation.ast).map(({ problem }) => problem)
    const id = valueAt(document, ["id"])
    return { ...(typeof id === "string" && id !== "" ? { id } : {}), errors, warnings: odd }
  }
  const found = checkConsultation(decoded.success)
  return {
    consultation: decoded.success,
    id: decoded.success.id,
    errors: found.errors,
    warnings: [...odd, ...found.warnings]
  }
}

/** Hands over the consultations of a file as they are read, and says everything that is wrong with it. */
const scanDataset = Effect.fn("scanDataset")(function* (
  path: string,
  onConsultation: (consultation: Consultation) => void
): Effect.fn.Return<
  DatasetSource & { readonly errors: ReadonlyArray<Problem> },
  InputError,
  FileSystem.FileSystem | Path.Path
> {
  const paths = yield* Path.Path
  let isEmpty = true
  const errors: Array<Problem> = []
  const warnings: Array<Problem> = []
  const lineOf = new Map<string, number>()
  const transcripts = new Map<string, { readonly id: string; readonly line: number }>()

  const sameId = (id: string, line: number) => {
    const first = lineOf.get(id)
    if (first === undefined) lineOf.set(id, line)
    else {
      const what = `consultation id ${showValue(id)} is used twice`
      errors.push({ file: path, line, field: "id", what, expected: `an id of its own: line ${first} has this one` })
    }
  }
  const sameTranscript = (consultation: Consultation, line: number) => {
    const key = transcriptKey(consultation)
    const twin = key === undefined ? undefined : transcripts.get(key)
    if (twin !== undefined) {
      const what = `${showValue(consultation.id)} has the transcript of ${showValue(twin.id)} (line ${twin.line}): a split treats them as one consultation`
      warnings.push({ file: path, line, field: "transcript", what })
    } else if (key !== undefined) transcripts.set(key, { id: consultation.id, line })
  }

  let isOther = false
  const sha256 = yield* readLines(path, "the dataset", (line) => {
    // Every further line of another kind of file would say the same.
    if (isOther) return
    const read = readLine(line)
    isOther = read.other === true && lineOf.size === 0 && errors.length === 0
    const place = (problem: Problem): Problem => ({ ...problem, file: path, line: line.number })
    errors.push(...read.errors.map(place))
    warnings.push(...read.warnings.map(place))
    if (read.id !== undefined) sameId(read.id, line.number)
    if (read.consultation === undefined) return
    sameTranscript(read.consultation, line.number)
    isEmpty = false
    onConsultation(read.consultation)
  })
  if (isEmpty && errors.length === 0) {
    errors.push({ file: path, what: "the dataset holds no consultation", expected: "one JSON object a line" })
  }
  return { path: paths.resolve(path), sha256, errors, warnings }
})

/** Reads a dataset file (`*.jsonl`) and says everything that is wrong with it. Fails only where it cannot be read at all. */
export const readDatasetReport = Effect.fn("readDatasetReport")(function* (
  path: string
): Effect.fn.Return<DatasetReading, InputError, FileSystem.FileSystem | Path.Path> {
  const consultations = new RowSpool<Consultation>()
  const read = yield* scanDataset(path, (one) => {
    consultations.add(one)
  })
  return { ...read, consultations }
}, catchSpoolFailure)

/** Reads a dataset file that may be larger than memory; fails with all of its errors when there is one. */
export const openDataset = Effect.fn("openDataset")(function* (
  path: string
): Effect.fn.Return<OpenDataset, InputError, FileSystem.FileSystem | Path.Path> {
  const { errors, ...dataset } = yield* readDatasetReport(path)
  if (errors.length > 0) return yield* new InputError({ problems: errors })
  return dataset
})

/** Reads a dataset file; fails with all of its errors when there is one. */
export const readDataset = Effect.fn("readDataset")(function* (
  path: string
): Effect.fn.Return<LoadedDataset, InputError, FileSystem.FileSystem | Path.Path> {
  const consultations: Array<Consultation> = []
  const { errors, ...dataset } = yield* scanDataset(path, (one) => consultations.push(one))
  if (errors.length > 0) return yield* new InputError({ problems: errors })
  return { ...dataset, consultations }
})
