import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { Consultation, Note, Pair, Residual } from "../../domain/Dataset.ts"
import { type InputError, inputError, showValue } from "../../domain/InputError.ts"
import { readTextFile } from "../textFile.ts"
import type { Imported, Importer, ImportOptions, LeftOut } from "./Importer.ts"
import { mojibakeWarning } from "./mojibake.ts"
import { expectedCounts, inEvaluation } from "./omissionBenchCounts.ts"
import { findRelease, type Release } from "./omissionBenchFiles.ts"
import { severityOf } from "./omissionBenchLabels.ts"
import { type Entry, readPairs } from "./omissionBenchPairs.ts"
import { countRuns, readJudgeRuns } from "./omissionBenchRuns.ts"
import { type FactSheet, readFactSheets } from "./omissionBenchSheets.ts"

const residualOf = (value: Entry["value"]): ReadonlyArray<Residual> =>
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
