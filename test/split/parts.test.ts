import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readDataset } from "../../src/dataset/read.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { createSplit } from "../../src/split/create.ts"
import { manifestText } from "../../src/split/manifestFile.ts"
import { loadOptimisationParts } from "../../src/split/parts.ts"
import { consultation, inFolder, lines, write } from "../dataset/support.ts"

const data = Array.from({ length: 12 }, (_, index) => consultation(`c${index}`))

const sealedIn = (folder: string, consultations: ReadonlyArray<Consultation>, pairs: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const dataset = yield* readDataset(write(folder, "data.jsonl", lines(consultations)))
    const made = createSplit({
      name: "s",
      dataset: { path: "data.jsonl", sha256: dataset.sha256, consultations: dataset.consultations },
      seed: 11,
      fractions: { train: 0.4, acceptance: 0.3, holdout: 0.3 },
      exclusions: { consultations: [], pairs }
    })
    if (Result.isFailure(made)) return assert.fail("no split")
    return { file: write(folder, "split.json", manifestText(made.success)), manifest: made.success }
  })

describe("loadOptimisationParts", () => {
  it.effect("hands over train and acceptance, and no holdout text is reachable from what it returns", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { file, manifest } = yield* sealedIn(folder, data)
        const parts = yield* loadOptimisationParts(file)
        assert.deepStrictEqual(
          parts.train.map((one) => one.id),
          [...manifest.train]
        )
        assert.deepStrictEqual(
          parts.acceptance.map((one) => one.id),
          [...manifest.acceptance]
        )
        const reachable = JSON.stringify(parts)
        for (const one of data) {
          const isHoldout = manifest.holdout.includes(one.id)
          for (const text of [one.transcript!, ...one.notes.map((note) => note.text)]) {
            assert.strictEqual(reachable.includes(JSON.stringify(text).slice(1, -1)), !isHoldout)
          }
        }
      })
    )
  )

  it.effect("leaves out excluded pairs and the notes that only they use", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { file } = yield* sealedIn(
          folder,
          data,
          data.map((one) => `${one.id}/o1`)
        )
        const { acceptance, train } = yield* loadOptimisationParts(file)
        for (const one of [...train, ...acceptance]) {
          assert.deepStrictEqual(
            one.pairs.map((pair) => pair.id),
            ["x1"]
          )
          assert.deepStrictEqual(
            one.notes.map((note) => note.id),
            ["clean", "flawed-x1"]
          )
        }
      })
    )
  )

  it.effect("works with ids such as __proto__ and ../../x", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const odd = ["__proto__", "../../x", "constructor", "a/b", "a%2Fb", "\u202eévil", "7"].map((id) =>
          consultation(id)
        )
        const { file } = yield* sealedIn(folder, odd)
        const { acceptance, train } = yield* loadOptimisationParts(file)
        assert.isAbove(train.length + acceptance.length, 3)
      })
    )
  )

  it.effect("refuses a dataset that changed, naming the manifest", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { file } = yield* sealedIn(folder, data)
        write(folder, "data.jsonl", lines(data.map((one) => (one.id === "c3" ? { ...one, language: "cy" } : one))))
        const error = yield* Effect.flip(loadOptimisationParts(file))
        assert.include(
          error.message,
          `${file}: dataset: the dataset changed since the split was sealed: bytes differ; contents of consultation "c3" differ`
        )
      })
    )
  )

  it.effect("refuses a manifest that is none, saying what is wrong with it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { manifest } = yield* sealedIn(folder, data)
        const notJson = yield* Effect.flip(loadOptimisationParts(write(folder, "m.json", "{")))
        assert.match(
          notJson.message,
          /m\.json:1:2: not JSON: Expected property name or '\}' \(expected a split manifest\)/
        )
        const { hash: _, ...rest } = manifest
        const wrong = yield* Effect.flip(
          loadOptimisationParts(write(folder, "m.json", JSON.stringify({ ...rest, sed: 1, train: "c1" })))
        )
        assert.deepStrictEqual(wrong.message.replaceAll(`${folder}/`, "").split("\n").sort(), [
          "m.json: hash: is missing (expected a SHA-256 hash (64 hexadecimal digits))",
          'm.json: sed: unknown field. Did you mean "seed"?',
          'm.json: train: is not usable (found "c1"; expected a list)'
        ])
        const gone = yield* Effect.flip(loadOptimisationParts(`${folder}/none.json`))
        assert.include(gone.message, "none.json: the split manifest is not there")
      })
    )
  )

  it.effect("gives the same parts for the same dataset with CRLF, a byte order mark and non-Latin ids", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { file } = yield* sealedIn(folder, data)
        const before = yield* loadOptimisationParts(file)
        const renamed = [...data].reverse().map((one) => ({ ...one, id: `患者-${one.id}` }))
        write(folder, "other.jsonl", `\ufeff${lines(renamed).replaceAll("\\n", "\\r\\n").replaceAll("\n", "\r\n")}`)
        const dataset = yield* readDataset(`${folder}/other.jsonl`)
        const made = createSplit({
          name: "s",
          dataset: { path: "other.jsonl", sha256: dataset.sha256, consultations: dataset.consultations },
          seed: 11,
          fractions: { train: 0.4, acceptance: 0.3, holdout: 0.3 }
        })
        if (Result.isFailure(made)) return assert.fail("no split")
        const after = yield* loadOptimisationParts(write(folder, "other.json", manifestText(made.success)))
        for (const part of ["train", "acceptance"] as const) {
          assert.deepStrictEqual(
            after[part].map((one) => one.id).sort(),
            before[part].map((one) => `患者-${one.id}`).sort()
          )
        }
      })
    )
  )
})
