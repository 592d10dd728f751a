import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { appendToLedger, ledgerPath, readLedger } from "../../src/confirm/ledgerFile.ts"
import { readLedgerText, tornWarnings } from "../../src/confirm/ledgerText.ts"
import { isConfirmatory, missingLines, openings, unfinishedOpening } from "../../src/confirm/verifyLedger.ts"
import type { LedgerEntry } from "../../src/domain/Ledger.ts"
import { candidate, entry, readOutEntry, unsealingEntry } from "./support.ts"

const inFolder = <A, E>(test: (file: string) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-ledger-"))),
    (folder) => test(join(folder, "split.ledger.jsonl")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const append = (file: string, entries: ReadonlyArray<LedgerEntry>) =>
  Effect.forEach(entries, (one) => appendToLedger(file, one))

describe("the ledger", () => {
  it("lies beside the manifest", () => {
    assert.strictEqual(ledgerPath("splits/mine.json"), "splits/mine.ledger.jsonl")
  })

  it.effect("chains its lines, and reads back what was appended", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const [promised, opened] = yield* append(file, [entry(), unsealingEntry()])
        const { lines, problems, torn } = yield* readLedger(file)
        assert.deepStrictEqual(lines, [promised!, opened!])
        assert.deepStrictEqual([problems, torn], [[], 0])
        assert.strictEqual(opened!.previous, promised!.hash)
        assert.strictEqual(promised!.previous, "0".repeat(64))
      })
    )
  )

  it.effect("tells of a change to any single byte", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        yield* append(file, [entry(), unsealingEntry(), readOutEntry("0".repeat(64))])
        const text = readFileSync(file, "utf8")
        // Every byte would take long for nothing: the documents are of one kind all through.
        for (let at = 0; at < text.length; at += 7) {
          const other = text[at] === "a" ? "b" : "a"
          const { problems, torn } = readLedgerText(text.slice(0, at) + other + text.slice(at + 1))
          assert.isTrue(problems.length > 0 || torn > 0, `byte ${at} (${text[at]}) can be changed unseen`)
        }
      })
    )
  )

  it.effect("tells of a line taken out, put in or moved", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        yield* append(file, [entry(), unsealingEntry(), readOutEntry("0".repeat(64))])
        const rows = readFileSync(file, "utf8").trim().split("\n")
        const problemsOf = (some: ReadonlyArray<string>) => readLedgerText(`${some.join("\n")}\n`).problems.length
        assert.strictEqual(problemsOf(rows), 0)
        assert.isAbove(problemsOf([rows[0]!, rows[2]!]), 0)
        assert.isAbove(problemsOf([rows[1]!, rows[0]!, rows[2]!]), 0)
        assert.isAbove(problemsOf([rows[0]!, rows[1]!, rows[1]!, rows[2]!]), 0)
        assert.isAbove(problemsOf(rows.slice(1)), 0)
      })
    )
  )

  it.effect("misses lines at its end that the store remembers", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const written = yield* append(file, [entry(), unsealingEntry()])
        const cut = readLedgerText(`${readFileSync(file, "utf8").split("\n")[0]}\n`)
        assert.deepStrictEqual(cut.problems, [])
        assert.deepStrictEqual(
          missingLines(cut.lines, written).map(({ line }) => line),
          [2]
        )
      })
    )
  )

  it.effect("is built upon behind a line that was cut off while it was written", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        yield* append(file, [entry()])
        appendFileSync(file, '{"kind":"unsealing","time":"2026')
        assert.isAbove((yield* readLedger(file)).torn, 0)
        yield* append(file, [unsealingEntry()])
        const { lines, problems, torn } = yield* readLedger(file)
        assert.deepStrictEqual(
          [lines.map(({ kind }) => kind), problems, torn],
          [["preregistration", "unsealing"], [], 0]
        )
      })
    )
  )

  it.effect("counts a last line whose line feed alone is missing: an opening is not forgotten for it", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const [, opened] = yield* append(file, [entry(), unsealingEntry()])
        writeFileSync(file, readFileSync(file, "utf8").trimEnd())
        const cut = yield* readLedger(file)
        assert.deepStrictEqual([cut.lines.at(-1), cut.problems, cut.torn], [opened!, [], 0])
        yield* append(file, [readOutEntry(opened!.hash)])
        const { lines, problems } = yield* readLedger(file)
        assert.deepStrictEqual(
          [lines.map(({ kind }) => kind), problems],
          [["preregistration", "unsealing", "read-out"], []]
        )
      })
    )
  )

  it.effect("says of a last line that was cut that it counts for nothing", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        yield* append(file, [entry(), unsealingEntry()])
        writeFileSync(file, readFileSync(file, "utf8").slice(0, -3))
        const cut = yield* readLedger(file)
        assert.strictEqual(cut.lines.length, 1)
        assert.include(tornWarnings(cut, file)[0]!.what, "counts for nothing")
      })
    )
  )

  it.effect("tells converted line ends as what they are, once, and reads the lines", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const written = yield* append(file, [entry(), unsealingEntry()])
        for (const text of [readFileSync(file, "utf8"), readFileSync(file, "utf8").trimEnd()]) {
          const { lines, problems } = readLedgerText(text.replaceAll("\n", "\r\n"))
          assert.deepStrictEqual(lines, written)
          assert.deepStrictEqual(
            problems.map(({ line, what }) => [line, what]),
            [[1, "the ledger's line ends were changed after it was written"]]
          )
        }
      })
    )
  )

  it.effect("is not built upon when it does not hold", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        yield* append(file, [entry(), unsealingEntry()])
        writeFileSync(file, readFileSync(file, "utf8").replace(candidate, "ffffffffffff"))
        const failed = yield* Effect.flip(append(file, [readOutEntry("0".repeat(64))]))
        assert.strictEqual(failed.problems[0]!.line, 1)
        assert.include(failed.message, "was changed after it was written")
      })
    )
  )

  it.effect("knows which opening has not come to its read-out, and after which nothing is confirmatory", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const [promised, opened] = yield* append(file, [entry(), unsealingEntry()])
        const { split } = promised!
        const { preregistration } = entry() as { readonly preregistration: string }
        const now = () => Effect.map(readLedger(file), ({ lines }) => lines)
        assert.strictEqual(unfinishedOpening(yield* now(), preregistration)?.hash, opened!.hash)
        yield* append(file, [readOutEntry(opened!.hash)])
        assert.isUndefined(unfinishedOpening(yield* now(), preregistration))
        assert.isTrue(isConfirmatory(yield* now(), split))
        yield* append(file, [unsealingEntry("a second look")])
        assert.strictEqual(openings(yield* now(), split).length, 2)
        assert.isFalse(isConfirmatory(yield* now(), split))
      })
    )
  )
})
