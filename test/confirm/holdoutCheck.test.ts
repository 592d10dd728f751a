import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Holdout } from "../../src/confirm/holdout.ts"
import { readDataset } from "../../src/dataset/read.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import type { DesignName } from "../../src/domain/DesignName.ts"
import { designOf } from "../../src/judge/designs/registry.ts"
import { createSplit } from "../../src/split/create.ts"
import { manifestText } from "../../src/split/manifestFile.ts"
import { consultation, inFolder, lines, write } from "../dataset/support.ts"

const said = "She has had a dry cough for three days, without fever, and she sleeps badly because of it."
const data = Array.from({ length: 12 }, (_, index) => consultation(`c${index}`))
/** The transcript holds the clean note, which is long enough to be told from chance. */
const leaky = (one: Consultation): Consultation => ({
  ...one,
  transcript: `Doctor: For the record. ${said} Seen as ${one.id}.`,
  notes: one.notes.map((note) => (note.id === "clean" ? { ...note, text: `${said} Seen as ${one.id}.` } : note))
})

const sealed = (folder: string, consultations: ReadonlyArray<Consultation>) =>
  Effect.gen(function* () {
    const dataset = yield* readDataset(write(folder, "data.jsonl", lines(consultations)))
    const made = createSplit({
      name: "s",
      dataset: { path: "data.jsonl", sha256: dataset.sha256, consultations: dataset.consultations },
      seed: 11,
      fractions: { train: 0.4, acceptance: 0.3, holdout: 0.3 },
      exclusions: { consultations: [], pairs: [] }
    })
    return Result.isFailure(made) ? assert.fail("no split") : made.success
  })

/** What the check of a design says of a split whose holdout, or whose train part, has a leaky consultation. */
const checked = (folder: string, part: "holdout" | "train", design: DesignName) =>
  Effect.gen(function* () {
    for (const one of data) {
      const manifest = yield* sealed(
        folder,
        data.map((other) => (other === one ? leaky(other) : other))
      )
      if (!manifest[part].includes(one.id)) continue
      const ledger = join(folder, "split.ledger.jsonl")
      const result = yield* Effect.result(
        Holdout.use((holdout) => holdout.check([{ design: designOf({ design, samples: 1 }), instructions: {} }])).pipe(
          Effect.provide(
            Holdout.layer({
              manifestFile: write(folder, "split.json", manifestText(manifest)),
              manifest,
              dataset: join(folder, "data.jsonl"),
              ledger
            })
          )
        )
      )
      assert.isFalse(existsSync(ledger), "no line is written")
      return { id: one.id, message: Result.isFailure(result) ? result.failure.message : undefined }
    }
    return assert.fail(`no leaky consultation comes into the ${part}`)
  })

describe("the check of a sealed holdout", () => {
  for (const design of ["two-stage", "three-stage", "coverage"] as const) {
    it.effect(`refuses a ${design} judge where a transcript holds a note, and shows no word of it`, () =>
      inFolder((folder) =>
        Effect.map(checked(folder, "holdout", design), ({ id, message }) => {
          assert.include(message, `consultation "${id}": its transcript holds a stretch of its note "clean"`)
          assert.include(message, "the stage extract")
          assert.include(message, "stays sealed")
          assert.notInclude(message!.toLowerCase(), "cough")
        })
      )
    )
  }

  it.effect("lets a judge pass that may see both", () =>
    inFolder((folder) =>
      Effect.map(checked(folder, "holdout", "whole-note-score"), ({ message }) => assert.isUndefined(message))
    )
  )

  it.effect("looks at no other part", () =>
    inFolder((folder) =>
      Effect.map(checked(folder, "train", "two-stage"), ({ message }) => assert.isUndefined(message))
    )
  )
})
