import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import { readCsv } from "./import/csvRows.ts"
import { readJsonRows } from "./import/jsonRows.ts"
import { parseJson } from "./parseJson.ts"
import { readTextFile } from "./textFile.ts"

/** A text and its questions, as `data import squad2` and `radqa` write them (`AnswerabilityContext`). */
const ContextLine = Schema.Struct({
  id: Schema.NonEmptyString,
  group: Schema.NonEmptyString,
  questions: Schema.Array(
    Schema.Struct({
      id: Schema.NonEmptyString,
      answerable: Schema.Boolean,
      answers: Schema.Array(Schema.Struct({ text: Schema.String }))
    })
  )
})

export interface Question {
  readonly id: string
  readonly context: string
  /** The unit of independence: a report, an article. */
  readonly group: string
  /** Empty for a question that has no answer. */
  readonly golds: ReadonlyArray<string>
}

export interface GivenAnswer {
  /** Spans, the best of which counts; null for a declined question. */
  readonly prediction: ReadonlyArray<string> | null
  /** Where the source says so apart from the spans. */
  readonly answered?: boolean
  /** How sure the model is that there is an answer; NaN where it does not say. */
  readonly confidence: number
}

/** What one model answered under one condition; `condition` is empty where there is only one. */
export interface AnswerSystem {
  readonly name: string
  readonly model: string
  readonly condition: string
  /** By the question's place among the questions. */
  readonly answers: ReadonlyMap<number, GivenAnswer>
}

const Id = Schema.Union([Schema.NonEmptyString, Schema.Finite])
const AnswerLine = Schema.Struct({
  question: Schema.optionalKey(Id),
  id: Schema.optionalKey(Id),
  context: Schema.optionalKey(Schema.NullOr(Schema.String)),
  model: Schema.optionalKey(Schema.NullOr(Schema.String)),
  condition: Schema.optionalKey(Schema.NullOr(Schema.String)),
  answer: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)]))),
  answered: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  confidence: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})
type AnswerLine = typeof AnswerLine.Type

interface PlacedAnswer {
  /** Of the file, 1-based; undefined in a file that is one JSON value. */
  readonly line: number | undefined
  readonly says: AnswerLine
}

/** The questions of a file of answerability, in its order. */
export const readQuestions = Effect.fn("readQuestions")(function* (
  file: string
): Effect.fn.Return<ReadonlyArray<Question>, InputError, FileSystem.FileSystem> {
  const rows = yield* readJsonRows(file, "the file of questions", ContextLine)
  const questions = rows.flatMap(({ value: { group, id: context, questions: asked } }) =>
    asked.map(
      ({ answerable, answers, id }): Question => ({
        id,
        context,
        group,
        golds: answerable ? answers.map(({ text }) => text) : []
      })
    )
  )
  if (questions.length === 0) {
    return yield* inputError({ file, what: "has no questions", hint: "Make one with: assize data import squad2" })
  }
  return questions
})

const readJsonl = (file: string) =>
  Effect.map(readJsonRows(file, "the answers", AnswerLine), (rows) =>
    rows.map(({ row, value }): PlacedAnswer => ({ line: row, says: value }))
  )

/** SQuAD's own form of predictions: an object of answers by question id. */
const decodePredictions = Schema.decodeUnknownResult(Schema.Record(Schema.String, Schema.NullOr(Schema.String)))

const readPredictions = Effect.fnUntraced(function* (file: string) {
  const parsed = parseJson(yield* readTextFile(file, "the answers"))
  const decoded = decodePredictions(Result.isFailure(parsed) ? undefined : parsed.success)
  if (Result.isFailure(decoded)) {
    return yield* inputError({
      file,
      what: "is no object of answers by question id",
      hint: "A file with one JSON object a line is to be named *.jsonl"
    })
  }
  return Object.entries(decoded.success).map(
    ([question, answer]): PlacedAnswer => ({ line: undefined, says: { question, answer } })
  )
})

const truth: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  "1": true,
  false: false,
  no: false,
  "0": false
}

const readCsvAnswers = Effect.fnUntraced(function* (file: string, delimiter: string) {
  const { header, rows } = yield* readCsv(file, "the answers", { columns: ["answer"], delimiter })
  const problems: Array<Problem> = []
  const placed = rows.map(({ cells, line }): PlacedAnswer => {
    const text = (name: string) => (header.includes(name) && cells[name] !== "" ? cells[name] : undefined)
    const said = text("answered")?.trim().toLowerCase()
    const sure = text("confidence")
    if (said !== undefined && truth[said] === undefined)
      problems.push({ file, line, field: "answered", what: "is neither true nor false", found: showValue(said) })
    if (sure !== undefined && !Number.isFinite(Number(sure)))
      problems.push({ file, line, field: "confidence", what: "is no number", found: showValue(sure) })
    const [question, id, context, model, condition] = ["question", "id", "context", "model", "condition"].map(text)
    return {
      line,
      says: {
        ...(question === undefined ? {} : { question }),
        ...(id === undefined ? {} : { id }),
        context: context ?? null,
        model: model ?? null,
        condition: condition ?? null,
        answer: cells["answer"] ?? null,
        answered: said === undefined ? null : (truth[said] ?? null),
        confidence: sure === undefined ? null : Number(sure)
      }
    }
  })
  if (problems.length > 0) return yield* new InputError({ problems })
  return placed
})

const shown = 3

/**
 * Reads what models answered (JSONL; CSV; or SQuAD's predictions, one JSON object of answers by id): by question id, an
 * empty answer being a declined question. A model without a name is called by its file. Fails with every answer to a
 * question that is not there or that has one already; questions without an answer are left out of a system's figures
 * and warned of.
 */
export const readAnswers = Effect.fn("readAnswers")(function* (
  files: ReadonlyArray<string>,
  questions: ReadonlyArray<Question>
): Effect.fn.Return<
  { readonly systems: ReadonlyArray<AnswerSystem>; readonly warnings: ReadonlyArray<Problem> },
  InputError,
  FileSystem.FileSystem | Path.Path
> {
  const path = yield* Path.Path
  const byId = Map.groupBy(questions.keys(), (at) => questions[at]!.id)
  const systems = new Map<string, AnswerSystem & { readonly answers: Map<number, GivenAnswer> }>()
  const problems: Array<Problem> = []
  for (const file of files) {
    const extension = path.extname(file).toLowerCase()
    const placed = yield* extension === ".csv"
      ? readCsvAnswers(file, ",")
      : extension === ".tsv"
        ? readCsvAnswers(file, "\t")
        : extension === ".json"
          ? readPredictions(file)
          : readJsonl(file)
    for (const { line, says } of placed) {
      const refuse = (problem: Problem) => problems.push({ file, ...(line === undefined ? {} : { line }), ...problem })
      const id = says.question ?? says.id
      if (id === undefined) {
        refuse({ field: "question", what: "the answer names no question" })
        continue
      }
      const named = (byId.get(String(id)) ?? []).filter(
        (at) => !says.context || questions[at]!.context === says.context
      )
      if (named.length !== 1) {
        refuse(
          named.length === 0
            ? { field: "question", what: "there is no such question", found: showValue(id) }
            : {
                field: "context",
                what: `${named.length} texts have a question ${showValue(id)}`,
                expected: "the text's id in the column context"
              }
        )
        continue
      }
      const model = says.model || path.parse(file).name
      const condition = says.condition ?? ""
      const key = JSON.stringify([model, condition])
      const system = systems.get(key) ?? {
        name: condition === "" ? model : `${model} / ${condition}`,
        model,
        condition,
        answers: new Map<number, GivenAnswer>()
      }
      systems.set(key, system)
      if (system.answers.has(named[0]!)) {
        refuse({ field: "question", what: `${showValue(system.name)} has an answer to ${showValue(id)} already` })
        continue
      }
      const spans = says.answer == null ? [] : typeof says.answer === "string" ? [says.answer] : says.answer
      const given = spans.filter((span) => span.trim() !== "")
      system.answers.set(named[0]!, {
        prediction: given.length === 0 ? null : given,
        ...(says.answered == null ? {} : { answered: says.answered }),
        confidence: says.confidence ?? Number.NaN
      })
    }
  }
  if (problems.length > 0) return yield* new InputError({ problems })
  const warnings = [...systems.values()].flatMap(({ answers, name }): ReadonlyArray<Problem> => {
    const missing = questions.flatMap((question, at) => (answers.has(at) ? [] : [question.id]))
    return missing.length === 0
      ? []
      : [
          {
            what: `${showValue(name)} has no answer to ${missing.length} of the questions, which are left out: ${missing.slice(0, shown).join(", ")}${missing.length > shown ? ", …" : ""}`,
            hint: "A question that was declined is to have a row with an empty answer"
          }
        ]
  })
  return { systems: [...systems.values()], warnings }
})
