import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InputError, inputError } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { catchSpoolFailure } from "../byteSpool.ts"
import { cleanTexts, halfCharacter, parseJson } from "../parseJson.ts"
import { readTextFile } from "../textFile.ts"
import { DraftSpool, importedOf } from "./draftSpool.ts"
import { sourceFiles } from "./drafts.ts"
import type { Imported, Importer } from "./Importer.ts"
import { correctInPlace, sameButForSpace } from "./inPlace.ts"
import { mojibakeWarning } from "./mojibake.ts"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Records = Schema.Array(
  Schema.Struct({
    sample_id: Schema.NonEmptyString,
    sentences: Schema.NonEmptyString,
    error_flag: Schema.Literals([0, 1]),
    error_type: Text,
    error_sentence_id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
    error_sentence: Text,
    corrected_sentence: Text,
    corrected_text: Text,
    metadata: Schema.optionalKey(Schema.Struct({ jmle_question_id: Text }))
  })
)
type MedRectRecord = (typeof Records.Type)[number]

const decode = Schema.decodeUnknownResult(Records, { errors: "all" })

/** Published error records by the part of the collection. */
const known = { en: 243, ja: 367 } as const

const scenarioOf = (record: MedRectRecord): string | undefined => record.metadata?.jmle_question_id ?? undefined
const languageOf = (record: MedRectRecord): keyof typeof known => (scenarioOf(record) === undefined ? "en" : "ja")

/** The text that numbered sentences make: the numbers taken off, an unnumbered line joined to the one above. */
export const textOfSentences = (sentences: string): string =>
  sentences
    .split("\n")
    .map((line) => line.replace(/^\s*\d+\.\s+/, "").trim())
    .filter((line) => line !== "")
    .join(" ")

const run = Effect.fn("medRect")(function* (
  source: string
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const drafts = new DraftSpool()
  const warnings: Array<string> = []
  const counts = { en: 0, ja: 0 }
  let inPlaceCount = 0
  for (const { name, path } of yield* sourceFiles(source, "the MedRECT file or folder", [".json"])) {
    const parsed = parseJson(yield* readTextFile(path, "the MedRECT file"))
    if (Result.isFailure(parsed)) return yield* inputError({ ...parsed.failure, file: path })
    const cleaned = cleanTexts(parsed.success)
    const half = halfCharacter(cleaned)
    if (half !== undefined) return yield* inputError({ ...half, file: path })
    const document = cleaned.value
    const decoded = decode(document)
    if (Result.isFailure(decoded)) {
      const problems = schemaProblems(decoded.failure.issue, document, Records.ast)
      return yield* new InputError({ problems: problems.map(({ problem }) => ({ ...problem, file: path })) })
    }
    const records = decoded.success
    drafts.file(name, records.length)
    warnings.push(
      ...mojibakeWarning(
        name,
        records.map((record, at) => ({ row: at + 1, texts: [record.sentences, record.corrected_text ?? ""] }))
      )
    )
    for (const [at, record] of records.entries()) {
      const row = at + 1
      const leave = (reason: string) => drafts.leave({ file: name, row, id: record.sample_id, reason })
      if (record.error_flag === 0) {
        leave("a record without an error: both sides of a pair come from its error record")
        continue
      }
      const language = languageOf(record)
      counts[language] += 1
      const flawed = textOfSentences(record.sentences)
      const released = record.corrected_text?.trim() ?? ""
      const inPlace = correctInPlace(
        flawed,
        record.error_sentence?.trim() ?? "",
        record.corrected_sentence?.trim() ?? ""
      )
      if (released === "" && "reason" in inPlace) {
        leave(`there is no corrected text, and ${inPlace.reason}`)
        continue
      }
      const inLayout = "text" in inPlace && (released === "" || sameButForSpace(inPlace.text, released))
      if (inLayout) inPlaceCount += 1
      const scenario = scenarioOf(record)
      drafts.add({
        file: name,
        row,
        consultation: scenario ?? record.sample_id,
        stratum: `medrect-${language}`,
        language,
        transcript: null,
        flawed,
        clean: inLayout ? inPlace.text : released,
        pair: {
          id: scenario === undefined ? "error" : record.sample_id,
          class: "alteration",
          ...(record.error_type ? { errorType: record.error_type } : {}),
          ...(record.error_sentence ? { errorSentence: record.error_sentence.trim() } : {}),
          ...(record.corrected_sentence ? { correctedSentence: record.corrected_sentence.trim() } : {})
        }
      })
    }
  }
  const parts = (["en", "ja"] as const).filter((part) => counts[part] > 0)
  return importedOf(drafts.assembled(), {
    format: "medrect",
    remarks: [
      `flawed = the numbered sentences joined; clean = corrected_text, in ${inPlaceCount} of ${drafts.size} pairs in the layout of the flawed note (the two differ by white space only)`,
      "ja: the consultation is the examination question, whose records several models worded",
      "class alteration throughout; transcript null: there is no source text",
      ...(counts.en > 0
        ? ["en: the records are those of MEDEC (ms-test), re-typed: not independent of it, do not use both"]
        : [])
    ],
    warnings,
    expected: parts.map((part) => ({
      what: `${part}: records with an error`,
      expected: known[part],
      found: counts[part]
    }))
  })
}, catchSpoolFailure)

export const medRect: Importer = {
  name: "medrect",
  describe: "MedRECT: a JSON file of records, or a folder with some",
  run
}
