import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { type InputError, inputError } from "../../domain/InputError.ts"
import { fileProblem } from "../fileProblem.ts"
import { readTextFile } from "../textFile.ts"
import { consultationId } from "./primockPairs.ts"

interface Utterance {
  readonly from: number
  readonly text: string
}

/** What a transcriber typed as a transcript says it: marks of doubt off, what was not understood as one word. */
const spoken = (text: string): string =>
  text
    .replace(/<\/?UNSURE>/gi, "")
    .replace(/<(?:UNIN|INAUDIBLE_SPEECH)\s*\/?>/gi, "[unintelligible]")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\[unintelligible\](?:\s*\[unintelligible\])+/g, "[unintelligible]")

/** The intervals of a Praat TextGrid in its long form, whatever tier they are in; empty ones left out. */
const utterances = (textGrid: string): ReadonlyArray<Utterance> =>
  [...textGrid.matchAll(/xmin\s*=\s*([\d.eE+-]+)\s+xmax\s*=\s*[\d.eE+-]+\s+text\s*=\s*"((?:[^"]|"")*)"/g)].flatMap(
    (match) => {
      const text = spoken(match[2]!.replaceAll('""', '"'))
      return text === "" ? [] : [{ from: Number(match[1]), text }]
    }
  )

/** One transcript of a consultation's two TextGrids: an utterance a line by start, the doctor's first of two at once. */
export const mergeTextGrids = (doctor: string, patient: string): string =>
  [
    ...utterances(doctor).map((one) => ({ ...one, speaker: "Doctor" })),
    ...utterances(patient).map((one) => ({ ...one, speaker: "Patient" }))
  ]
    .sort((a, b) => a.from - b.from)
    .map(({ speaker, text }) => `${speaker}: ${text}`)
    .join("\n")

/**
 * The transcripts of a folder by consultation: `<id>.txt`, or else the pair `<id>_doctor.TextGrid` and
 * `<id>_patient.TextGrid`. Undefined where there is no such folder.
 */
export const primockTranscripts = Effect.fn("primockTranscripts")(function* (
  folder: string
): Effect.fn.Return<ReadonlyMap<string, string> | undefined, InputError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = Effect.mapError((error: Parameters<typeof fileProblem>[2]) =>
    inputError(fileProblem(folder, "the folder of transcripts", error))
  )
  if (!(yield* fs.exists(folder).pipe(failed))) return undefined
  const names = (yield* fs.readDirectory(folder).pipe(failed)).sort()
  const read = (name: string) => readTextFile(path.join(folder, name), "the transcript")
  const transcripts = new Map<string, string>()
  for (const name of names.filter((one) => one.endsWith(".txt"))) {
    transcripts.set(consultationId(name.slice(0, -".txt".length)), (yield* read(name)).trim())
  }
  for (const doctor of names.filter((one) => one.endsWith("_doctor.TextGrid"))) {
    const stem = doctor.slice(0, -"_doctor.TextGrid".length)
    const patient = `${stem}_patient.TextGrid`
    if (transcripts.has(consultationId(stem)) || !names.includes(patient)) continue
    transcripts.set(consultationId(stem), mergeTextGrids(yield* read(doctor), yield* read(patient)))
  }
  return transcripts
})
