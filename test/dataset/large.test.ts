import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { assemble, type Draft } from "../../src/dataset/import/drafts.ts"
import { medec } from "../../src/dataset/import/medec.ts"
import { mtsDialog } from "../../src/dataset/import/mtsDialog.ts"
import { nearDuplicates } from "../../src/dataset/nearDuplicates.ts"
import { openDataset, readDataset, readDatasetReport } from "../../src/dataset/read.ts"
import { datasetSummary } from "../../src/dataset/summary.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { hashOf } from "../../src/domain/hash.ts"
import type { InputError } from "../../src/domain/InputError.ts"
import { thirds } from "../../src/domain/Split.ts"
import { createSplit } from "../../src/split/create.ts"
import { verifySplit } from "../../src/split/verify.ts"
import { consultation, inFolder, lines, write } from "./support.ts"

/** More than a spool holds in memory, and many times what is read at once. */
const least = 10 * 2 ** 20

/** Text of one to four bytes a character and with line breaks, of lengths of its own: borders fall everywhere. */
const text = (at: number): string =>
  `${Array.from({ length: 150 + (at % 97) }, (_, word) => `é${(at * 7919 + word * word * 31) % 4001}日𝄞\u2028`).join(" ")}\n${"y".repeat(at % 7)}.`

/** Told apart by their JSON: comparing values as deep as these takes seconds. */
const same = (one: unknown, other: unknown) => assert.strictEqual(hashOf(one), hashOf(other))

/** With a mark, Windows line ends, blank lines, and no end of the last line. */
const awkward = (jsonLines: string): string =>
  `\uFEFF${jsonLines.replaceAll("\n", "\r\n\r\n").replace(/(?:\r\n)+$/, "")}`

const refusal = <R>(effect: Effect.Effect<unknown, InputError, R>) =>
  Effect.map(Effect.flip(effect), ({ problems }) => problems[0]!)

describe("a dataset larger than what is held in memory", () => {
  const count = 900
  const all = Array.from({ length: count }, (_, at) =>
    consultation(`c${at}`, {
      transcript: at % 50 === 0 ? text(1) : text(at),
      notes: [
        { id: "clean", text: text(at + 1) },
        { id: "flawed-o1", text: text(at + 2) },
        { id: "flawed-x1", text: text(at + 3) }
      ]
    })
  )

  it.effect("is read as it stands, however its lines lie in the file, and gives the same figures", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const bytes = awkward(lines(all))
        assert.isAbove(Buffer.byteLength(bytes), least)
        const opened = yield* openDataset(write(folder, "d.jsonl", bytes))
        const whole = yield* readDataset(opened.path)
        same(whole.consultations, all)
        assert.strictEqual(opened.consultations.size, count)
        let at = 0
        for (const one of opened.consultations) {
          same(one, all[at])
          // Another one in between must not disturb the order.
          assert.strictEqual(opened.consultations.at((at * 7919) % count).id, `c${(at * 7919) % count}`)
          at += 1
        }
        assert.strictEqual(at, count)
        same(opened.warnings, whole.warnings)
        assert.strictEqual(opened.sha256, whole.sha256)
        assert.deepStrictEqual(datasetSummary(opened.consultations), datasetSummary(all))
        const near = nearDuplicates(opened.consultations, 0.99)
        assert.deepStrictEqual(near, nearDuplicates(all, 0.99))
        assert.isAbove(near.length, 0)
        const splitOf = (consultations: Iterable<Consultation>) =>
          createSplit({
            name: "large",
            dataset: { path: "d.jsonl", sha256: opened.sha256, consultations },
            seed: 3,
            fractions: thirds,
            exclusions: { consultations: ["c7"], pairs: ["c8/o1", "c50/o1"] }
          })
        const split = Result.getOrThrow(splitOf(opened.consultations))
        same(split, Result.getOrThrow(splitOf(all)))
        assert.deepStrictEqual(verifySplit(split, opened), [])
      })
    )
  )

  it.effect("is refused with the line where it is no UTF-8", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const bytes = Buffer.from(lines(all.slice(0, 200)))
        let line = 1
        for (let at = 0; at < 600_000; at++) if (bytes[at] === 0x0a) line += 1
        bytes[600_000] = 0xff
        const { errors } = yield* readDatasetReport(write(folder, "bad.jsonl", bytes))
        assert.strictEqual(errors[0]?.line, line)
        assert.include(errors[0]?.what, "not UTF-8 at byte")
      })
    )
  )
})

describe("an import larger than what is held in memory", () => {
  const count = 1400
  const rows = Array.from({ length: count }, (_, at) => ({
    id: `mts-${at}`,
    // Summaries of one dialogue lie far apart.
    dialogue_id: `${at % (count >> 1)}`,
    dialogue: text(at % (count >> 1)),
    reference: text(at + 1),
    automatic: text(at + 2),
    hallucination_rate: at % 3 === 0 ? 0.5 : 0,
    omission_rate: at % 3 === 1 ? 0.25 : at % 5 === 0 ? null : 0
  }))

  it.effect("gives what its rows give in memory", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const plain = yield* mtsDialog.run(write(folder, "m.jsonl", lines(rows)))
        const drafts = rows.flatMap((one, at): ReadonlyArray<Draft> => {
          const label = at % 3 === 0 ? "hallucination" : at % 3 === 1 ? "omission" : undefined
          if (label === undefined) return []
          return [
            {
              file: "m.jsonl",
              row: at + 1,
              consultation: `mts-validation-${one.dialogue_id}`,
              stratum: "mts-dialog",
              language: "en",
              transcript: one.dialogue.trim(),
              flawed: one.automatic.trim(),
              clean: one.reference.trim(),
              pair: {
                id: one.id,
                class: label === "omission" ? "omission" : "addition",
                stratum: `mts-dialog-${label}`
              }
            }
          ]
        })
        const expected = assemble(drafts)
        same(plain.consultations, expected.consultations)
        same([...plain.streamed!], expected.consultations)
        assert.deepStrictEqual(plain.report.read, [{ file: "m.jsonl", rows: count, paired: expected.kept.length }])
        assert.strictEqual(plain.report.leftOut.length, count - expected.kept.length)
        const other = yield* mtsDialog.run(write(folder, "w.jsonl", awkward(lines(rows))))
        same(other.consultations, expected.consultations)
      })
    )
  )

  it.effect("is refused with the row, of UTF-16 too", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const few = lines(rows.slice(0, 300))
        const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(few, "utf16le")])
        const problem = yield* refusal(mtsDialog.run(write(folder, "u.jsonl", marked)))
        assert.deepInclude(problem, { line: 1, hint: "The file looks like UTF-16: save it as UTF-8" })
        const cut = `${few}{"id":"cut`
        const half = yield* refusal(mtsDialog.run(write(folder, "h.jsonl", cut)))
        assert.strictEqual(half.line, 301)
        const table = Buffer.from("Text ID,Text\n1,x\n", "utf16le")
        const csv = yield* refusal(medec.run(write(folder, "t.csv", table)))
        assert.deepInclude(csv, { line: 1, what: "holds a NUL character" })
      })
    )
  )
})
