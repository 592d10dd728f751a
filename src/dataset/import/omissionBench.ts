import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Consultation, Note, Pair, Residual } from "../../domain/Dataset.ts"
import { sha256 } from "../../domain/hash.ts"
import { InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { schemaProblems } from "../../domain/schemaProblems.ts"
import { cleanTexts } from "../parseJson.ts"
import { readTextFile } from "../textFile.ts"
import type { Imported, Importer, ImportOptions, ImportReport, LeftOut } from "./Importer.ts"
import { mojibakeWarning } from "./mojibake.ts"
import { findRelease, type Release, readJsonFile } from "./omissionBenchFiles.ts"
import { labelsOf, severityOf } from "./omissionBenchLabels.ts"
import { countRuns, readJudgeRuns } from "./omissionBenchRuns.ts"
import { type FactSheet, readFactSheets } from "./omissionBenchSheets.ts"

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
interface Entry {
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

const readPairs = Effect.fn("readPairs")(function* (
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
    const value = cleanTexts(raw).value
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

const residualOf = (value: typeof PairRow.Type): ReadonlyArray<Residual> =>
  (value.residual?.verified_sites ?? value.residual?.sites ?? []).flatMap(({ quote, section, span, strength }) => {
    const words = quote ?? span ?? ""
    return words === ""
      ? []
      : [
          {
            quote: words,
            ...(typeof section === "string" ? { section } : {}),
            ...(typeof strength === "string" ? { strength } : {})
          }
        ]
  })

const pairOf = ({ cleanId, labels, pairId, value }: Entry, sheet: FactSheet | undefined): Pair => {
  const severity = severityOf(value.severity)
  const words = value.fact ?? value.target?.fact ?? ""
  const named =
    value.target?.kind === "must_contain"
      ? sheet?.facts.find(
          (fact) => fact.id === `mc${value.target?.index}` && fact.text === (value.target?.fact ?? words)
        )
      : undefined
  const residual = residualOf(value)
  const mode = value.target?.mode?.trim() ?? ""
  return {
    id: pairId,
    flawed: `${pairId}|err`,
    clean: cleanId,
    ...labels!,
    ...(severity === undefined ? {} : { severity }),
    ...(words === "" ? {} : { fact: named?.id ?? words }),
    ...(residual.length === 0 ? {} : { residual }),
    ...(mode === "" ? {} : { errorType: mode })
  }
}

const consultationOf = (
  entries: ReadonlyArray<Entry>,
  transcript: string,
  sheet: FactSheet | undefined
): Consultation => {
  const first = entries[0]!
  const notes: ReadonlyArray<Note> = [
    { id: first.cleanId, text: first.value.clean },
    ...entries.map((entry) => ({ id: `${entry.pairId}|err`, text: entry.value.errored }))
  ]
  return {
    id: first.key,
    stratum: first.stratum,
    language: "en",
    transcript,
    ...(sheet === undefined || sheet.facts.length === 0 ? {} : { facts: sheet.facts }),
    notes,
    pairs: entries.map((entry) => pairOf({ ...entry, cleanId: first.cleanId }, sheet))
  }
}

const inEvaluation = (entry: Entry): boolean => entry.value.eval_set !== false

/** The stated figures, over all pairs of the file and over those of the evaluation set. */
const expectedCounts = (entries: ReadonlyArray<Entry>, transcripts: number): ImportReport["expected"] => {
  const used = entries.filter(inEvaluation)
  const keys = (some: ReadonlyArray<Entry>) => new Set(some.map((entry) => entry.key)).size
  const count = (test: (entry: Entry) => boolean) => used.filter(test).length
  const couples = new Set(
    entries.flatMap(({ pairId, value }) =>
      (value.matched_pair_ids ?? []).map((other) => JSON.stringify([pairId, other].sort()))
    )
  )
  const levels = [
    { trace: "complete", pairs: 150, by: { critical: 85, supporting: 36, peripheral: 29 } },
    { trace: "fragment", pairs: 86, by: { critical: 44, supporting: 34, peripheral: 8 } },
    { trace: "restated", pairs: 57, by: { critical: 22, supporting: 33, peripheral: 2 } }
  ] as const
  return [
    { what: "pairs", expected: 500, found: entries.length },
    { what: "pairs of the evaluation set", expected: 495, found: used.length },
    { what: "consultations", expected: 117, found: keys(entries) },
    { what: "consultations of the evaluation set", expected: 112, found: keys(used) },
    { what: "transcripts", expected: 161, found: transcripts },
    { what: "matched couples", expected: 45, found: couples.size },
    { what: "evaluation: additions", expected: 95, found: count((one) => one.labels?.class === "addition") },
    { what: "evaluation: alterations", expected: 107, found: count((one) => one.labels?.class === "alteration") },
    ...levels.flatMap(({ by, pairs, trace }) => [
      { what: `evaluation: omissions, ${trace}`, expected: pairs, found: count((one) => one.labels?.trace === trace) },
      ...Object.entries(by).map(([severity, expected]) => ({
        what: `evaluation: omissions, ${trace}, ${severity}`,
        expected,
        found: count((one) => one.labels?.trace === trace && severityOf(one.value.severity) === severity)
      }))
    ])
  ]
}

/** The transcripts of a release by the place where it has them; an id never leads anywhere else. */
const transcriptNames = (release: Release): ReadonlyMap<string, string> =>
  new Map(
    release.names.flatMap((name): ReadonlyArray<[string, string]> => {
      const match = /^transcripts\/([^/]+)\/(.+)\.txt$/.exec(name)
      return match === null ? [] : [[`${match[1]}|${match[2]}`, name]]
    })
  )

const run = Effect.fn("omissionBench")(function* (
  source: string,
  options: ImportOptions = {}
): Effect.fn.Return<Imported, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const release = yield* findRelease(source)
  const entries = yield* readPairs(path.join(release.folder, release.pairs))
  const names = transcriptNames(release)
  const {
    files: sheetFiles,
    sheets,
    warnings: sheetWarnings
  } = yield* readFactSheets(release, new Set(entries.map((entry) => entry.stratum)))

  const leftOut: Array<LeftOut> = []
  const kept = entries.filter((entry) => {
    const { key, labels, pairId, row, stratum, value } = entry
    const reason =
      options.evalOnly === true && !inEvaluation(entry)
        ? `not of the evaluation set: ${value.held_out_reason?.trim() || "no reason given"}`
        : labels === undefined
          ? `the class ${showValue(value.class ?? value.type)} is none of add, change and omit`
          : value.clean.trim() === "" || value.errored.trim() === ""
            ? "a note is blank"
            : value.clean === value.errored
              ? "the errored note and the clean one have the same text"
              : names.has(`${stratum}|${value.id}`)
                ? undefined
                : `there is no transcript ${showValue(`transcripts/${stratum}/${value.id}.txt`)}`
    if (reason === undefined) return true
    leftOut.push({ file: release.pairs, row, id: pairId === "" ? key : pairId, reason })
    return false
  })
  const consultations: Array<Consultation> = []
  for (const [key, some] of Map.groupBy(kept, (entry) => entry.key)) {
    const name = names.get(`${some[0]!.stratum}|${some[0]!.value.id}`)!
    const transcript = yield* readTextFile(path.join(release.folder, name), "the transcript")
    consultations.push(consultationOf(some, transcript.trim(), sheets.get(key)))
  }

  const runs = countRuns(release)
  if (options.scores === true && runs === 0) {
    return yield* inputError({
      file: path.join(release.folder, "judgements", "judges"),
      what: "the release has no judge runs, so there are no scores to write",
      hint: "Leave --scores-out away"
    })
  }
  const dropped = new Set(leftOut.flatMap((one) => (one.id === undefined ? [] : [one.id])))
  const judged = options.scores === true ? yield* readJudgeRuns(release, dropped) : undefined
  const noteIds = new Set(consultations.flatMap((one) => one.notes.map((note) => note.id)))
  const strangers = new Set((judged?.rows ?? []).map((row) => row.note).filter((note) => !noteIds.has(note)))
  const unread = (judged?.rows ?? []).filter((row) => row.score === null).length

  const held = entries.filter((entry) => !inEvaluation(entry))
  const unknownSeverity = entries.filter(
    ({ value }) => (value.severity ?? "") !== "" && severityOf(value.severity) === undefined
  )
  const own = consultations.filter((one) => sheets.has(one.id))
  return {
    consultations,
    report: {
      format: "omissionbench",
      read: [{ file: release.pairs, rows: entries.length, paired: kept.length }, ...(judged?.files ?? [])],
      consultations: consultations.length,
      notes: consultations.reduce((sum, one) => sum + one.notes.length, 0),
      pairs: kept.length,
      leftOut: [...leftOut, ...(judged?.leftOut ?? [])],
      remarks: [
        "one clean note a consultation; note ids are the note keys of the judge runs",
        'class by class: omit-* is "omission", add "addition", change "alteration"; trace: complete is "complete", partial-weak "fragment", partial-strong "restated"',
        `fact sheets: ${sheetFiles.length === 0 ? "none found" : `${sheetFiles.join(", ")}; ids mc0, mc1, … are places in must_contain`}; load_bearing is not the severity and is kept beside the dataset`,
        ...(judged === undefined
          ? runs === 0
            ? []
            : [`the release has ${runs} judge runs: --scores-out FILE writes their scores`]
          : [
              "scores: a judge is family/cell/model, with @run where two runs hold the same replicate; PASS counts 1 and FAIL 0; a reply that could not be read has no score; a run that is not complete, had failed calls or has no known cost is not used"
            ])
      ],
      warnings: [
        ...(options.evalOnly !== true && held.length > 0
          ? [
              `${held.length} of the pairs are not of the evaluation set (rows ${held.map((entry) => entry.row).join(", ")}; ${[...new Set(held.map((entry) => entry.value.held_out_reason ?? "no reason given"))].join(", ")}): --eval-only leaves them out`
            ]
          : []),
        ...(unknownSeverity.length === 0
          ? []
          : [
              `the severity of ${unknownSeverity.length} pairs is none of critical, supporting and peripheral (row ${unknownSeverity[0]!.row}: ${showValue(unknownSeverity[0]!.value.severity)}): left away`
            ]),
        ...sheetWarnings,
        ...(strangers.size === 0
          ? []
          : [
              `${strangers.size} of the judged notes are not in the dataset, as ${showValue([...strangers][0])}: their scores are written all the same`
            ]),
        ...(unread === 0 ? [] : [`${unread} judgements have no score: the reply could not be read`]),
        ...mojibakeWarning(
          release.pairs,
          entries.map(({ row, value }) => ({ row, texts: [value.clean, value.errored] }))
        )
      ],
      expected: expectedCounts(entries, names.size)
    },
    ...(own.length === 0
      ? {}
      : {
          beside: {
            name: "fact-sheets",
            what: "what the fact sheets say beyond the facts",
            lines: own.map((one) => ({ consultation: one.id, ...sheets.get(one.id)!.rest }))
          }
        }),
    ...(judged === undefined ? {} : { scores: judged.rows })
  }
})

export const omissionBench: Importer = {
  name: "omissionbench",
  describe: "OmissionBench: the folder of its data release, or a file of pairs within",
  heeds: ["scores", "evalOnly"],
  run
}
