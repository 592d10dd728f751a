import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { Consultation } from "../../src/domain/Dataset.ts"

export type Platform = FileSystem.FileSystem | Path.Path

/** Runs a test's effect on the real file system, in a folder of its own that is removed afterwards. */
export const inFolder = <A, E>(
  test: (folder: string) => Effect.Effect<A, E, NodeServices.NodeServices>
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* Effect.orDie(fs.makeTempDirectoryScoped())
    return yield* test(folder)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

export const write = (folder: string, name: string, content: string | Uint8Array): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

/** A consultation with one clean note, one omission and one alteration. */
export const consultation = (id: string, fields: Partial<Consultation> = {}): Consultation => ({
  id,
  stratum: "gp",
  transcript: `Doctor: What brings you, ${id}?\nPatient: A cough.`,
  facts: [{ id: "f1", text: "Cough for 3 days", severity: "critical", evidence: "A cough." }],
  notes: [
    { id: "clean", text: `Cough for 3 days. No fever. Seen as ${id}.` },
    { id: "flawed-o1", text: `No fever. Seen as ${id}.` },
    { id: "flawed-x1", text: `Cough for 3 days. Fever. Seen as ${id}.` }
  ],
  pairs: [
    {
      id: "o1",
      flawed: "flawed-o1",
      clean: "clean",
      class: "omission",
      trace: "complete",
      severity: "critical",
      fact: "f1"
    },
    { id: "x1", flawed: "flawed-x1", clean: "clean", class: "alteration", severity: "supporting" }
  ],
  ...fields
})

export const lines = (consultations: ReadonlyArray<unknown>): string =>
  consultations.map((one) => `${JSON.stringify(one)}\n`).join("")
