import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { openedBefore, sharingSplits } from "../../src/campaign/seenBefore.ts"
import { appendToLedger, ledgerPath } from "../../src/confirm/ledgerFile.ts"
import type { ReadOut } from "../../src/confirm/readOut.ts"
import { isExploratory, type SeenBefore, seenText, sharedNotes } from "../../src/confirm/seenBefore.ts"
import { type SplitManifest, thirds } from "../../src/domain/Split.ts"
import { confirmationsTable, type KnownConfirmation } from "../../src/report/confirmationsTable.ts"
import { noExclusions } from "../../src/split/exclusions.ts"
import { manifestText } from "../../src/split/manifestFile.ts"
import { unsealingEntry } from "./support.ts"

const digest = (digit: string) => digit.repeat(64)
const none = { consultations: 0, pairs: 0, partial: 0, class: {}, trace: {}, severity: {}, stratum: {} }

/** A split whose consultations have a content each, by a hexadecimal digit. */
const split = (
  name: string,
  hash: string,
  parts: Pick<SplitManifest, "train" | "acceptance" | "holdout">,
  content: Record<string, string>
): SplitManifest => ({
  format: "assize-split/1",
  name,
  dataset: { path: "data.jsonl", sha256: digest("d") },
  seed: 11,
  fractions: thirds,
  stratification: [],
  ...parts,
  exclusions: noExclusions,
  content: Object.fromEntries(Object.entries(content).map(([id, digit]) => [id, digest(digit)])),
  counts: { train: none, acceptance: none, holdout: none },
  hash: digest(hash)
})

const own = split(
  "own",
  "a",
  { train: ["1"], acceptance: ["2"], holdout: ["3", "4", "5"] },
  { 1: "1", 2: "2", 3: "3", 4: "4", 5: "5" }
)
const other = split(
  "other",
  "1",
  { train: ["3"], acceptance: ["1"], holdout: ["x", "5"] },
  { 3: "3", 1: "1", x: "4", 5: "6" }
)

const opened: SeenBefore = {
  how: "opened",
  split: { name: "other", hash: digest("1") },
  consultations: 1,
  of: 3,
  time: "2026-11-30T10:00:00.000Z"
}

describe("what another split gives away of a holdout", () => {
  it("is known by content, whatever the id, and by id where both are of one file", () => {
    assert.deepStrictEqual(sharedNotes(own, other, false), { holdout: 1, optimised: 1 })
    assert.deepStrictEqual(sharedNotes(own, other, true), { holdout: 2, optimised: 1 })
    assert.strictEqual(
      seenText(opened),
      "1 of its 3 consultations was opened before, under split other (2026-11-30T10:00:00.000Z)"
    )
  })

  it("makes a read-out exploratory, as a second opening does", () => {
    const read = (seen?: ReadonlyArray<SeenBefore>) => ({ opening: seen === undefined ? {} : { seen } }) as ReadOut
    assert.deepStrictEqual(
      [isExploratory(read(), 1), isExploratory(read(), 2), isExploratory(read([opened]), 1)],
      [false, true, true]
    )
  })

  it.effect("is found by a manifest and a ledger beside the split, and not in a copy of its own ledger", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-seen-"))),
      (folder) =>
        Effect.gen(function* () {
          const at = (name: string) => join(folder, name)
          // Known by the split's own folder: the dataset lies elsewhere.
          const mine = { file: at("own.json"), manifest: own, dataset: "/nowhere/data.jsonl" }
          for (const [name, manifest] of Object.entries({ own, other, copy: own }))
            writeFileSync(at(`${name}.json`), manifestText(manifest))
          const found = Effect.gen(function* () {
            return yield* openedBefore(mine, yield* sharingSplits(mine, []), [])
          })
          assert.deepStrictEqual(yield* found, [])
          yield* appendToLedger(ledgerPath(at("other.json")), unsealingEntry())
          assert.deepStrictEqual(yield* found, [opened])
          // Both of this very split, one with a line that the own ledger does not have.
          for (const name of ["own", "copy"])
            yield* appendToLedger(ledgerPath(at(`${name}.json`)), { ...unsealingEntry(), split: own.hash })
          assert.deepStrictEqual(yield* found, [opened])
          yield* appendToLedger(ledgerPath(at("copy.json")), { ...unsealingEntry("once more"), split: own.hash })
          assert.deepStrictEqual(
            (yield* found).map(({ consultations, split: { name } }) => [name, consultations]),
            [
              ["own", 3],
              ["other", 1]
            ]
          )
        }),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("confirmations on several splits", () => {
  const known = (hash: string, holdout: ReadonlyArray<string> | null) =>
    ({
      openings: 1,
      holdout: holdout === null ? null : new Set(holdout),
      readOut: {
        preregistration: {
          document: { split: { name: hash, hash }, candidate: { name: "c" }, baselines: [{ name: "b" }] }
        },
        opening: {},
        model: {},
        gates: [{ part: "holdout", measured: { measure: { measure: "auc" }, interval: null, p: null } }],
        holdout: { judges: [{ judge: "c", figures: { operating: null } }] },
        cost: { unpriced: 0, usd: 0 }
      }
    }) as unknown as KnownConfirmation
  const remarkOf = (...all: ReadonlyArray<KnownConfirmation>) =>
    confirmationsTable(all).remarks.find((remark) => remark.startsWith("these are of"))

  it("are said to share as many notes as they do", () => {
    assert.isUndefined(remarkOf(known("a", ["1"]), known("a", ["1"])))
    assert.include(remarkOf(known("a", ["1"]), known("b", ["2"])), "have no consultation in common")
    assert.include(remarkOf(known("a", ["1", "2"]), known("b", ["2", "3"])), "share 1 of 3 consultations")
    assert.strictEqual(
      remarkOf(known("a", ["1", "2"]), known("b", ["2", "1"])),
      "these are of 2 splits whose holdouts are the same 2 consultations"
    )
    assert.include(remarkOf(known("a", ["1"]), known("b", null)), "is not known")
  })
})
