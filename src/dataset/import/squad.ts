import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InputError, inputError, showValue } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { parseJson } from "../parseJson.ts"
import { readTextFile } from "../textFile.ts"
import { type SourceFile, sourceFiles } from "./drafts.ts"
import type { Imported, Importer, ImportReport, LeftOut } from "./Importer.ts"
import { readJsonRows } from "./jsonRows.ts"
import { mojibakeWarning } from "./mojibake.ts"

const Answer = Schema.Struct({ text: Schema.String, answer_start: Schema.Int })

const Squad = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      title: Schema.optionalKey(Schema.String),
      paragraphs: Schema.Array(
        Schema.Struct({
          document_id: Schema.optionalKey(Schema.String),
          context: Schema.String,
          qas: Schema.Array(
            Schema.Struct({
              id: Schema.NonEmptyString,
              question: Schema.String,
              answers: Schema.optionalKey(Schema.Array(Answer)),
              is_impossible: Schema.optionalKey(Schema.Boolean)
            })
          )
        })
      )
    })
  )
})

/** The form that Hugging Face gives it: a question a line. */
const FlatRow = Schema.Struct({
  id: Schema.NonEmptyString,
  title: Schema.optionalKey(Schema.String),
  context: Schema.String,
  question: Schema.String,
  answers: Schema.Struct({ text: Schema.Array(Schema.String), answer_start: Schema.Array(Schema.Int) })
})

const decode = Schema.decodeUnknownResult(Squad, { errors: "all" })

export interface AnswerSpan {
  readonly text: string
  /** In UTF-16 code units, so that `context.slice(start, start + text.length) === text`; null where it is not there. */
  readonly start: number | null
}

export interface AnswerabilityQuestion {
  readonly id: string
  readonly question: string
  /** False: the right response is to decline. */
  readonly answerable: boolean
  /** Every accepted answer; empty for an unanswerable question. */
  readonly answers: ReadonlyArray<AnswerSpan>
}

/**
 * One line of an answerability file, `*.jsonl`: a text and the questions to it. What a system answered is scored by
 * question id against `answerable` and `answers`; `group` is the unit of independence.
 */
export interface AnswerabilityContext {
  readonly id: string
  readonly group: string
  readonly context: string
  readonly questions: ReadonlyArray<AnswerabilityQuestion>
}

interface Asked {
  readonly row: number
  readonly id: string
  readonly group: string
  readonly document: string
  readonly context: string
  readonly question: string
  readonly impossible: boolean
  readonly answers: ReadonlyArray<typeof Answer.Type>
}

const readNested = Effect.fn("readNested")(function* (
  path: string
): Effect.fn.Return<ReadonlyArray<Asked>, InputError, FileSystem.FileSystem> {
  const parsed = parseJson(yield* readTextFile(path, "the file of questions"))
  if (Result.isFailure(parsed)) return yield* inputError({ ...parsed.failure, file: path })
  const decoded = decode(parsed.success)
  if (Result.isFailure(decoded)) {
    const problems = schemaProblems(decoded.failure.issue, parsed.success, Squad.ast)
    return yield* new InputError({ problems: problems.map(({ problem }) => ({ ...problem, file: path })) })
  }
  const asked: Array<Asked> = []
  for (const [at, { paragraphs, title }] of decoded.success.data.entries()) {
    const group = title ?? `text-${at + 1}`
    for (const [number, { context, document_id, qas }] of paragraphs.entries()) {
      const document = document_id ?? `${group}#${number + 1}`
      for (const { answers = [], id, is_impossible, question } of qas) {
        const impossible = is_impossible === true || answers.length === 0
        asked.push({ row: asked.length + 1, id, group, document, context, question, impossible, answers })
      }
    }
  }
  return asked
})

const readFlat = Effect.fn("readFlat")(function* (
  path: string
): Effect.fn.Return<ReadonlyArray<Asked>, InputError, FileSystem.FileSystem> {
  const rows = yield* readJsonRows(path, "the file of questions", FlatRow)
  const documents = new Map<string, string>()
  const numbers = new Map<string, number>()
  return rows.map(({ row, value }) => {
    const group = value.title ?? value.context
    if (!documents.has(value.context)) {
      const number = (numbers.get(group) ?? 0) + 1
      numbers.set(group, number)
      documents.set(
        value.context,
        value.title === undefined ? `text-${documents.size + 1}` : `${value.title}#${number}`
      )
    }
    const document = documents.get(value.context)!
    const answers = value.answers.text.map((text, at) => ({ text, answer_start: value.answers.answer_start[at] ?? -1 }))
    return {
      row,
      id: value.id,
      group: value.title ?? document,
      document,
      context: value.context,
      question: value.question,
      impossible: answers.length === 0,
      answers
    }
  })
})

/** Where each code point of a text begins, in code units. */
const codePointStarts = (text: string): ReadonlyArray<number> => {
  const starts: Array<number> = []
  let at = 0
  for (const character of text) {
    starts.push(at)
    at += character.length
  }
  return starts
}

/** Where the answer stands: at the given code point, else at the nearest place that has its text; else null. */
const locate = (
  context: string,
  starts: ReadonlyArray<number>,
  answer: typeof Answer.Type
): { readonly start: number | null; readonly asGiven: boolean } => {
  const given = starts[answer.answer_start]
  if (given !== undefined && context.startsWith(answer.text, given)) return { start: given, asGiven: true }
  let best: number | null = null
  const wanted = given ?? answer.answer_start
  for (let at = context.indexOf(answer.text); at !== -1; at = context.indexOf(answer.text, at + 1)) {
    if (best === null || Math.abs(at - wanted) < Math.abs(best - wanted)) best = at
  }
  return { start: best, asGiven: false }
}

/** Published numbers of questions, of a file or of the whole. */
const expectedOf = (name: string, read: ImportReport["read"]): ImportReport["expected"] => {
  const rows = (file: RegExp) => read.filter((one) => file.test(one.file)).reduce((sum, one) => sum + one.rows, 0)
  if (name === "radqa")
    return [{ what: "question-answer items", expected: 6148, found: read.reduce((sum, one) => sum + one.rows, 0) }]
  return [
    { what: "questions for training", expected: 130_319, found: rows(/train/i) },
    { what: "questions for development", expected: 11_873, found: rows(/dev|validation/i) }
  ].filter((one) => one.found > 0)
}

const terms: Readonly<Record<string, string>> = {
  squad2: "SQuAD 2.0 is CC BY-SA 4.0 (share alike): keep it apart from data under other terms",
  radqa: "RadQA is under PhysioNet's credentialed data use agreement: keep it where you may, never commit or share it"
}

const runAs = (format: "squad2" | "radqa") =>
  Effect.fn(format)(function* (
    source: string
  ): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
    const read: Array<{ file: string; rows: number; paired: number }> = []
    const leftOut: Array<LeftOut> = []
    const warnings: Array<string> = []
    const contexts = new Map<string, AnswerabilityContext & { readonly questions: Array<AnswerabilityQuestion> }>()
    const moved: Array<string> = []
    const absent: Array<string> = []
    const files: ReadonlyArray<SourceFile> = yield* sourceFiles(source, "the file or folder of questions", [
      ".json",
      ".jsonl"
    ])
    for (const { name, path } of files) {
      const asked = yield* /\.(jsonl|ndjson)$/i.test(name) ? readFlat(path) : readNested(path)
      warnings.push(
        ...mojibakeWarning(
          name,
          asked.map(({ context, question, row }) => ({ row, texts: [question, context] }))
        )
      )
      const known = new Map<string, { readonly row: number; readonly ids: Map<string, number> }>()
      let taken = 0
      let last: { readonly context: string; readonly starts: ReadonlyArray<number> } = { context: "", starts: [] }
      for (const one of asked) {
        const document =
          files.length > 1 && contexts.has(one.document) && !known.has(one.document)
            ? `${name}/${one.document}`
            : one.document
        const leave = (reason: string) => leftOut.push({ file: name, row: one.row, id: one.id, reason })
        const entry = known.get(document) ?? { row: one.row, ids: new Map<string, number>() }
        const context = contexts.get(document) ?? {
          id: document,
          group: one.group,
          context: one.context,
          questions: []
        }
        if (context.context !== one.context) {
          leave(`the text is not that of question ${entry.row}, which has the same document ${showValue(document)}`)
          continue
        }
        const twin = entry.ids.get(one.id)
        if (twin !== undefined) {
          leave(`the question's id is that of question ${twin} on the same text`)
          continue
        }
        if (last.context !== one.context) last = { context: one.context, starts: codePointStarts(one.context) }
        const answers = one.impossible
          ? []
          : one.answers.map((answer): AnswerSpan => {
              const { asGiven, start } = locate(one.context, last.starts, answer)
              if (!asGiven) (start === null ? absent : moved).push(one.id)
              return { text: answer.text, start }
            })
        known.set(document, entry)
        entry.ids.set(one.id, one.row)
        contexts.set(document, context)
        context.questions.push({ id: one.id, question: one.question, answerable: !one.impossible, answers })
        taken += 1
      }
      read.push({ file: name, rows: asked.length, paired: taken })
    }
    const shown = (ids: ReadonlyArray<string>) => `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`
    if (moved.length > 0)
      warnings.push(
        `${moved.length} answers do not stand where the source says and were found elsewhere: ${shown(moved)}`
      )
    if (absent.length > 0)
      warnings.push(`${absent.length} answers are nowhere in their text and have no start: ${shown(absent)}`)
    const lines = [...contexts.values()]
    const questions = lines.flatMap((one) => one.questions)
    const answerable = questions.filter((one) => one.answerable).length
    return {
      consultations: [],
      instead: { what: "the answerability questions", lines },
      report: {
        format,
        read,
        rowsBecome: "questions",
        consultations: lines.length,
        notes: 0,
        pairs: 0,
        leftOut,
        remarks: [
          "questions are not pairs of notes: the file is no dataset but one for answerability, a text with its questions a line: {id, group, context, questions: [{id, question, answerable, answers: [{text, start}]}]}",
          `${answerable} of ${questions.length} questions are answerable; unanswerable is what the source calls impossible or gives no answer to`,
          "start counts UTF-16 code units (the source counts code points)",
          terms[format]!
        ],
        warnings,
        expected: expectedOf(format, read)
      }
    }
  })

export const squad2: Importer = {
  name: "squad2",
  describe: "SQuAD 2.0, as released (JSON) or a question a line: questions for answerability, no pairs",
  run: runAs("squad2")
}

export const radqa: Importer = {
  name: "radqa",
  describe: "RadQA, from your own copy (JSON files): questions for answerability, no pairs",
  run: runAs("radqa")
}
