import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { artefactFiles } from "../confirm/artefact.ts"
import type { ReadOut } from "../confirm/readOut.ts"
import { writeNewFile } from "../dataset/write.ts"

/** A file of a confirmed prompt, and how it stands with it. `other`: something else is there. */
export interface ConfirmedFile {
  readonly file: string
  readonly state: "written" | "there" | "missing" | "other"
}

/** Where the prompt goes: beside the campaign, or where it is asked for. */
export interface Place {
  readonly campaignFile: string
  readonly out: string | undefined
}

interface Named {
  readonly id: string
  readonly name: string
  readonly instructions: Readonly<Record<string, string>>
}

/** The files of a confirmed candidate's instructions, by what `artefactFiles` calls them. */
export const placesOf = (
  { id, instructions, name }: Named,
  { campaignFile, out }: Place
): ReadonlyMap<string, string> => {
  const file = `${name.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 60)}-${id}.md`
  const given = out ?? join(dirname(campaignFile), "confirmed", file)
  const modules = Object.keys(instructions)
  return new Map(
    modules.length === 1
      ? [["", given]]
      : modules.map((module) => [`.${module}`, given.replace(/(\.md)?$/, `.${module}.md`)])
  )
}

/** Writes the prompt of a read-out that passed. */
export const writeConfirmed = Effect.fn("writeConfirmed")(function* (
  readOut: ReadOut,
  openings: number,
  place: Place,
  options: { readonly force: boolean }
) {
  const places = placesOf(readOut.preregistration.document.candidate, place)
  return yield* Effect.forEach([...artefactFiles(readOut, openings)], ([module, text]) => {
    const file = places.get(module)!
    return Effect.as(writeNewFile(file, "the confirmed prompt", text, options), {
      file,
      state: "written"
    } as ConfirmedFile)
  })
})

/**
 * The prompt of a confirmation that was finished earlier: where it is, by its very text; written again where a place is
 * asked for. Its front matter counts the openings of the day that it was written on.
 */
export const confirmedFiles = Effect.fn("confirmedFiles")(function* (
  readOut: ReadOut,
  openings: number,
  place: Place,
  force: boolean
) {
  if (place.out !== undefined || force) return yield* writeConfirmed(readOut, openings, place, { force })
  const fs = yield* FileSystem.FileSystem
  const places = placesOf(readOut.preregistration.document.candidate, place)
  const counts = Array.from({ length: openings }, (_, at) => at + 1)
  return yield* Effect.forEach([...places], ([module, file]) =>
    fs.readFileString(file).pipe(
      Effect.map((text): ConfirmedFile["state"] =>
        counts.some((count) => artefactFiles(readOut, count).get(module) === text) ? "there" : "other"
      ),
      Effect.orElseSucceed((): ConfirmedFile["state"] => "missing"),
      Effect.map((state): ConfirmedFile => ({ file, state }))
    )
  )
})

/** The files that hold the prompt as it was confirmed. */
export const asConfirmed = (files: ReadonlyArray<ConfirmedFile>): ReadonlyArray<string> =>
  files.filter(({ state }) => state === "written" || state === "there").map(({ file }) => file)

export const confirmedLine = ({ file, state }: ConfirmedFile): string => {
  switch (state) {
    case "written":
      return `wrote ${file}`
    case "there":
      return `the confirmed prompt is in ${file}`
    case "missing":
      return `the confirmed prompt is not in ${file}: it was written elsewhere, moved or removed; --out FILE writes it again`
    case "other":
      return `${file} is not the prompt as it was confirmed: it was changed since; --out FILE writes that one elsewhere, --force writes it here again`
  }
}
